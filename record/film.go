package record

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"wallboard/internal/newest"
	"wallboard/model"
)

// frameEvery is how often a film looks whether the next picture is due.
const frameEvery = 100 * time.Millisecond

// Film shows a recording as if it happened now, from any instant and at any pace. A
// board takes its pictures from it as from a feed, and its clock as well. It is safe
// for concurrent use, and has the recording to itself.
type Film struct {
	follows bool // what is recorded meanwhile is shown, too
	info    atomic.Pointer[Info]
	now     func() time.Time
	shown   newest.Picture
	turns   *Turns // of those who are shown beside; nil: there are none

	mu     sync.Mutex
	rec    *Recording // another one whenever more of it was found
	player *Player
	asked  time.Time // where somebody wanted to go last, whether there was something or not
	begin  time.Time // the instant of the recording that was gone to last
	start  time.Time // when, on our own clock
	pace   float64   // so many times as fast as it happened; 0: it stands still
	gap    Gap       // that blank is for
	blank  *model.Snapshot
	from   *model.Snapshot // of the player, that the one shown was made of
	seq    uint64
}

// Film returns a recording that is shown from an instant on, so many times as fast
// as it happened. now is the clock; nil is [time.Now].
func (r *Recording) Film(from time.Time, pace float64, now func() time.Time) *Film {
	if now == nil {
		now = time.Now
	}
	f := &Film{rec: r, player: r.Player(), pace: pace, now: now, start: now(), asked: from}
	f.note()
	f.player.ahead = newAhead(f.player)
	f.begin = f.within(from)
	return f
}

// Past implements ui.Past.
func (f *Film) Past() bool { return true }

// Info tells what the recording held when it was opened, without what has been found to be
// damaged.
func (f *Film) Info() Info { return *f.info.Load() }

// note takes over what the recording holds now.
func (f *Film) note() {
	in := f.rec.Info()
	f.info.Store(&in)
}

// Span is from when to when the recording goes, on the server's clock.
func (f *Film) Span() (from, to time.Time) {
	in := f.info.Load()
	return in.First, in.Last
}

// Empty reports whether nothing was recorded at an instant.
func (f *Film) Empty(at time.Time) bool {
	in := f.info.Load()
	for _, g := range in.Interruption {
		if at.After(g.From) && at.Before(g.To) {
			return true
		}
	}
	return at.Before(in.First) || at.After(in.Last)
}

// Marks are what happened, in the order of time.
func (f *Film) Marks() []Mark { return slices.Clone(f.info.Load().Marks) }

// At is the time of the film on the server's clock. It stands still at the end.
func (f *Film) At() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at()
}

func (f *Film) at() time.Time {
	return f.within(f.begin.Add(time.Duration(float64(f.now().Sub(f.start)) * f.pace)))
}

func (f *Film) within(at time.Time) time.Time {
	switch in := f.info.Load(); {
	case at.Before(in.First):
		return in.First
	case at.After(in.Last):
		return in.Last
	}
	return at
}

// Now returns the time of the film on the clock of the board that recorded it.
func (f *Film) Now() time.Time {
	at := f.At()
	if s := f.Latest(); s != nil {
		at = at.Add(-s.Health.ClockOffset)
	}
	return at
}

// Go goes to an instant on the server's clock, or as near to it as the recording has
// one. Its picture is the latest when it returns.
func (f *Film) Go(at time.Time) error {
	defer f.turns.take()()
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.at()
	f.asked, f.begin, f.start = at, f.within(at), f.now()
	if err := f.show(f.begin); err != nil {
		return err
	}
	f.player.ahead.want(f.begin, f.begin.Sub(before), true)
	return nil
}

// Pace sets how many times as fast as it happened the recording is shown; 0 lets it
// stand still.
func (f *Film) Pace(times float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begin, f.start, f.pace = f.at(), f.now(), times
}

// Latest returns the picture of the film's time, nil before the first.
func (f *Film) Latest() *model.Snapshot { return f.shown.Latest() }

// Wait returns the newest picture as soon as there is one with a Seq greater than
// after, or the context's error.
func (f *Film) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	return f.shown.Wait(ctx, after) //nolint:wrapcheck // the documented error
}

// Run shows the film until the context ends, and looks meanwhile for what is damaged.
func (f *Film) Run(ctx context.Context) error {
	var beside sync.WaitGroup
	defer beside.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	every := besideEvery
	if f.turns == nil {
		every = frameEvery
		beside.Go(func() { f.check(ctx) })
	}
	if f.follows {
		beside.Go(func() { f.follow(ctx) })
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if err := f.turn(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// check finds what of the recording is damaged. What the disk does not give is found when
// somebody comes there.
func (f *Film) check(ctx context.Context) {
	f.mu.Lock()
	chunks := slices.Clone(f.rec.chunks)
	f.mu.Unlock()
	var u unpacker
	defer u.close()
	for _, c := range chunks {
		frames, err := c.check(ctx, &u)
		if err != nil {
			return
		}
		if frames != nil {
			f.spoil(c, frames)
		}
	}
}

// spoil notes what is left of a chunk that is damaged: it is a gap, and no error.
func (f *Film) spoil(c chunkOf, frames [][]byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := f.rec.indexOf(c); i >= 0 {
		f.rec.spoil(i, frames)
		f.note()
	}
}

// turn shows the picture that is due.
func (f *Film) turn() error {
	defer f.turns.take()()
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.at()
	if err := f.show(at); err != nil {
		return err
	}
	if p := f.player; f.pace > 0 && !p.ahead.busy() {
		p.ahead.want(at, time.Duration(f.pace*float64(frameEvery)), false)
	}
	return nil
}

// Through returns the pictures from one instant to another, a step apart and in the order
// of time. For steps of a minute and more they are those that were written whole, which are
// as far apart as a writer has them: they cost least. Those of gaps are left out, and so is
// what is torn; a time that two files tell of is in them twice, in pieces of a chunk. An
// error ends them. Only the tables that are named are in them, which costs
// less; of none, all are.
func (f *Film) Through(from, to time.Time, step time.Duration, only ...model.Op) iter.Seq2[*model.Snapshot, error] {
	f.mu.Lock()
	p := f.rec.Player()
	f.mu.Unlock()
	p.only = only
	if step >= time.Minute {
		return f.whole(p, from, to)
	}
	return func(yield func(*model.Snapshot, error) bool) {
		for at := f.within(from); !at.After(to); at = at.Add(step) {
			if g, gap := f.gapAt(p, at); gap {
				if g.To.IsZero() {
					return
				}
				for !at.Add(step).After(g.To) { // days of it, perhaps
					at = at.Add(step)
				}
				continue
			}
			if !f.next(p, at, yield) {
				return
			}
		}
	}
}

// next has somebody look at the picture of an instant. What they do with it is done in the
// same turn. It reports whether they want more.
func (f *Film) next(p *Player, at time.Time, yield func(*model.Snapshot, error) bool) bool {
	defer f.turns.take()()
	s, err := f.look(func() (*model.Snapshot, error) { return p.Seek(at) })
	if err != nil {
		yield(nil, err)
		return false
	}
	return s == nil || yield(s, nil)
}

// first is the first frame of a chunk.
type first struct {
	i     int
	chunk chunkOf
	frame []byte // nil: it cannot be read
	err   error  // that of the disk
}

// whole returns the pictures between two instants that were written whole. While one is
// rebuilt the next is unpacked.
func (f *Film) whole(p *Player, from, to time.Time) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		frames, stop := make(chan first, 1), make(chan struct{})
		go f.firsts(p.rec, from, to, frames, stop)
		defer func() {
			close(stop)
			for range frames { // until nobody reads any more
			}
		}()
		for one := range frames {
			if one.err != nil {
				yield(nil, one.err)
				return
			}
			if !f.rebuilt(p, one, yield) {
				return
			}
		}
	}
}

// rebuilt has somebody look at a picture that was written whole, as next does.
func (f *Film) rebuilt(p *Player, one first, yield func(*model.Snapshot, error) bool) bool {
	defer f.turns.take()()
	s := p.whole(one.i, one.chunk, one.frame)
	if s == nil {
		f.spoil(one.chunk, nil)
		return true
	}
	return yield(s, nil)
}

// firsts unpacks the first frames of the chunks between two instants.
func (f *Film) firsts(rec *Recording, from, to time.Time, frames chan<- first, stop <-chan struct{}) {
	defer close(frames)
	f.mu.Lock()
	chunks := slices.Clone(rec.chunks)
	f.mu.Unlock()
	var u unpacker
	defer u.close()
	for i, c := range chunks {
		if c.First.Before(from) || c.First.After(to) || c.lost() {
			continue
		}
		done := f.turns.take()
		frame, err := c.file.unpackFirst(c.chunkAt, &u)
		if done(); errors.Is(err, ErrDamaged) {
			frame, err = nil, nil
		}
		select {
		case frames <- first{i, c, frame, err}:
		case <-stop:
			return
		}
	}
}

// gapAt is what a player knows of an instant.
func (f *Film) gapAt(p *Player, at time.Time) (Gap, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return p.Gap(at)
}

// look has somebody read the files, which are one for all players.
func (f *Film) look(read func() (*model.Snapshot, error)) (*model.Snapshot, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return read()
}

// Close lets go of the recording.
func (f *Film) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.player.ahead.close()
	return f.rec.Close()
}

// show brings the picture of an instant to the front.
func (f *Film) show(at time.Time) error {
	spoilt := f.rec.spoilt
	s, err := f.player.Seek(at)
	if err != nil {
		return err
	}
	if spoilt != f.rec.spoilt {
		f.note()
	}
	if g, ok := f.player.Gap(at); ok && at.Before(f.info.Load().Last) {
		if f.gap != g {
			f.gap, f.blank = g, blank(g, s, f.info.Load().Location())
		}
		s = f.blank
	}
	if s == nil || s == f.from {
		return nil
	}
	f.from = s
	own := *s // its number is the film's: that of a gap has to be newer, too
	f.seq++
	own.Seq = f.seq
	f.shown.Put(&own)
	return nil
}

// blank is the picture of a gap: nothing, and why. Only the clock is that of the picture
// before it, nil where there is none.
func blank(g Gap, before *model.Snapshot, zone *time.Location) *model.Snapshot {
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
