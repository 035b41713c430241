package record

import (
	"sync/atomic"
	"time"

	"wallboard/model"
)

// ahead unpacks and reads, beside a player, the chunk that is probably wanted next: the one
// that a step further would be in. It has one chunk, and one goroutine while it reads. Its
// methods are for the player's goroutine.
type ahead struct {
	player   *Player
	job      *job // the last one: it is being read, or was
	spare    *opened
	unpacker unpacker // of the jobs, which come one after the other
}

// job is a chunk that is read beside.
type job struct {
	chunk  int
	grid   grid            // where it has stops
	shown  *model.Snapshot // when it was begun
	to     atomic.Int64    // up to here, in milliseconds; the first frame in any case
	cancel atomic.Bool
	done   chan struct{} // closed when nobody reads any more
	opened *opened       // what it is read in
	ok     bool          // it could be read
}

// farthest is how long a step may be after which another one like it is thought of.
const farthest = 10 * time.Minute

// want has the chunk read that somebody is in who goes on in this way: by a step, from an
// instant at which the player is. After a leap that may be a small step back: on is cheap.
func (a *ahead) want(at time.Time, step time.Duration) {
	p := a.player
	if p.cur == nil || p.shown == nil {
		return
	}
	if step == 0 || step.Abs() > farthest {
		step = -stopEvery
	}
	here, to := p.cur.i, at.Add(step)
	i := p.rec.find(to)
	switch {
	case step > 0 && i == here: // it is read as one goes; the next one begins soon
		i++
	case step < 0 && i == here && p.cur.near(to):
		i--
	}
	if i < 0 || i >= len(p.rec.chunks) {
		return
	}
	j := &job{chunk: i, grid: grid{at, max(step.Abs(), stopEvery)}, shown: p.shown, done: make(chan struct{})}
	j.to.Store(p.rec.chunks[i].Last.UnixMilli())
	if was := a.job; was != nil && was.chunk == j.chunk && was.grid.every == j.grid.every && !was.cancel.Load() {
		return
	}
	a.begin(j)
}

// idle reports whether nothing is read, and nothing was that lies beside a chunk.
func (a *ahead) idle(here int) bool {
	return a.job == nil || a.job.chunk < here-1 || a.job.chunk > here+1
}

// begin reads another chunk, as soon as the one before is let go of.
func (a *ahead) begin(j *job) {
	was, o := a.job, a.spare
	a.job, a.spare = j, nil
	if was != nil {
		was.cancel.Store(true)
	}
	c := a.player.rec.chunks[j.chunk]
	go func() {
		defer close(j.done)
		if was != nil {
			<-was.done
			o = was.opened
		}
		if o == nil {
			o = &opened{}
		}
		j.opened, j.ok = o, j.read(o, c, a)
	}()
}

// read reads the chunk; ok is false where it was called off, or cannot be read.
func (j *job) read(o *opened, c chunkOf, a *ahead) (ok bool) {
	if j.cancel.Load() || o.unpack(j.chunk, c, &a.unpacker, a.player.store) != nil {
		return false
	}
	read := o.readStops(j.grid, j.shown, func(o *opened) bool {
		return !j.cancel.Load() && o.before(time.UnixMilli(j.to.Load()))
	})
	return read && o.next > 0 && !j.cancel.Load()
}

// ready reports whether a chunk has been read, and one can go to an instant of it.
func (a *ahead) ready(chunk int, at time.Time) bool {
	j := a.job
	if j == nil || j.chunk != chunk {
		return false
	}
	select {
	case <-j.done:
		return j.ok && j.opened.near(at)
	default:
		return false
	}
}

// take returns a chunk that is ready, or soon is, in exchange for the one that the player
// has; nil where nobody has thought of it.
func (a *ahead) take(chunk int, at time.Time, own *opened) *opened {
	j := a.job
	if j == nil || j.chunk != chunk || j.cancel.Load() {
		return nil
	}
	j.to.Store(min(j.to.Load(), at.UnixMilli())) // what comes after is not waited for
	<-j.done
	a.job = nil
	if !j.ok {
		a.spare = j.opened
		return nil
	}
	a.spare = own
	return j.opened
}

// close ends what is read, and returns when nobody reads any more.
func (a *ahead) close() {
	if a.job != nil {
		a.job.cancel.Store(true)
		<-a.job.done
	}
	a.job, a.spare = nil, nil
	a.unpacker.close()
}
