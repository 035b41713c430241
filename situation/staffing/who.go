package staffing

import (
	"cmp"
	"slices"
	"time"

	"wallboard/model"
	"wallboard/situation/track"
)

// Way is how somebody could help.
type Way uint8

// The ways, the easiest first.
const (
	ReadyNear      Way = iota // ready in a group most of which serve it
	ReadyElsewhere            // serves it, not ready on its channel and ready on another one
	WrapUp                    // in after-call work for longer than usual
	Break                     // not ready for a while, the longest first
	JustGone                  // not ready for less than that: named where there is nobody else
	LoggedOut                 // served it and has logged out, the latest first
	ways
)

// Helper is who could help a service.
type Helper struct {
	Username string
	Name     string // of somebody who has logged out, as they were called; else ""
	Way      Way
	Since    time.Time     // in the present state; zero: unknown
	Activity string        // code of who is not ready
	Channel  model.Channel // on which they are ready, of ReadyElsewhere
	// Serves are the services that a ready one is ready for, of which Left is how many
	// stay ready in the one that is left with the fewest.
	Serves string
	Left   int
}

// mostOfAWay is how many helpers are named of each way.
const mostOfAWay = 3

// leastBreak is how long somebody has been not ready who could be asked to come back.
const leastBreak = 10 * time.Minute

// wrapLimit is how long after-call work is usual where nothing is known of it.
const wrapLimit = 2 * time.Minute

// Floor is who is ready for what, of one picture.
type Floor struct {
	ready map[model.ServiceKey]int
	near  map[groupKey][]*model.UserStat // ready, by group
	size  map[groupKey]int               // agents who are told of, by group
	free  map[string][]*model.UserStat   // ready, by user name
	users *model.Table[string, model.User]
	shown *model.Snapshot
}

type groupKey struct {
	code    string
	channel model.Channel
}

// FloorOf looks who is ready for what.
func FloorOf(s *model.Snapshot) *Floor {
	f := &Floor{
		ready: make(map[model.ServiceKey]int), near: make(map[groupKey][]*model.UserStat), size: make(map[groupKey]int),
		free: make(map[string][]*model.UserStat), users: s.Users, shown: s,
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

// Who returns who could help a service, the easiest way first. usual is how long
// after-call work usually takes.
func (f *Floor) Who(t *track.Track, k model.ServiceKey, usual model.Figure, now time.Time) []Helper {
	limit := wrapLimit
	if d, ok := usual.Seconds(); ok {
		limit = max(3*d, time.Minute)
	}
	var by [ways][]Helper
	serve := make(map[string]int) // agents of the service, by group
	for _, u := range f.agents(t, k) {
		if who := f.users.Get(u.Key().Username); who != nil {
			for _, g := range who.Skillsets {
				serve[g]++
			}
		}
		if h, can := f.own(t, u, limit, now); can {
			by[h.Way] = append(by[h.Way], h)
		}
	}
	by[ReadyElsewhere] = append(by[ReadyElsewhere], f.onOtherChannels(k)...)
	by[ReadyNear] = f.neighbours(serve, k)
	for _, g := range t.Left(k, t.Began()) {
		if g.Status == "" {
			by[LoggedOut] = append(by[LoggedOut], Helper{Username: g.Username, Name: g.Name, Way: LoggedOut, Since: g.At})
		}
	}
	var out []Helper
	for i := range by {
		way := Way(i)
		if way == JustGone && len(out) > 0 {
			continue
		}
		slices.SortStableFunc(by[way], func(a, b Helper) int {
			if way == LoggedOut {
				return b.Since.Compare(a.Since)
			}
			return cmp.Or(cmp.Compare(b.Left, a.Left), a.known().Compare(b.known()), cmp.Compare(a.Username, b.Username))
		})
		out = append(out, by[way][:min(len(by[way]), mostOfAWay)]...)
	}
	return out
}

// agents are those who serve a service on its channel: by their users, or by the profiles
// that the service lists where the platform tells no user's services.
func (f *Floor) agents(t *track.Track, k model.ServiceKey) []*model.UserStat {
	if out := t.Agents(k); len(out) > 0 {
		return out
	}
	r := f.shown.Services.Get(k)
	if r == nil || len(r.UserStats.LoggedUsers.ProfileIDs) == 0 {
		return nil
	}
	var out []*model.UserStat
	for u := range f.shown.UserStats.All() {
		id, known := u.LoggedProfileID.Get()
		if known && u.Channel == k.Channel && slices.Contains(r.UserStats.LoggedUsers.ProfileIDs, id) {
			out = append(out, u)
		}
	}
	return out
}

// own says how an agent of the service could help, false for one who is at work for it.
func (f *Floor) own(t *track.Track, u *model.UserStat, wrap time.Duration, now time.Time) (Helper, bool) {
	at, known := u.TimeInState.Get()
	if !known {
		at = t.Moved(u.Key())
	}
	h := Helper{Username: u.Key().Username, Since: at}
	switch {
	case u.Status == model.WNR && !at.IsZero() && now.Sub(at) > wrap:
		h.Way = WrapUp
	case u.Status == model.NotReady && len(f.free[h.Username]) > 0:
		f.readyOn(&h)
	case u.Status == model.NotReady:
		h.Way, h.Activity = JustGone, u.ActivityCode.String()
		if !at.IsZero() && now.Sub(at) >= leastBreak {
			h.Way = Break
		}
	default:
		return h, false
	}
	return h, true
}

// readyOn says on which other channel an agent is ready.
func (f *Floor) readyOn(h *Helper) {
	on := f.free[h.Username][0]
	h.Way, h.Channel = ReadyElsewhere, on.Channel
	h.Since, _ = on.TimeInState.Get()
}

// onOtherChannels are those who serve a service, are ready on another channel and not
// logged in on its own.
func (f *Floor) onOtherChannels(k model.ServiceKey) []Helper {
	var out []Helper
	for name := range f.free {
		who := f.users.Get(name)
		if who == nil || !slices.Contains(who.Services, k.Code) || f.shown.UserStats.Get(model.UserStatKey{Username: name, Channel: k.Channel}) != nil {
			continue
		}
		h := Helper{Username: name}
		f.readyOn(&h)
		out = append(out, h)
	}
	return out
}

// known is when the state began; somebody of whom that is unknown comes last.
func (h *Helper) known() time.Time {
	if h.Since.IsZero() {
		return time.Unix(1<<40, 0)
	}
	return h.Since
}

// neighbours are those who are ready in a group of the service, at least half of which
// serve it, but do not serve it themselves. serve are how many of each group do.
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
