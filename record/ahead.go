package record

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"wallboard/model"
)

// ahead reads, beside a player, what somebody who goes on by steps wants next: the chunks
// that a step on and a step back lead to, and the pictures of these two instants. A nil one
// reads nothing. Its methods are for the player's goroutine. Two more do the jobs, as long as
// there are any: one reads chunks, one makes pictures of them.
type ahead struct {
	player  *Player
	minutes []*minute // what was wanted last first
	poses   []*pose
	step    time.Duration // the last one

	mu       sync.Mutex
	further  sync.Cond // somebody has come further
	posing   bool      // a picture is being made: chunks wait for it
	chunks   queue
	pictures queue
	unpacker unpacker
}

// queue is what one goroutine does.
type queue struct {
	todo    []job
	doing   job  // nil: none
	working bool // the goroutine lives
}

// job is something that is done beside.
type job interface {
	do(a *ahead)
	state() *task
}

// task is how far a job is.
type task struct {
	cancel atomic.Bool
	over   atomic.Bool
}

func (t *task) state() *task { return t }

// minute is a chunk that is read with stops on the way, which nobody changes any more. What
// it has is under the lock of ahead until it is over.
type minute struct {
	task
	i     int // of the recording
	chunk chunkOf
	grid  grid            // where it has stops
	shown *model.Snapshot // when it was wanted: most of the chunk says the same
	read  time.Time       // how far it is
	stops []*opened       // in the order of time; none: it was called off, or cannot be read
}

// pose is the picture of an instant, held against the one that is shown when it is wanted.
type pose struct {
	task
	minute *minute
	at     time.Time
	shown  *model.Snapshot
	opened *opened // that stands at the instant; nil: it was called off, or cannot be read
}

const (
	// stopEvery is how far two stops are apart: as far as the steps that people make.
	stopEvery = 10 * time.Second
	// mostStops bounds those of a chunk: each holds what changed since the one before.
	mostStops = 12
	// drawing is how long the board has for itself, to draw what somebody has gone to.
	drawing = 20 * time.Millisecond
	// mostMinutes is how many chunks are kept: the one that is shown, and one either way.
	mostMinutes = 3
)

// usual are the steps that people make: another one like it is likely to follow.
var usual = []time.Duration{stopEvery, time.Minute, 5 * time.Minute}

func newAhead(p *Player) *ahead {
	a := &ahead{player: p}
	a.further.L = &a.mu
	return a
}

// want has what is wanted next be read for somebody who has come to an instant by a step.
// After a leap that may be a small step back: on is cheap. posing is false for a film that
// plays: its next instant is not known exactly.
func (a *ahead) want(at time.Time, step time.Duration, posing bool) {
	if a == nil {
		return
	}
	p := a.player
	if p.cur == nil || p.shown == nil {
		return
	}
	if posing && !slices.Contains(usual, step.Abs().Round(time.Second)) {
		step = -usual[0]
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	w := wanted{a: a, grid: grid{at, max(step.Abs(), stopEvery)}}
	next := p.rec.find(at.Add(step))
	if posing {
		w.pose(next, at.Add(step))
	}
	switch here := next == p.cur.i; {
	case here && step > 0:
		w.minute(next + 1) // it begins soon
	case here:
		w.minute(next - 1)
	default:
		w.minute(next)
	}
	if posing && step != a.step { // who has turned may turn again
		w.pose(p.rec.find(at.Add(-step)), at.Add(-step))
	}
	a.step = step
	for _, m := range a.minutes {
		if len(w.minutes) < mostMinutes && m.over.Load() && len(m.stops) > 0 && !slices.Contains(w.minutes, m) {
			w.minutes = append(w.minutes, m)
		}
	}
	a.minutes, a.poses = w.minutes, w.poses
	a.begin(&a.chunks, w.chunks)
	a.begin(&a.pictures, w.pictures)
}

// begin has other jobs be done. What is being done goes on if it is wanted.
func (a *ahead) begin(q *queue, jobs []job) {
	q.todo = jobs
	if q.doing != nil {
		if len(jobs) > 0 && jobs[0] == q.doing {
			q.todo = jobs[1:]
		} else {
			q.doing.state().cancel.Store(true)
		}
	}
	if !q.working && len(q.todo) > 0 {
		q.working = true
		time.AfterFunc(drawing, func() { a.work(q) })
	}
	a.further.Broadcast()
}

// wanted is what is found to be wanted.
type wanted struct {
	a        *ahead
	grid     grid
	minutes  []*minute
	poses    []*pose
	chunks   []job // what is being done first
	pictures []job
}

// pose wants the picture of an instant, which is in a chunk.
func (w *wanted) pose(i int, at time.Time) {
	if m := w.minute(i); m != nil {
		s := &pose{minute: m, at: at, shown: w.a.player.shown}
		w.poses, w.pictures = append(w.poses, s), append(w.pictures, s)
	}
}

// minute wants a chunk; it returns nil where there is none.
func (w *wanted) minute(i int) *minute {
	if i < 0 || i >= len(w.a.player.rec.chunks) {
		return nil
	}
	c := w.a.player.rec.chunks[i]
	same := func(m *minute) bool { return m.chunk == c && (!m.over.Load() || len(m.stops) > 0) }
	if at := slices.IndexFunc(w.minutes, same); at >= 0 {
		return w.minutes[at]
	}
	var m *minute
	if at := slices.IndexFunc(w.a.minutes, same); at >= 0 {
		m = w.a.minutes[at]
	}
	switch {
	case m != nil && m.over.Load():
	case m != nil && w.a.chunks.doing == job(m) && !m.cancel.Load():
		w.chunks = slices.Insert(w.chunks, 0, job(m))
	default:
		m = &minute{i: i, chunk: c, grid: w.grid, shown: w.a.player.shown}
		w.chunks = append(w.chunks, m)
	}
	w.minutes = append(w.minutes, m)
	return m
}

// work does what is to be done, and ends.
func (a *ahead) work(q *queue) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(q.todo) > 0 {
		q.doing, q.todo = q.todo[0], q.todo[1:]
		a.further.Broadcast()
		a.mu.Unlock()
		q.doing.do(a)
		a.mu.Lock()
		q.doing.state().over.Store(true)
		q.doing = nil
		a.further.Broadcast()
	}
	q.working = false
	a.further.Broadcast()
}

// do reads a chunk.
func (m *minute) do(a *ahead) {
	var o opened
	if m.cancel.Load() || o.unpack(m.i, m.chunk, &a.unpacker, a.player.store) != nil {
		return
	}
	var due time.Time // for the next stop: there is one at the first frame
	for o.next < len(o.frames) {
		at := o.deframer.next(o.frames[o.next])
		stop := o.next > 0 && due.Before(at)
		if stop {
			due = m.grid.next(at)
		}
		a.note(m, &o, stop)
		if m.cancel.Load() || o.read() != nil {
			m.cancel.Store(true) // what is damaged is for the player to find
			break
		}
	}
	a.note(m, &o, o.next > 0)
}

// note tells how far a chunk is read, and has the frame that was read last be gone to.
func (a *ahead) note(m *minute, o *opened, stop bool) {
	if stop {
		o.deframer.match(m.shown)
		o.deframer.share()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case m.cancel.Load():
		m.stops = nil
	case stop && len(m.stops) < mostStops:
		m.stops = append(m.stops, o.fork())
	}
	m.read = o.deframer.at
	a.further.Broadcast()
	for a.posing && !m.cancel.Load() { // the board draws meanwhile, and there may be two cores
		a.further.Wait()
	}
}

// goTo returns what stands at an instant of the chunk, or as near before it as there is a
// stop; nil for none.
func (m *minute) goTo(at time.Time) *opened {
	for _, s := range slices.Backward(m.stops) {
		if !s.deframer.at.After(at) {
			return s.fork()
		}
	}
	return nil
}

// do finds in what a picture differs from the one that is shown.
func (s *pose) do(a *ahead) {
	a.mu.Lock()
	for !s.cancel.Load() && !s.minute.over.Load() && !s.minute.read.After(s.at) && a.comes(s.minute) {
		a.further.Wait()
	}
	o := s.minute.goTo(s.at)
	a.posing = o != nil
	a.mu.Unlock()
	if o == nil {
		return
	}
	for !s.cancel.Load() && o.before(s.at) {
		if o.read() != nil {
			s.cancel.Store(true)
		}
	}
	if !s.cancel.Load() {
		o.deframer.match(s.shown)
		s.opened = o
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.posing = false
}

// comes reports whether a chunk is being read, or will be.
func (a *ahead) comes(m *minute) bool {
	return a.chunks.doing == job(m) || slices.Contains(a.chunks.todo, job(m))
}

// busy reports whether something of what is wanted is not read yet.
func (a *ahead) busy() bool {
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.chunks.working || a.pictures.working
}

// take returns what stands at an instant of a chunk, or soon before it; nil where it was not
// read, or would have to be waited for and nobody wants to.
func (a *ahead) take(i int, at time.Time, wait bool) *opened {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.poses {
		if !s.at.Equal(at) || s.shown != a.player.shown {
			continue
		}
		for a.pictures.doing == job(s) {
			a.further.Wait()
		}
		if s.over.Load() && s.opened != nil {
			return s.opened
		}
	}
	for _, m := range a.minutes {
		if m.i != i || !wait && !m.over.Load() {
			continue
		}
		for a.chunks.doing == job(m) && !m.read.After(at) {
			a.further.Wait()
		}
		return m.goTo(at)
	}
	if wait { // what is being read is of somewhere else
		a.begin(&a.chunks, nil)
		a.begin(&a.pictures, nil)
	}
	return nil
}

// close ends what is read, and returns when nobody reads any more.
func (a *ahead) close() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begin(&a.chunks, nil)
	a.begin(&a.pictures, nil)
	for a.chunks.working || a.pictures.working {
		a.further.Broadcast()
		a.further.Wait()
	}
	a.minutes, a.poses = nil, nil
	a.unpacker.close()
}
