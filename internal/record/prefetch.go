package record

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"wallboard/model"
)

// prefetcher reads ahead for a player that moves in steps. It reads the chunks to which the
// next step forward or back leads, and builds the snapshots at these positions. While it has
// jobs, it runs two goroutines: one reads chunks, and one builds snapshots.
//
// The player's goroutine must call its methods. request, isBusy and close do nothing for a nil
// prefetcher.
type prefetcher struct {
	player       *Player
	chunkJobs    []*chunkJob // most recently requested first
	snapshotJobs []*snapshotJob
	lastStep     time.Duration

	mu            sync.Mutex
	progress      sync.Cond // signals any progress of a job
	isBuilding    bool      // a snapshot is being built, so the goroutine that reads chunks waits
	chunkQueue    jobQueue
	snapshotQueue jobQueue
	unpacker      unpacker
}

// jobQueue holds jobs that a goroutine runs one after the other.
type jobQueue struct {
	waiting   []job
	current   job  // the running job; nil: none
	isWorking bool // the goroutine of the queue is running
}

// job is a task that a goroutine of the prefetcher runs.
type job interface {
	run(a *prefetcher)
	state() *jobState
}

// jobState records whether a job was canceled and whether it has ended.
type jobState struct {
	isCancelled atomic.Bool
	isDone      atomic.Bool
}

func (t *jobState) state() *jobState { return t }

// chunkJob reads a chunk and keeps copies of the reader at several times, called checkpoints.
// prefetcher.mu guards its fields until the job has ended.
type chunkJob struct {
	jobState
	index                int // index of the chunk in the recording
	chunk                fileChunk
	grid                 timeGrid        // checkpoints are useful at these times
	shownSnapshot        *model.Snapshot // the displayed snapshot, whose unchanged records the checkpoints share
	readUntil            time.Time       // time up to which the chunk has been read
	checkpoints          []*chunkReader  // in order of time; empty if the job was canceled or the chunk is unreadable
	bytesSinceCheckpoint int             // bytes of the records created since the last checkpoint
	checkpointBytes      int             // size in bytes of the records that are in memory only because of the checkpoints
}

// snapshotJob builds the snapshot at a time and compares it with the displayed snapshot.
type snapshotJob struct {
	jobState
	chunkJob      *chunkJob
	at            time.Time
	shownSnapshot *model.Snapshot
	reader        *chunkReader // reader at the time; nil if the job was canceled or the chunk is unreadable
}

const (
	// checkpointInterval is the minimum time between two checkpoints. It equals the smallest step that a
	// viewer can make.
	checkpointInterval = 10 * time.Second
	// maxCheckpoints limits the number of checkpoints of a chunk, because each keeps its own changed
	// records in memory.
	maxCheckpoints = 12
	// prefetchDelay is the time before prefetching starts, in which the board can be drawn.
	prefetchDelay = 20 * time.Millisecond
	// maxChunks is the number of chunks to keep: the current chunk and one on either side.
	maxChunks = 3
)

// commonSteps lists the steps that viewers are likely to repeat.
var commonSteps = []time.Duration{checkpointInterval, time.Minute, 5 * time.Minute}

func newPrefetcher(p *Player) *prefetcher {
	a := &prefetcher{player: p}
	a.progress.L = &a.mu
	return a
}

// request starts prefetching for a player that has moved by step to the time at. If step is
// one of commonSteps, request expects the same step next. Otherwise it expects a small step
// back, because a small step forward is cheap anyway. stepping is false during playback, when
// the next time is not known exactly.
func (a *prefetcher) request(at time.Time, step time.Duration, stepping bool) {
	if a == nil {
		return
	}
	p := a.player
	if p.current == nil || p.shownSnapshot == nil {
		return
	}
	if stepping && !slices.Contains(commonSteps, step.Abs().Round(time.Second)) {
		step = -commonSteps[0]
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	w := wantedJobs{prefetcher: a, grid: timeGrid{at, max(step.Abs(), checkpointInterval)}}
	next := p.recording.lastReadableChunk(at.Add(step))
	if stepping {
		w.addSnapshot(next, at.Add(step))
	}
	switch isCurrent := next == p.current.index; {
	case isCurrent && step > 0:
		w.addChunk(next + 1) // later steps will soon reach that chunk
	case isCurrent:
		w.addChunk(next - 1)
	default:
		w.addChunk(next)
	}
	if stepping && step != a.lastStep { // the step has changed, so the opposite step is also likely
		w.addSnapshot(p.recording.lastReadableChunk(at.Add(-step)), at.Add(-step))
	}
	a.lastStep = step
	for _, m := range a.chunkJobs {
		if len(w.chunkJobs) < maxChunks && m.isDone.Load() && len(m.checkpoints) > 0 && !slices.Contains(w.chunkJobs, m) {
			w.chunkJobs = append(w.chunkJobs, m)
		}
	}
	a.chunkJobs, a.snapshotJobs = w.chunkJobs, w.snapshotJobs
	a.replaceJobs(&a.chunkQueue, w.chunkQueue)
	a.replaceJobs(&a.snapshotQueue, w.snapshotQueue)
}

// replaceJobs replaces the jobs of a queue. If the running job is the first of the new jobs,
// it continues. Otherwise it is canceled.
func (a *prefetcher) replaceJobs(q *jobQueue, jobs []job) {
	q.waiting = jobs
	if q.current != nil {
		if len(jobs) > 0 && jobs[0] == q.current {
			q.waiting = jobs[1:]
		} else {
			q.current.state().isCancelled.Store(true)
		}
	}
	if !q.isWorking && len(q.waiting) > 0 {
		q.isWorking = true
		time.AfterFunc(prefetchDelay, func() { a.runJobs(q) })
	}
	a.progress.Broadcast()
}

// wantedJobs collects the jobs that [prefetcher.request] needs.
type wantedJobs struct {
	prefetcher    *prefetcher
	grid          timeGrid
	chunkJobs     []*chunkJob
	snapshotJobs  []*snapshotJob
	chunkQueue    []job // a job that is already running comes first
	snapshotQueue []job
}

// addSnapshot adds a job for the snapshot at a time in chunk i, and a job that reads the chunk.
func (w *wantedJobs) addSnapshot(i int, at time.Time) {
	if m := w.addChunk(i); m != nil {
		s := &snapshotJob{chunkJob: m, at: at, shownSnapshot: w.prefetcher.player.shownSnapshot}
		w.snapshotJobs, w.snapshotQueue = append(w.snapshotJobs, s), append(w.snapshotQueue, s)
	}
}

// addChunk returns the job for chunk i and adds it if needed. It returns nil if there is no
// chunk i.
func (w *wantedJobs) addChunk(i int) *chunkJob {
	if i < 0 || i >= len(w.prefetcher.player.recording.chunks) {
		return nil
	}
	c := w.prefetcher.player.recording.chunks[i]
	same := func(m *chunkJob) bool { return m.chunk == c && (!m.isDone.Load() || len(m.checkpoints) > 0) }
	if at := slices.IndexFunc(w.chunkJobs, same); at >= 0 {
		return w.chunkJobs[at]
	}
	var m *chunkJob
	if at := slices.IndexFunc(w.prefetcher.chunkJobs, same); at >= 0 {
		m = w.prefetcher.chunkJobs[at]
	}
	switch {
	case m != nil && m.isDone.Load():
	case m != nil && w.prefetcher.chunkQueue.current == job(m) && !m.isCancelled.Load():
		w.chunkQueue = slices.Insert(w.chunkQueue, 0, job(m))
	default:
		m = &chunkJob{index: i, chunk: c, grid: w.grid, shownSnapshot: w.prefetcher.player.shownSnapshot}
		w.chunkQueue = append(w.chunkQueue, m)
	}
	w.chunkJobs = append(w.chunkJobs, m)
	return m
}

// runJobs runs the jobs of a queue until the queue is empty.
func (a *prefetcher) runJobs(q *jobQueue) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(q.waiting) > 0 {
		q.current, q.waiting = q.waiting[0], q.waiting[1:]
		a.progress.Broadcast()
		a.mu.Unlock()
		q.current.run(a)
		a.mu.Lock()
		q.current.state().isDone.Store(true)
		q.current = nil
		a.progress.Broadcast()
	}
	q.isWorking = false
	a.progress.Broadcast()
}

// run reads the chunk and stores the checkpoints.
func (m *chunkJob) run(a *prefetcher) {
	var o chunkReader
	if m.isCancelled.Load() || o.unpack(m.index, m.chunk, &a.unpacker, a.player.store) != nil {
		return
	}
	var due time.Time // the first frame after this time becomes a checkpoint
	for o.nextFrame < len(o.frames) {
		at := o.frameDecoder.frameTime(o.frames[o.nextFrame])
		stop := o.nextFrame > 0 && due.Before(at)
		if stop {
			due = m.grid.roundUp(at)
		}
		a.addProgress(m, &o, stop)
		if m.isCancelled.Load() || o.read() != nil {
			m.isCancelled.Store(true) // the player finds and reports the damage itself
			break
		}
		m.bytesSinceCheckpoint += o.frameDecoder.frameBytes
	}
	a.addProgress(m, &o, o.nextFrame > 0)
}

// addProgress publishes the position of o in the chunk. If stop is true and the limits on
// checkpoints allow it, addProgress also adds one at the last frame.
func (a *prefetcher) addProgress(m *chunkJob, o *chunkReader, stop bool) {
	kept := m.checkpointBytes + min(m.bytesSinceCheckpoint, o.frameDecoder.heldBytes)
	if stop = stop && len(m.checkpoints) < maxCheckpoints && (len(m.checkpoints) == 0 || kept <= maxHeldBytes); stop {
		o.frameDecoder.reuseRecords(m.shownSnapshot)
		o.frameDecoder.makeReadOnly()
		m.checkpointBytes, m.bytesSinceCheckpoint = kept, 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case m.isCancelled.Load():
		m.checkpoints = nil
	case stop:
		m.checkpoints = append(m.checkpoints, o.fork())
	}
	m.readUntil = o.frameDecoder.lastFrameTime
	a.progress.Broadcast()
	for a.isBuilding && !m.isCancelled.Load() { // leave the CPU to the goroutine that builds snapshots
		a.progress.Wait()
	}
}

// checkpointBefore returns a copy of the last checkpoint at or before a time, or nil if there is none.
func (m *chunkJob) checkpointBefore(at time.Time) *chunkReader {
	for _, s := range slices.Backward(m.checkpoints) {
		if !s.frameDecoder.lastFrameTime.After(at) {
			return s.fork()
		}
	}
	return nil
}

// run builds the snapshot and finds its differences from the displayed snapshot.
func (s *snapshotJob) run(a *prefetcher) {
	a.mu.Lock()
	for !s.isCancelled.Load() && !s.chunkJob.isDone.Load() && !s.chunkJob.readUntil.After(s.at) && a.isPending(s.chunkJob) {
		a.progress.Wait()
	}
	o := s.chunkJob.checkpointBefore(s.at)
	a.isBuilding = o != nil
	a.mu.Unlock()
	if o == nil {
		return
	}
	for !s.isCancelled.Load() && o.mustDecode(s.at) {
		if o.read() != nil {
			s.isCancelled.Store(true)
		}
	}
	if !s.isCancelled.Load() {
		o.frameDecoder.reuseRecords(s.shownSnapshot)
		s.reader = o
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.isBuilding = false
}

// isPending reports whether m is running or queued.
func (a *prefetcher) isPending(m *chunkJob) bool {
	return a.chunkQueue.current == job(m) || slices.Contains(a.chunkQueue.waiting, job(m))
}

// isBusy reports whether a goroutine of the prefetcher is running.
func (a *prefetcher) isBusy() bool {
	if a == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.chunkQueue.isWorking || a.snapshotQueue.isWorking
}

// takeReader returns a prefetched position in chunk i at or before a time, or nil if there is
// none. If wait is true, it waits for a running job that will reach the time.
func (a *prefetcher) takeReader(i int, at time.Time, wait bool) *chunkReader {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.snapshotJobs {
		if !s.at.Equal(at) || s.shownSnapshot != a.player.shownSnapshot {
			continue
		}
		for a.snapshotQueue.current == job(s) {
			a.progress.Wait()
		}
		if s.isDone.Load() && s.reader != nil {
			return s.reader
		}
	}
	for _, m := range a.chunkJobs {
		if m.index != i || !wait && !m.isDone.Load() {
			continue
		}
		for a.chunkQueue.current == job(m) && !m.readUntil.After(at) {
			a.progress.Wait()
		}
		return m.checkpointBefore(at)
	}
	if wait { // no job leads to this position, so all jobs are useless
		a.replaceJobs(&a.chunkQueue, nil)
		a.replaceJobs(&a.snapshotQueue, nil)
	}
	return nil
}

// close cancels all jobs and waits until they have ended.
func (a *prefetcher) close() {
	if a == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.replaceJobs(&a.chunkQueue, nil)
	a.replaceJobs(&a.snapshotQueue, nil)
	for a.chunkQueue.isWorking || a.snapshotQueue.isWorking {
		a.progress.Broadcast()
		a.progress.Wait()
	}
	a.chunkJobs, a.snapshotJobs = nil, nil
	a.unpacker.close()
}
