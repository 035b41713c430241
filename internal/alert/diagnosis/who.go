package diagnosis

import (
	"cmp"
	"slices"
	"time"

	"wallboard/model"
)

// Way is how an agent could help.
type Way uint8

// The ways, easiest first.
const (
	ReadySameGroup Way = iota // ready, not on this service, in a group that mostly serves it
	ReadyElsewhere            // serves it, and is ready on another channel only
	WrapUp                    // in unusually long after-call work
	Break                     // not ready for a while, longest first
	JustLeft                  // not ready for a short time; named only if there is no one else
	LoggedOut                 // served it and has logged out, latest first
	numWays
)

// Helper is an agent who could help a service.
type Helper struct {
	Username string
	Name     string // display name of a logged-out agent; else ""
	Way      Way
	Since    time.Time     // start of the current state; zero: unknown
	Activity string        // activity code if not ready
	Channel  model.Channel // channel on which the agent is ready, for ReadyElsewhere
	// Serves is the service of a ready agent that would keep the fewest ready agents,
	// and Left how many remain there.
	Serves string
	Left   int
}

// maxPerWay limits the helpers of each way.
const maxPerWay = 3

// minBreak is how long an agent must have been not ready before being asked back.
const minBreak = 10 * time.Minute

// wrapLimit is the limit of after-call work if the usual time is unknown.
const wrapLimit = 2 * time.Minute

// Floor indexes the agents of one snapshot by readiness.
type Floor struct {
	ready    map[model.ServiceKey]int
	near     map[groupKey][]*model.UserStat // ready agents by group
	size     map[groupKey]int               // number of agents by group
	free     map[string][]*model.UserStat   // ready records by username
	users    *model.Table[string, model.User]
	snapshot *model.Snapshot
}

type groupKey struct {
	code    string
	channel model.Channel
}

// NewFloor indexes the agents of a snapshot.
func NewFloor(s *model.Snapshot) *Floor {
	f := &Floor{
		ready: make(map[model.ServiceKey]int), near: make(map[groupKey][]*model.UserStat), size: make(map[groupKey]int),
		free: make(map[string][]*model.UserStat), users: s.Users, snapshot: s,
	}
	for u := range s.UserStats.All() {
		if u.Status == model.Ready {
			f.free[u.Key().Username] = append(f.free[u.Key().Username], u)
		}
		who := s.Users.Get(u.Key().Username)
		if who == nil {
			continue
		}
		for _, code := range who.Skillsets {
			f.size[groupKey{code, u.Channel}]++
		}
		if u.Status != model.Ready {
			continue
		}
		for _, code := range who.Services {
			f.ready[model.ServiceKey{Code: code, Channel: u.Channel}]++
		}
		for _, code := range who.Skillsets {
			k := groupKey{code, u.Channel}
			f.near[k] = append(f.near[k], u)
		}
	}
	return f
}

// Helpers returns the agents who could help a service, easiest way first. usual is the
// usual time of after-call work.
func (f *Floor) Helpers(t *History, k model.ServiceKey, usual model.Figure, now time.Time) []Helper {
	limit := wrapLimit
	if d, ok := usual.Seconds(); ok {
		limit = max(3*d, time.Minute)
	}
	var by [numWays][]Helper
	serve := make(map[string]int) // by group: agents of the service
	for _, u := range f.agents(t, k) {
		if who := f.users.Get(u.Key().Username); who != nil {
			for _, g := range who.Skillsets {
				serve[g]++
			}
		}
		if h, can := f.ownHelper(t, u, limit, now); can {
			by[h.Way] = append(by[h.Way], h)
		}
	}
	by[ReadyElsewhere] = append(by[ReadyElsewhere], f.onOtherChannels(k)...)
	by[ReadySameGroup] = f.neighbours(serve, k)
	for _, g := range t.Departures(k, t.Since()) {
		if g.Status == "" {
			by[LoggedOut] = append(by[LoggedOut], Helper{Username: g.Username, Name: g.Name, Way: LoggedOut, Since: g.At})
		}
	}
	var out []Helper
	for i := range by {
		way := Way(i)
		if way == JustLeft && len(out) > 0 {
			continue
		}
		slices.SortStableFunc(by[way], func(a, b Helper) int {
			if way == LoggedOut {
				return b.Since.Compare(a.Since)
			}
			return cmp.Or(cmp.Compare(b.Left, a.Left), a.sortTime().Compare(b.sortTime()), cmp.Compare(a.Username, b.Username))
		})
		out = append(out, by[way][:min(len(by[way]), maxPerWay)]...)
	}
	return out
}

// agents returns the agents of a service on its channel: by the services of users or,
// if the platform does not report those, by the profiles that the service lists.
func (f *Floor) agents(t *History, k model.ServiceKey) []*model.UserStat {
	if out := t.Agents(k); len(out) > 0 {
		return out
	}
	r := f.snapshot.Services.Get(k)
	if r == nil || len(r.UserStats.LoggedUsers.ProfileIDs) == 0 {
		return nil
	}
	var out []*model.UserStat
	for u := range f.snapshot.UserStats.All() {
		id, known := u.LoggedProfileID.Get()
		if known && u.Channel == k.Channel && slices.Contains(r.UserStats.LoggedUsers.ProfileIDs, id) {
			out = append(out, u)
		}
	}
	return out
}

// ownHelper returns how an agent of the service could help, or false if the agent is at work
// for it.
func (f *Floor) ownHelper(t *History, u *model.UserStat, wrap time.Duration, now time.Time) (Helper, bool) {
	at, known := u.TimeInState.Get()
	if !known {
		at = t.StateSince(u.Key())
	}
	h := Helper{Username: u.Key().Username, Since: at}
	switch {
	case u.Status == model.WNR && !at.IsZero() && now.Sub(at) > wrap:
		h.Way = WrapUp
	case u.Status == model.NotReady && len(f.free[h.Username]) > 0:
		f.readyOn(&h)
	case u.Status == model.NotReady:
		h.Way, h.Activity = JustLeft, u.ActivityCode.String()
		if !at.IsZero() && now.Sub(at) >= minBreak {
			h.Way = Break
		}
	default:
		return h, false
	}
	return h, true
}

// readyOn fills in the other channel on which an agent is ready.
func (f *Floor) readyOn(h *Helper) {
	on := f.free[h.Username][0]
	h.Way, h.Channel = ReadyElsewhere, on.Channel
	h.Since, _ = on.TimeInState.Get()
}

// onOtherChannels returns the agents who serve the service and are ready on another
// channel, but not logged in on this one.
func (f *Floor) onOtherChannels(k model.ServiceKey) []Helper {
	var out []Helper
	for name := range f.free {
		who := f.users.Get(name)
		if who == nil || !slices.Contains(who.Services, k.Code) || f.snapshot.UserStats.Get(model.UserStatKey{Username: name, Channel: k.Channel}) != nil {
			continue
		}
		h := Helper{Username: name}
		f.readyOn(&h)
		out = append(out, h)
	}
	return out
}

// sortTime returns Since, or a time in the far future if it is unknown, for sorting.
func (h *Helper) sortTime() time.Time {
	if h.Since.IsZero() {
		return time.Unix(1<<40, 0)
	}
	return h.Since
}

// neighbours returns ready agents who do not serve the service but belong to a group
// that mostly does. serve counts the agents of the service by group.
func (f *Floor) neighbours(serve map[string]int, k model.ServiceKey) []Helper {
	var out []Helper
	seen := make(map[string]bool)
	for code, n := range serve {
		group := groupKey{code, k.Channel}
		if 2*n < f.size[group] {
			continue
		}
		for _, u := range f.near[group] {
			name := u.Key().Username
			who := f.users.Get(name)
			if seen[name] || slices.Contains(who.Services, k.Code) {
				continue
			}
			seen[name] = true
			h := Helper{Username: name, Left: -1}
			h.Since, _ = u.TimeInState.Get()
			for _, serves := range who.Services {
				if left := f.ready[model.ServiceKey{Code: serves, Channel: k.Channel}] - 1; h.Left < 0 || left < h.Left {
					h.Serves, h.Left = serves, left
				}
			}
			out = append(out, h)
		}
	}
	return out
}
