package analysis

import (
	"context"
	"slices"
	"time"

	"wallboard/model"
)

// Shift holds the recorded states and the answered contacts of an agent on a channel.
type Shift struct {
	Channel  model.Channel
	Periods  []StatePeriod // in order of time; the state between two periods may be unknown
	Answered []AnsweredContacts
}

// StatePeriod is a period in which the state of an agent did not change. LoggedOut means that
// the agent was logged out.
type StatePeriod struct {
	From, To  time.Time
	State     model.UserStatus
	Code      string // activity code; "" for none
	LoggedOut bool
}

// AnsweredContacts is the number of contacts that an agent answered in the minute before a time.
type AnsweredContacts struct {
	At    time.Time
	Count int64
}

// TimeInState returns the total time that the agent spent in a state.
func (s *Shift) TimeInState(state model.UserStatus) time.Duration {
	var sum time.Duration
	for _, b := range s.Periods {
		if !b.LoggedOut && b.State == state {
			sum += b.To.Sub(b.From)
		}
	}
	return sum
}

// Contacts returns the total number of contacts that the agent answered.
func (s *Shift) Contacts() (n int64) {
	for _, c := range s.Answered {
		n += c.Count
	}
	return n
}

// ReadShift returns the shift of an agent between two times, with an entry per channel,
// ordered as in document 2. It reads a snapshot per minute, and uses the start time of the
// agent's state in it. It misses states that begin and end between two snapshots.
func ReadShift(ctx context.Context, p Snapshots, from, to time.Time, username string) ([]Shift, error) {
	worked := make(map[model.Channel]*shiftBuilder)
	for s, err := range p.SampledSnapshots(from, to, coarseStep, model.OpUserStats) {
		if err == nil {
			err = contextError(ctx)
		}
		if err != nil {
			return nil, err
		}
		if !s.Health.HadData() || s.Health.Link.State != model.LinkUp {
			continue
		}
		for r := range s.UserStats.All() {
			if r.Key().Username == username && worked[r.Channel] == nil {
				worked[r.Channel] = &shiftBuilder{}
			}
		}
		for ch, b := range worked {
			b.observe(s.UserStats.Get(model.UserStatKey{Username: username, Channel: ch}), s.At)
		}
	}
	var out []Shift
	for ch, b := range worked {
		out = append(out, Shift{ch, b.periods, b.contacts})
	}
	known := model.Channels()
	slices.SortFunc(out, func(a, b Shift) int { return slices.Index(known[:], a.Channel) - slices.Index(known[:], b.Channel) })
	return out, nil
}

// maxContactsPerMinute is the largest plausible number of contacts that an agent answers in a
// minute. Larger numbers indicate a clock change and are ignored.
const maxContactsPerMinute = 20

// shiftBuilder builds the shift of an agent on a channel.
type shiftBuilder struct {
	periods  []StatePeriod
	contacts []AnsweredContacts
	answered counter
	last     time.Time
}

// observe adds the record of the agent in the snapshot at a time. A nil record means that the agent
// was logged out.
func (b *shiftBuilder) observe(r *model.UserStat, at time.Time) {
	if at.Before(b.last) {
		return // the clock was set back, so the record is ignored
	}
	now := StatePeriod{From: at, To: at, LoggedOut: r == nil}
	if r != nil {
		now.State, now.Code = r.Status, r.ActivityCode.String()
		before := b.answered.total
		if b.answered.add(r.NumberCallFromServiceAnswered); b.answered.total > before && b.answered.total-before <= maxContactsPerMinute && len(b.periods) > 0 {
			b.contacts = append(b.contacts, AnsweredContacts{at, b.answered.total - before})
		}
	}
	began := stateStart(r)
	gap := b.last.IsZero() || at.Sub(b.last) > maxGap
	last := b.last
	b.last = at
	n := len(b.periods)
	switch {
	case n == 0 && !began.IsZero() && at.Sub(began) < maxGap, n > 0 && gap && began.After(last):
		now.From = began
	case n > 0 && !gap:
		b.extendPeriod(now, began, last)
		return
	}
	b.periods = append(b.periods, now)
}

// stateStart returns the time at which the current state of an agent began, or the zero time
// if it is unknown.
func stateStart(r *model.UserStat) time.Time {
	if r == nil {
		return time.Time{}
	}
	if ms, known := r.TimeInState.Milli(); known {
		return time.UnixMilli(ms)
	}
	return time.Time{}
}

// extendPeriod extends the last period to now.To if the state is the same. Otherwise it adds a
// period. This begins at began, the start of the new state, or at now.From if began is implausible,
// but not before seen, the time at which the previous state was last observed.
func (b *shiftBuilder) extendPeriod(now StatePeriod, began, seen time.Time) {
	was := &b.periods[len(b.periods)-1]
	if was.State == now.State && was.Code == now.Code && was.LoggedOut == now.LoggedOut {
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
	b.periods = append(b.periods, now)
}
