package recount

import (
	"context"
	"slices"
	"time"

	"wallboard/model"
)

// Shift is what an agent did on a channel, as long as a recording knows it.
type Shift struct {
	Channel model.Channel
	Band    []Stretch // in the order of time; between two of them nobody knows
	Contact []Contact
}

// Stretch is a time in one state. Out: they were not logged in.
type Stretch struct {
	From, To time.Time
	State    model.UserStatus
	Code     string // activity code; "": none
	Out      bool
}

// Contact is how many contacts were answered about a time: within the minute before it.
type Contact struct {
	At time.Time
	N  int64
}

// Total is for how long an agent was in a state.
func (s *Shift) Total(state model.UserStatus) time.Duration {
	var sum time.Duration
	for _, b := range s.Band {
		if !b.Out && b.State == state {
			sum += b.To.Sub(b.From)
		}
	}
	return sum
}

// Contacts is how many contacts were answered.
func (s *Shift) Contacts() (n int64) {
	for _, c := range s.Contact {
		n += c.N
	}
	return n
}

// ShiftOf returns what an agent did between two instants, a shift for each channel, in the
// order of document 2. It goes by the pictures that cost least, one a minute, and by when
// each state began: a state that lasted less than a minute between two of them is not seen.
func ShiftOf(ctx context.Context, p Pictures, from, to time.Time, username string) ([]Shift, error) {
	worked := make(map[model.Channel]*band)
	for s, err := range p.Through(from, to, everyWhole, model.OpUserStats) {
		if err == nil {
			err = stopped(ctx)
		}
		if err != nil {
			return nil, err
		}
		if !s.Health.HadData() || s.Health.Link.State != model.LinkUp {
			continue
		}
		for r := range s.UserStats.All() {
			if r.Key().Username == username && worked[r.Channel] == nil {
				worked[r.Channel] = &band{}
			}
		}
		for ch, b := range worked {
			b.see(s.UserStats.Get(model.UserStatKey{Username: username, Channel: ch}), s.At)
		}
	}
	var out []Shift
	for ch, b := range worked {
		out = append(out, Shift{ch, b.band, b.contacts})
	}
	known := model.Channels()
	slices.SortFunc(out, func(a, b Shift) int { return slices.Index(known[:], a.Channel) - slices.Index(known[:], b.Channel) })
	return out, nil
}

// mostAMinute is how many contacts an agent answers in a minute at most; more are two
// counters, as where a clock was set back.
const mostAMinute = 20

// band is a shift while it is gone through.
type band struct {
	band     []Stretch
	contacts []Contact
	answered counter
	last     time.Time
}

// see takes over what an agent is doing at a time; nil: they are not there.
func (b *band) see(r *model.UserStat, at time.Time) {
	if at.Before(b.last) {
		return // a clock was set back
	}
	now := Stretch{From: at, To: at, Out: r == nil}
	if r != nil {
		now.State, now.Code = r.Status, r.ActivityCode.String()
		before := b.answered.total
		if b.answered.take(r.NumberCallFromServiceAnswered); b.answered.total > before && b.answered.total-before <= mostAMinute && len(b.band) > 0 {
			b.contacts = append(b.contacts, Contact{at, b.answered.total - before})
		}
	}
	began := beginOf(r)
	gap := b.last.IsZero() || at.Sub(b.last) > apart
	last := b.last
	b.last = at
	n := len(b.band)
	switch {
	case n == 0 && !began.IsZero() && at.Sub(began) < apart, n > 0 && gap && began.After(last):
		now.From = began
	case n > 0 && !gap:
		b.turn(now, began, last)
		return
	}
	b.band = append(b.band, now)
}

// beginOf is when an agent's state began; the zero time where nobody knows.
func beginOf(r *model.UserStat) time.Time {
	if r == nil {
		return time.Time{}
	}
	if ms, known := r.TimeInState.Milli(); known {
		return time.UnixMilli(ms)
	}
	return time.Time{}
}

// turn goes on in the state that was, or turns to another: when that began, but not before
// the agent was seen in the other.
func (b *band) turn(now Stretch, began, seen time.Time) {
	was := &b.band[len(b.band)-1]
	if was.State == now.State && was.Code == now.Code && was.Out == now.Out {
		was.To = now.To
		return
	}
	turn := now.From
	if began.After(was.From) && !began.After(turn) {
		turn = began
	}
	if turn.Before(seen) {
		turn = seen
	}
	was.To, now.From = turn, turn
	b.band = append(b.band, now)
}
