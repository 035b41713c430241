package alert

import (
	"slices"
	"time"

	"wallboard/model"
)

// maxDepartures limits the number of logged-out agents that are kept.
const maxDepartures = 500

// departure is an agent whose record has disappeared.
type departure struct {
	Departure
	services, groups []string // services and groups of the agent
}

// departures holds the agents who logged out, latest last.
type departures []departure

// add records an agent who logged out. last is the last snapshot with the agent, or
// nil.
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

// departed returns the agents of a service, group or channel who left in the last period,
// latest first: those who logged out, and those among the user rows of snapshot s who
// are not ready.
func (d departures) departed(k Key, now time.Time, s *model.Snapshot, rows []*row) []Departure {
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
		rec, ok := r.record.(*model.UserStat)
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
