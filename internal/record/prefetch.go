package record

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"wallboard/model"
)

// prefetcher prefetches for a player that moves in steps: the chunks that the next step
// forward and back lead to, and the snapshots at these times. A nil *prefetcher does
// nothing. Its methods must be called by the player's goroutine. While there are jobs,
// two more goroutines run: one reads chunks, one builds snapshots.
type prefetcher struct {
	player       *Player
	chunkJobs    []*chunkJob // most recently wanted first
	snapshotJobs []*snapshotJob
	step         time.Duration // the last step

	mu       sync.Mutex
	progress sync.Cond // signals any progress
	building bool      // a snapshot is being built; reading chunks waits
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
	do(a *prefetcher)
	state() *task
}

// task is the state of a job.
type task struct {
	cancel atomic.Bool
	over   atomic.Bool
}

func (t *task) state() *task { return t }

// chunkJob is a chunk with intermediate stops that have been read. Its fields are guarded
// by prefetcher.mu until it is over.
type chunkJob struct {
	task
	i     int // index in the recording
	chunk fileChunk
	grid  grid            // positions of the stops
	shown *model.Snapshot // the displayed snapshot, whose unchanged records are reused
	read  time.Time       // time read so far
	stops []*chunkReader  // in order of time; empty if cancelled or unreadable
}

// snapshotJob is the snapshot at a time, compared with the displayed one.
type snapshotJob struct {
	task
	minute *chunkJob
	at     time.Time
	shown  *model.Snapshot
	opened *chunkReader // positioned at the time; nil if cancelled or unreadable
}

const (
	// stopEvery is the distance between two stops: the smallest step of viewers.
	stopEvery = 10 * time.Second
	// maxStops limits the stops of a chunk, because each one takes memory for its
	// changes.
	maxStops = 12
	// drawDelay is the delay before prefetching, in which the board can draw.
	drawDelay = 20 * time.Millisecond
	// maxChunks is the number of chunks that are kept: the current one and one on
	// either side.
	maxChunks = 3
)

// commonSteps lists the common steps, which are likely to be repeated.
var commonSteps = []time.Duration{stopEvery, time.Minute, 5 * time.Minute}

func newPrefetcher(p *Player) *prefetcher {
	a := &prefetcher{player: p}
	a.progress.L = &a.mu
	return a
}

// want starts prefetching for a player that has moved to a time by a step. After any
// other jump it expects a small step back, since moving forward is cheap. posing is
// false during playback, because the next time is not known exactly.
func (a *prefetcher) want(at time.Time, step time.Duration, posing bool) {
	if a == nil {
		return
	}
	p := a.player
	if p.cur == nil || p.shown == nil {
		return
	}
	if posing && !slices.Contains(commonSteps, step.Abs().Round(time.Second)) {
		step = -commonSteps[0]
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	w := wanted{a: a, grid: grid{at, max(step.Abs(), stopEvery)}}
	next := p.rec.find(at.Add(step))
	if posing {
		w.addSnapshot(next, at.Add(step))
	}
	switch here := next == p.cur.i; {
	case here && step > 0:
		w.addChunk(next + 1) // it begins soon
	case here:
		w.addChunk(next - 1)
	default:
		w.addChunk(next)
	}
	if posing && step != a.step { // after a change of direction expect another one
		w.addSnapshot(p.rec.find(at.Add(-step)), at.Add(-step))
	}
	a.step = step
	for _, m := range a.chunkJobs {
		if len(w.chunkJobs) < maxChunks && m.over.Load() && len(m.stops) > 0 && !slices.Contains(w.chunkJobs, m) {
			w.chunkJobs = append(w.chunkJobs, m)
		}
	}
	a.chunkJobs, a.snapshotJobs = w.chunkJobs, w.snapshotJobs
	a.begin(&a.chunks, w.chunkQueue)
	a.begin(&a.pictures, w.snapshotQueue)
}

// begin replaces the jobs of a queue. The running job continues if it is the first of
// the new ones.
func (a *prefetcher) begin(q *queue, jobs []job) {
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
		time.AfterFunc(drawDelay, func() { a.work(q) })
	}
	a.progress.Broadcast()
}

// wanted collects the jobs of a call of want.
type wanted struct {
	a             *prefetcher
	grid          grid
	chunkJobs     []*chunkJob
	snapshotJobs  []*snapshotJob
	chunkQueue    []job // the running one first
	snapshotQueue []job
}

// addSnapshot requests the snapshot at a time in chunk i.
func (w *wanted) addSnapshot(i int, at time.Time) {
	if m := w.addChunk(i); m != nil {
		s := &snapshotJob{minute: m, at: at, shown: w.a.player.shown}
		w.snapshotJobs, w.snapshotQueue = append(w.snapshotJobs, s), append(w.snapshotQueue, s)
	}
}

// addChunk requests chunk i; it returns nil if there is none.
func (w *wanted) addChunk(i int) *chunkJob {
	if i < 0 || i >= len(w.a.player.rec.chunks) {
		return nil
	}
	c := w.a.player.rec.chunks[i]
	same := func(m *chunkJob) bool { return m.chunk == c && (!m.over.Load() || len(m.stops) > 0) }
	if at := slices.IndexFunc(w.chunkJobs, same); at >= 0 {
		return w.chunkJobs[at]
	}
	var m *chunkJob
	if at := slices.IndexFunc(w.a.chunkJobs, same); at >= 0 {
		m = w.a.chunkJobs[at]
	}
	switch {
	case m != nil && m.over.Load():
	case m != nil && w.a.chunks.doing == job(m) && !m.cancel.Load():
		w.chunkQueue = slices.Insert(w.chunkQueue, 0, job(m))
	default:
		m = &chunkJob{i: i, chunk: c, grid: w.grid, shown: w.a.player.shown}
		w.chunkQueue = append(w.chunkQueue, m)
	}
	w.chunkJobs = append(w.chunkJobs, m)
	return m
}

// work runs the jobs of a queue until none is left.
func (a *prefetcher) work(q *queue) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(q.todo) > 0 {
		q.doing, q.todo = q.todo[0], q.todo[1:]
		a.progress.Broadcast()
		a.mu.Unlock()
		q.doing.do(a)
		a.mu.Lock()
		q.doing.state().over.Store(true)
		q.doing = nil
		a.progress.Broadcast()
	}
	q.working = false
	a.progress.Broadcast()
}

// do reads the chunk.
func (m *chunkJob) do(a *prefetcher) {
	var o chunkReader
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
func (a *prefetcher) note(m *chunkJob, o *chunkReader, stop bool) {
	if stop {
		o.deframer.match(m.shown)
		o.deframer.share()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case m.cancel.Load():
		m.stops = nil
	case stop && len(m.stops) < maxStops:
		m.stops = append(m.stops, o.fork())
	}
	m.read = o.deframer.at
	a.progress.Broadcast()
	for a.building && !m.cancel.Load() { // leave the CPU to drawing and building snapshots
		a.progress.Wait()
	}
}

// goTo returns the last stop at or before a time, or nil.
func (m *chunkJob) goTo(at time.Time) *chunkReader {
	for _, s := range slices.Backward(m.stops) {
		if !s.deframer.at.After(at) {
			return s.fork()
		}
	}
	return nil
}

// do builds the snapshot and its differences from the displayed one.
func (s *snapshotJob) do(a *prefetcher) {
	a.mu.Lock()
	for !s.cancel.Load() && !s.minute.over.Load() && !s.minute.read.After(s.at) && a.pending(s.minute) {
		a.progress.Wait()
	}
	o := s.minute.goTo(s.at)
	a.building = o != nil
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
	a.building = false
}

// pending reports whether a chunk is being read or queued.
func (a *prefetcher) pending(m *chunkJob) bool {
	return a.chunks.doing == job(m) || slices.Contains(a.chunks.todo, job(m))
}

// busy reports whether jobs are running.
func (a *prefetcher) busy() bool {
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.chunks.working || a.pictures.working
}

// take returns a prefetched position at or before a time in chunk i, or nil. If wait is
// set, it waits for a job that is reading there.
func (a *prefetcher) take(i int, at time.Time, wait bool) *chunkReader {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.snapshotJobs {
		if !s.at.Equal(at) || s.shown != a.player.shown {
			continue
		}
		for a.pictures.doing == job(s) {
			a.progress.Wait()
		}
		if s.over.Load() && s.opened != nil {
			return s.opened
		}
	}
	for _, m := range a.chunkJobs {
		if m.i != i || !wait && !m.over.Load() {
			continue
		}
		for a.chunks.doing == job(m) && !m.read.After(at) {
			a.progress.Wait()
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
func (a *prefetcher) close() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begin(&a.chunks, nil)
	a.begin(&a.pictures, nil)
	for a.chunks.working || a.pictures.working {
		a.progress.Broadcast()
		a.progress.Wait()
	}
	a.chunkJobs, a.snapshotJobs = nil, nil
	a.unpacker.close()
}
