package alert

import (
	"slices"
	"time"

	"wallboard/model"
)

// maxDepartures is how many agents who logged out are remembered.
const maxDepartures = 500

// departure is an agent who is no longer among the records.
type departure struct {
	Departure
	services, groups []string // that the agent served
}

// departures are the agents who logged out, the latest last.
type departures []departure

// add remembers an agent who logged out. last is the picture in which they were
// seen, which may be nil.
func (d *departures) add(k Key, now time.Time, last *model.Snapshot) {
	gone := departure{Departure: Departure{Username: k.Code, Channel: k.Channel, At: now, LoggedOut: true}}
	if last != nil {
		if u := last.Users.Get(k.Code); u != nil {
			gone.services, gone.groups = u.Services, u.Skillsets
		}
	}
	if len(*d) == maxDepartures {
		*d = slices.Delete(*d, 0, 1)
	}
	*d = append(*d, gone)
}

// left returns the agents of a service, group or channel who went during the
// last stretch, the latest first: those who logged out, and of those that rows, the
// users of the picture s, have, those who are not ready.
func (d departures) left(k Key, now time.Time, s *model.Snapshot, rows []*row) []Departure {
	serves := func(services, groups []string) bool {
		return k.Scope == Floor || k.Scope == Service && slices.Contains(services, k.Code) ||
			k.Scope == Group && slices.Contains(groups, k.Code)
	}
	var out []Departure
	for i := range d {
		gone := &d[i]
		if gone.Channel == k.Channel && now.Sub(gone.At) <= compareSpan && serves(gone.services, gone.groups) {
			out = append(out, gone.Departure)
		}
	}
	for _, r := range rows {
		rec, ok := r.rec.(*model.UserStat)
		if !ok || rec.Channel != k.Channel || rec.Status != model.NotReady && rec.Status != model.NotReadyBusy {
			continue
		}
		at, ok := rec.TimeInState.Get()
		if !ok || now.Sub(at) > compareSpan {
			continue
		}
		u := s.Users.Get(r.key.Code)
		if k.Scope == Floor || u != nil && serves(u.Services, u.Skillsets) {
			out = append(out, Departure{
				Username: r.key.Code, Channel: rec.Channel, At: at, Activity: rec.ActivityCode.String(),
			})
		}
	}
	slices.SortStableFunc(out, func(a, b Departure) int { return b.At.Compare(a.At) })
	return out
}
