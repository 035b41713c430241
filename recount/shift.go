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
	for s, err := range p.Through(from, to, everyWhole) {
		if err == nil {
			err = ctx.Err()
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
		if b.answered.take(r.NumberCallFromServiceAnswered); b.answered.total > before && len(b.band) > 0 {
			b.contacts = append(b.contacts, Contact{at, b.answered.total - before})
		}
	}
	gap := b.last.IsZero() || at.Sub(b.last) > apart
	var began time.Time
	if r != nil {
		if ms, known := r.TimeInState.Milli(); known {
			began = time.UnixMilli(ms)
		}
	}
	defer func() { b.last = at }()
	n := len(b.band)
	if gap || n == 0 {
		if n > 0 && began.After(b.last) || n == 0 && !began.IsZero() && at.Sub(began) < apart {
			now.From = began
		}
		b.band = append(b.band, now)
		return
	}
	last := &b.band[n-1]
	if last.State == now.State && last.Code == now.Code && last.Out == now.Out {
		last.To = at
		return
	}
	turn := at
	if began.After(last.From) && !began.After(at) {
		turn = began
	}
	if turn.Before(b.last) { // it was seen in the state before
		turn = b.last
	}
	last.To, now.From = turn, turn
	b.band = append(b.band, now)
}
