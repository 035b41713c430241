package record

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"wallboard/model"
)

// ahead prefetches for a player that moves in steps: the chunks that the next step
// forward and back lead to, and the snapshots at these times. A nil *ahead does
// nothing. Its methods must be called by the player's goroutine. While there are jobs,
// two more goroutines run: one reads chunks, one builds snapshots.
type ahead struct {
	player  *Player
	minutes []*minute // most recently wanted first
	poses   []*pose
	step    time.Duration // the last step

	mu       sync.Mutex
	further  sync.Cond // signals any progress
	posing   bool      // a snapshot is being built; reading chunks waits
	chunks   queue
	pictures queue
	unpacker unpacker
}

// queue holds the jobs of one goroutine.
type queue struct {
	todo    []job
	doing   job  // nil: none
	working bool // the goroutine is running
}

// job is a background task.
type job interface {
	do(a *ahead)
	state() *task
}

// task is the state of a job.
type task struct {
	cancel atomic.Bool
	over   atomic.Bool
}

func (t *task) state() *task { return t }

// minute is a chunk with intermediate stops that have been read. Its fields are guarded
// by ahead.mu until it is over.
type minute struct {
	task
	i     int // index in the recording
	chunk chunkOf
	grid  grid            // positions of the stops
	shown *model.Snapshot // the displayed snapshot, whose unchanged records are reused
	read  time.Time       // time read so far
	stops []*opened       // in order of time; empty if cancelled or unreadable
}

// pose is the snapshot at a time, compared with the displayed one.
type pose struct {
	task
	minute *minute
	at     time.Time
	shown  *model.Snapshot
	opened *opened // positioned at the time; nil if cancelled or unreadable
}

const (
	// stopEvery is the distance between two stops: the smallest step of viewers.
	stopEvery = 10 * time.Second
	// mostStops limits the stops of a chunk, because each one takes memory for its
	// changes.
	mostStops = 12
	// drawing is the delay before prefetching, in which the board can draw.
	drawing = 20 * time.Millisecond
	// mostMinutes is the number of chunks that are kept: the current one and one on
	// either side.
	mostMinutes = 3
)

// usual lists the common steps, which are likely to be repeated.
var usual = []time.Duration{stopEvery, time.Minute, 5 * time.Minute}

func newAhead(p *Player) *ahead {
	a := &ahead{player: p}
	a.further.L = &a.mu
	return a
}

// want starts prefetching for a player that has moved to a time by a step. After any
// other jump it expects a small step back, since moving forward is cheap. posing is
// false during playback, because the next time is not known exactly.
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
	if posing && step != a.step { // after a change of direction expect another one
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

// begin replaces the jobs of a queue. The running job continues if it is the first of
// the new ones.
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

// wanted collects the jobs of a call of want.
type wanted struct {
	a        *ahead
	grid     grid
	minutes  []*minute
	poses    []*pose
	chunks   []job // the running one first
	pictures []job
}

// pose requests the snapshot at a time in chunk i.
func (w *wanted) pose(i int, at time.Time) {
	if m := w.minute(i); m != nil {
		s := &pose{minute: m, at: at, shown: w.a.player.shown}
		w.poses, w.pictures = append(w.poses, s), append(w.pictures, s)
	}
}

// minute requests chunk i; it returns nil if there is none.
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

// work runs the jobs of a queue until none is left.
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

// do reads the chunk.
func (m *minute) do(a *ahead) {
	var o opened
	if m.cancel.Load() || o.unpack(m.i, m.chunk, &a.unpacker, a.player.store) != nil {
		return
	}
	var due time.Time // for the next stop after the first frame
	for o.next < len(o.frames) {
		at := o.deframer.next(o.frames[o.next])
		stop := o.next > 0 && due.Before(at)
		if stop {
			due = m.grid.next(at)
		}
		a.note(m, &o, stop)
		if m.cancel.Load() || o.read() != nil {
			m.cancel.Store(true) // the player will report the damage
			break
		}
	}
	a.note(m, &o, o.next > 0)
}

// note publishes the progress of a chunk, with a stop at the last frame if stop is set.
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
	for a.posing && !m.cancel.Load() { // leave the CPU to drawing and building snapshots
		a.further.Wait()
	}
}

// goTo returns the last stop at or before a time, or nil.
func (m *minute) goTo(at time.Time) *opened {
	for _, s := range slices.Backward(m.stops) {
		if !s.deframer.at.After(at) {
			return s.fork()
		}
	}
	return nil
}

// do builds the snapshot and its differences from the displayed one.
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

// comes reports whether a chunk is being read or queued.
func (a *ahead) comes(m *minute) bool {
	return a.chunks.doing == job(m) || slices.Contains(a.chunks.todo, job(m))
}

// busy reports whether jobs are running.
func (a *ahead) busy() bool {
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.chunks.working || a.pictures.working
}

// take returns a prefetched position at or before a time in chunk i, or nil. If wait is
// set, it waits for a job that is reading there.
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
	if wait { // running jobs read somewhere else
		a.begin(&a.chunks, nil)
		a.begin(&a.pictures, nil)
	}
	return nil
}

// close cancels all jobs and waits for them.
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
