package record

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"wallboard/model"
)

// frameCheckInterval is the interval at which a replay checks whether the next snapshot is due.
const frameCheckInterval = 100 * time.Millisecond

// Replay plays a recording from any time and at any speed. It replaces the feed and the clock of a
// board. It is safe for concurrent use. While it exists, other code must not use its recording.
type Replay struct {
	includesNewData bool // include data that is recorded while the replay runs
	info            atomic.Pointer[Info]
	now             func() time.Time
	shown           model.SnapshotHolder
	limiter         *CPULimiter // limiter that other replays share; nil: none

	mu                sync.Mutex
	recording         *Recording // replaced when the recording has grown
	player            *Player
	requestedTime     time.Time // the time that the viewer requested last, whether it was recorded or not
	startPosition     time.Time // recorded time at which the current playback started
	playbackStartedAt time.Time // local time at which the current playback started
	speed             float64   // playback speed; 0: paused
	shownGap          Gap       // the gap described by gapSnapshot
	gapSnapshot       *model.Snapshot
	sourceSnapshot    *model.Snapshot // the player's snapshot that the displayed one was made from
	seq               uint64
}

// Replay returns a replay of the recording from the time from at the speed pace. now is the
// clock; a nil now means [time.Now].
func (r *Recording) Replay(from time.Time, pace float64, now func() time.Time) *Replay {
	if now == nil {
		now = time.Now
	}
	f := &Replay{recording: r, player: r.Player(), speed: pace, now: now, playbackStartedAt: now(), requestedTime: from}
	f.publishInfo()
	f.player.prefetcher = newPrefetcher(f.player)
	f.startPosition = f.clampToRecording(from)
	return f
}

// Info describes the recording as of the last check for damage and new data.
func (f *Replay) Info() Info { return *f.info.Load() }

// publishInfo updates the result of [Replay.Info]. The caller must hold mu once the replay is
// in use.
func (f *Replay) publishInfo() {
	in := f.recording.Info()
	f.info.Store(&in)
}

// Span returns the first and last recorded time, on the server's clock.
func (f *Replay) Span() (from, to time.Time) {
	in := f.info.Load()
	return in.First, in.Last
}

// IsEmptyAt reports whether nothing was recorded at a time.
func (f *Replay) IsEmptyAt(at time.Time) bool {
	in := f.info.Load()
	for _, g := range in.Interruption {
		if at.After(g.From) && at.Before(g.To) {
			return true
		}
	}
	return at.Before(in.First) || at.After(in.Last)
}

// Marks returns the marks of the recording, ordered by time. Callers must not change the slice.
func (f *Replay) Marks() []Mark { return slices.Clip(f.info.Load().Marks) }

// At returns the playback time on the server's clock, at most the end of the recording.
func (f *Replay) At() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.playbackTime()
}

func (f *Replay) playbackTime() time.Time {
	return f.clampToRecording(f.startPosition.Add(time.Duration(float64(f.now().Sub(f.playbackStartedAt)) * f.speed)))
}

func (f *Replay) clampToRecording(at time.Time) time.Time {
	switch in := f.info.Load(); {
	case at.Before(in.First):
		return in.First
	case at.After(in.Last):
		return in.Last
	}
	return at
}

// BoardTime returns the playback time on the clock of the board that made the recording.
func (f *Replay) BoardTime() time.Time {
	at := f.At()
	if s := f.Latest(); s != nil {
		at = at.Add(-s.Health.ClockOffset)
	}
	return at
}

// SeekTo jumps to a time on the server's clock, or to the start or end of the recording if the
// time is outside it. When SeekTo returns, [Replay.Latest] is the snapshot of that time.
func (f *Replay) SeekTo(at time.Time) error {
	defer f.limiter.takeTurn()()
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.playbackTime()
	f.requestedTime, f.startPosition, f.playbackStartedAt = at, f.clampToRecording(at), f.now()
	if err := f.showAt(f.startPosition); err != nil {
		return err
	}
	f.player.prefetcher.request(f.startPosition, f.startPosition.Sub(before), true)
	return nil
}

// SetSpeed sets the playback speed: 1 is real time, and 0 pauses.
func (f *Replay) SetSpeed(times float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.startPosition, f.playbackStartedAt, f.speed = f.playbackTime(), f.now(), times
}

// Latest returns the displayed snapshot, or nil before the first one.
func (f *Replay) Latest() *model.Snapshot { return f.shown.Latest() }

// Wait waits for a snapshot with a Seq greater than after and returns it. If ctx ends first, it
// returns the error of ctx.
func (f *Replay) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	return f.shown.Wait(ctx, after)
}

// Play plays the recording until ctx ends, and then returns nil. It returns an error if the
// recording cannot be read. Meanwhile it searches the recording for damage, unless
// [Replay.ShareCPU] was called.
func (f *Replay) Play(ctx context.Context) error {
	var background sync.WaitGroup
	defer background.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	interval := sharedFrameCheckInterval
	if f.limiter == nil {
		interval = frameCheckInterval
		background.Go(func() { f.findDamage(ctx) })
	}
	if f.includesNewData {
		background.Go(func() { f.followRecording(ctx) })
	}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		if err := f.showDueSnapshot(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// findDamage searches the recording for damage and records it as gaps. It stops at the first
// read error without returning it, because the player reports read errors.
func (f *Replay) findDamage(ctx context.Context) {
	f.mu.Lock()
	chunks := slices.Clone(f.recording.chunks)
	f.mu.Unlock()
	var u unpacker
	defer u.close()
	for _, c := range chunks {
		frames, err := c.findDamage(ctx, &u)
		if err != nil {
			return
		}
		if frames != nil {
			f.markDamaged(c, frames)
		}
	}
}

// markDamaged records that only the given frames of a chunk are readable.
func (f *Replay) markDamaged(c fileChunk, frames [][]byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := f.recording.indexOf(c); i >= 0 {
		f.recording.markDamaged(i, frames)
		f.publishInfo()
	}
}

// showDueSnapshot displays the snapshot for the current playback time.
func (f *Replay) showDueSnapshot() error {
	defer f.limiter.takeTurn()()
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.playbackTime()
	if err := f.showAt(at); err != nil {
		return err
	}
	if p := f.player; f.speed > 0 && !p.prefetcher.isBusy() {
		p.prefetcher.request(at, time.Duration(f.speed*float64(frameCheckInterval)), false)
	}
	return nil
}

// SampledSnapshots returns the snapshots between two times at intervals of step, ordered by time. If step is
// at least a minute, it returns the snapshots at the starts of chunks instead, because they are the
// cheapest to read; if two files cover the same time, it includes the chunks of both.
//
// SampledSnapshots skips gaps and damaged parts. The sequence ends with the first error. If only is not
// empty, the snapshots contain only these tables, which is cheaper.
func (f *Replay) SampledSnapshots(from, to time.Time, step time.Duration, only ...model.Op) iter.Seq2[*model.Snapshot, error] {
	f.mu.Lock()
	p := f.recording.Player()
	f.mu.Unlock()
	p.onlyTables = only
	if step >= time.Minute {
		return f.chunkStartSnapshots(p, from, to)
	}
	return func(yield func(*model.Snapshot, error) bool) {
		for at := f.clampToRecording(from); !at.After(to); at = at.Add(step) {
			if g, gap := f.gapAt(p, at); gap {
				if g.To.IsZero() {
					return
				}
				for !at.Add(step).After(g.To) { // skip the gap, which may last for days
					at = at.Add(step)
				}
				continue
			}
			if !f.yieldSnapshot(p, at, yield) {
				return
			}
		}
	}
}

// yieldSnapshot passes the snapshot at a time to yield. It takes a turn of the CPU limiter. It
// returns false if the sequence must end.
func (f *Replay) yieldSnapshot(p *Player, at time.Time, yield func(*model.Snapshot, error) bool) bool {
	defer f.limiter.takeTurn()()
	s, err := f.withLock(func() (*model.Snapshot, error) { return p.Seek(at) })
	if err != nil {
		yield(nil, err)
		return false
	}
	return s == nil || yield(s, nil)
}

// firstFrame is the first frame of a chunk.
type firstFrame struct {
	index int
	chunk fileChunk
	frame []byte // nil if the frame is unreadable
	err   error  // a read error
}

// chunkStartSnapshots returns the snapshots at the starts of the chunks between two times. A
// goroutine unpacks the next frame while the current one is decoded.
func (f *Replay) chunkStartSnapshots(p *Player, from, to time.Time) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		frames, stop := make(chan firstFrame, 1), make(chan struct{})
		go f.unpackFirstFrames(p.recording, from, to, frames, stop)
		defer func() {
			close(stop)
			for range frames { // drain the channel, so that the goroutine can end
			}
		}()
		for one := range frames {
			if one.err != nil {
				yield(nil, one.err)
				return
			}
			if !f.yieldFirstFrame(p, one, yield) {
				return
			}
		}
	}
}

// yieldFirstFrame passes the snapshot of the first frame of a chunk to yield. It takes a turn of
// the CPU limiter. It returns false if the sequence must end.
func (f *Replay) yieldFirstFrame(p *Player, one firstFrame, yield func(*model.Snapshot, error) bool) bool {
	defer f.limiter.takeTurn()()
	s := p.firstSnapshot(one.index, one.chunk, one.frame)
	if s == nil {
		f.markDamaged(one.chunk, nil)
		return true
	}
	return yield(s, nil)
}

// unpackFirstFrames sends the first frames of the chunks that begin between two times to
// frames, and then closes frames. It ends early when stop is closed.
func (f *Replay) unpackFirstFrames(rec *Recording, from, to time.Time, frames chan<- firstFrame, stop <-chan struct{}) {
	defer close(frames)
	f.mu.Lock()
	chunks := slices.Clone(rec.chunks)
	f.mu.Unlock()
	var u unpacker
	defer u.close()
	for i, c := range chunks {
		if c.First.Before(from) || c.First.After(to) || c.isUnreadable() {
			continue
		}
		done := f.limiter.takeTurn()
		frame, err := c.file.unpackFirst(c.chunkEntry, &u)
		if done(); errors.Is(err, ErrDamaged) {
			frame, err = nil, nil
		}
		select {
		case frames <- firstFrame{i, c, frame, err}:
		case <-stop:
			return
		}
	}
}

// gapAt returns the gap that contains a time. The bool result is false if the time is not in a gap.
func (f *Replay) gapAt(p *Player, at time.Time) (Gap, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return p.GapAt(at)
}

// withLock calls read while it holds the lock for reading the files, and returns the results.
func (f *Replay) withLock(read func() (*model.Snapshot, error)) (*model.Snapshot, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return read()
}

// Close stops prefetching and closes the files of the recording.
func (f *Replay) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.player.prefetcher.close()
	return f.recording.Close()
}

// showAt displays the snapshot at a time. In a gap it displays an empty snapshot that describes
// the gap.
func (f *Replay) showAt(at time.Time) error {
	damageBefore := f.recording.damageCount
	s, err := f.player.Seek(at)
	if err != nil {
		return err
	}
	if damageBefore != f.recording.damageCount {
		f.publishInfo()
	}
	if g, ok := f.player.GapAt(at); ok && at.Before(f.info.Load().Last) {
		if f.shownGap != g {
			f.shownGap, f.gapSnapshot = g, newGapSnapshot(g, s, f.info.Load().Location())
		}
		s = f.gapSnapshot
	}
	if s == nil || s == f.sourceSnapshot {
		return nil
	}
	f.sourceSnapshot = s
	own := *s // copy it, because it needs another Seq, which must also increase in gaps
	f.seq++
	own.Seq = f.seq
	f.shown.Put(&own)
	return nil
}

// newGapSnapshot returns an empty snapshot with a notice about the gap g. before is the
// snapshot before the gap, which provides the clock offset; it may be nil.
func newGapSnapshot(g Gap, before *model.Snapshot, zone *time.Location) *model.Snapshot {
	why := "nothing was recorded"
	if g.Damaged {
		why = "the recording is damaged here, and shows nothing"
	}
	if !g.To.IsZero() {
		why += " until " + g.To.In(zone).Format(time.TimeOnly)
	}
	health := model.Health{Notice: why, Link: model.Link{State: model.LinkUnrecorded, Since: g.From, Reason: why}}
	if before != nil {
		health.ClockOffset = before.Health.ClockOffset
	}
	return model.NewStore().Publish(g.From, health)
}
