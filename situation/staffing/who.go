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
	ReadyNear Way = iota // ready in a group most of which serve it
	WrapUp               // in after-call work for longer than usual
	Break                // not ready for a while, the longest first
)

// Helper is who could help a service.
type Helper struct {
	Username string
	Way      Way
	Since    time.Time // in the present state; zero: unknown
	Activity string    // code of who is not ready
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
	users *model.Table[string, model.User]
}

type groupKey struct {
	code    string
	channel model.Channel
}

// FloorOf looks who is ready for what.
func FloorOf(s *model.Snapshot) *Floor {
	f := &Floor{
		ready: make(map[model.ServiceKey]int), near: make(map[groupKey][]*model.UserStat), size: make(map[groupKey]int), users: s.Users,
	}
	for u := range s.UserStats.All() {
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
	var ways [Break + 1][]Helper
	serve := make(map[string]int) // agents of the service, by group
	for _, u := range t.Agents(k) {
		if who := f.users.Get(u.Key().Username); who != nil {
			for _, g := range who.Skillsets {
				serve[g]++
			}
		}
		at, _ := u.TimeInState.Get()
		h := Helper{Username: u.Key().Username, Since: at}
		switch {
		case u.Status == model.WNR && !at.IsZero() && now.Sub(at) > limit:
			h.Way = WrapUp
		case u.Status == model.NotReady && !at.IsZero() && now.Sub(at) >= leastBreak:
			h.Way, h.Activity = Break, u.ActivityCode.String()
		default:
			continue
		}
		ways[h.Way] = append(ways[h.Way], h)
	}
	ways[ReadyNear] = f.neighbours(serve, k)
	var out []Helper
	for way := range ways {
		slices.SortFunc(ways[way], func(a, b Helper) int {
			return cmp.Or(cmp.Compare(b.Left, a.Left), a.known().Compare(b.known()), cmp.Compare(a.Username, b.Username))
		})
		out = append(out, ways[way][:min(len(ways[way]), mostOfAWay)]...)
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
