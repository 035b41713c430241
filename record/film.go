package record

import (
	"context"
	"time"

	"wallboard/internal/newest"
	"wallboard/model"
)

// frameEvery is how often a film looks whether the next picture is due.
const frameEvery = 100 * time.Millisecond

// Film shows a recording as if it happened now. A board takes its pictures from it
// as from a feed, and its clock as well.
type Film struct {
	player *Player
	begin  time.Time // the instant of the recording with which it begins
	end    time.Time
	speed  float64
	start  time.Time // of showing it, on our own clock
	now    func() time.Time
	shown  newest.Picture

	// Of who runs it.
	gap   Gap // that blank is for
	blank *model.Snapshot
	from  *model.Snapshot // of the player, that the one shown was made of
	seq   uint64
}

// Film returns a recording that is shown from an instant on, so many times as fast
// as it happened. now is the clock; nil is [time.Now].
func (r *Recording) Film(from time.Time, speed float64, now func() time.Time) *Film {
	if now == nil {
		now = time.Now
	}
	in := r.Info()
	if from.Before(in.First) {
		from = in.First
	}
	return &Film{player: r.Player(), begin: from, end: in.Last, speed: speed, now: now, start: now()}
}

// Past implements ui.Past.
func (f *Film) Past() bool { return true }

// Now returns the time of the film on the clock of the board that recorded it. It
// stands still at the end.
func (f *Film) Now() time.Time {
	at := f.at()
	if s := f.Latest(); s != nil {
		at = at.Add(-s.Health.ClockOffset)
	}
	return at
}

// at is the time of the film on the server's clock.
func (f *Film) at() time.Time {
	at := f.begin.Add(time.Duration(float64(f.now().Sub(f.start)) * f.speed))
	if at.After(f.end) {
		return f.end
	}
	return at
}

// Latest returns the picture of the film's time, nil before the first.
func (f *Film) Latest() *model.Snapshot { return f.shown.Latest() }

// Wait returns the newest picture as soon as there is one with a Seq greater than
// after, or the context's error.
func (f *Film) Wait(ctx context.Context, after uint64) (*model.Snapshot, error) {
	return f.shown.Wait(ctx, after) //nolint:wrapcheck // the documented error
}

// Run shows the film until the context ends.
func (f *Film) Run(ctx context.Context) error {
	tick := time.NewTicker(frameEvery)
	defer tick.Stop()
	for {
		if err := f.show(f.at()); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// show brings the picture of an instant to the front.
func (f *Film) show(at time.Time) error {
	s, err := f.player.Seek(at)
	if err != nil {
		return err
	}
	if g, ok := f.player.Gap(at); ok && at.Before(f.end) {
		if f.gap != g {
			f.gap, f.blank = g, blank(g)
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

// blank is the picture of a gap: nothing, and why.
func blank(g Gap) *model.Snapshot {
	why := "nothing was recorded until " + g.To.Local().Format(time.TimeOnly)
	return model.NewStore().Publish(g.From, model.Health{
		Notice: why, Link: model.Link{State: model.LinkStopped, Since: g.From, Reason: why},
	})
}
