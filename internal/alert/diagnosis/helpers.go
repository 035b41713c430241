package diagnosis

import (
	"cmp"
	"slices"
	"time"

	"wallboard/model"
)

// HelpKind is the way in which an agent could help a service.
type HelpKind uint8

// Kinds of help, easiest first.
const (
	HelpReadyGroup     HelpKind = iota // ready; does not serve the service, but at least half of a group of the agent does
	HelpReadyElsewhere                 // serves the service but is ready only on another channel
	HelpWrapUp                         // has been in after-call work for unusually long
	HelpBreak                          // has been not ready for at least minBreak, longest first
	HelpShortBreak                     // has been not ready for less than minBreak; suggested only without other helpers
	HelpLoggedOut                      // served the service and has logged out, latest first
	numHelpKinds
)

// Helper is an agent who could help a service.
type Helper struct {
	Username string
	Name     string // display name of an agent who has logged out; otherwise ""
	Kind     HelpKind
	Since    time.Time     // start of the current state; zero: unknown
	Activity string        // activity code of an agent who is not ready
	Channel  model.Channel // channel on which the agent is ready, for HelpReadyElsewhere
	// CurrentService is a service that a ready agent serves now. RemainingReady is the number of ready agents
	// that remain for CurrentService if the agent helps. If the agent serves several services, CurrentService is
	// the service with the smallest RemainingReady.
	CurrentService string
	RemainingReady int
}

// maxPerKind limits the number of helpers of each kind.
const maxPerKind = 3

// minBreak is how long an agent must have been not ready to count as [HelpBreak] instead of [HelpShortBreak].
const minBreak = 10 * time.Minute

// defaultWrapUpLimit is how long after-call work may take before it counts as unusually long, if
// the usual time is unknown.
const defaultWrapUpLimit = 2 * time.Minute

// AgentIndex indexes the agents of one snapshot. It finds ready agents by group and by username.
type AgentIndex struct {
	readyByService map[model.ServiceKey]int
	readyByGroup   map[groupKey][]*model.UserStat // ready agents by group
	groupSize      map[groupKey]int               // number of agents by group
	readyByUser    map[string][]*model.UserStat   // records of ready agents by username, one per channel
	readyServing   map[string][]string            // usernames of ready agents by service, regardless of the channel
	users          *model.Table[string, model.User]
	snapshot       *model.Snapshot
}

type groupKey struct {
	code    string
	channel model.Channel
}

// NewAgentIndex returns an index of the agents of a snapshot.
func NewAgentIndex(s *model.Snapshot) *AgentIndex {
	f := &AgentIndex{
		readyByService: make(map[model.ServiceKey]int), readyByGroup: make(map[groupKey][]*model.UserStat), groupSize: make(map[groupKey]int),
		readyByUser: make(map[string][]*model.UserStat), readyServing: make(map[string][]string), users: s.Users, snapshot: s,
	}
	for u := range s.UserStats.All() {
		if u.Status == model.Ready {
			f.readyByUser[u.Key().Username] = append(f.readyByUser[u.Key().Username], u)
		}
		who := s.Users.Get(u.Key().Username)
		if who == nil {
			continue
		}
		for _, code := range who.Skillsets {
			f.groupSize[groupKey{code, u.Channel}]++
		}
		if u.Status != model.Ready {
			continue
		}
		for _, code := range who.Services {
			f.readyByService[model.ServiceKey{Code: code, Channel: u.Channel}]++
			name, known := u.Key().Username, f.readyServing[code]
			if isFirst := len(f.readyByUser[name]) == 1; isFirst && (len(known) == 0 || known[len(known)-1] != name) {
				f.readyServing[code] = append(known, name)
			}
		}
		for _, code := range who.Skillsets {
			k := groupKey{code, u.Channel}
			f.readyByGroup[k] = append(f.readyByGroup[k], u)
		}
	}
	return f
}

// Helpers returns the agents who could help a service, sorted by kind of help. usual is the usual
// duration of after-call work.
func (f *AgentIndex) Helpers(history *History, k model.ServiceKey, usual model.Figure, now time.Time) []Helper {
	limit := defaultWrapUpLimit
	if d, ok := usual.Seconds(); ok {
		limit = max(3*d, time.Minute)
	}
	var by [numHelpKinds][]Helper
	serve := make(map[string]int) // number of agents of the service by group
	for _, u := range f.agents(history, k) {
		if who := f.users.Get(u.Key().Username); who != nil {
			for _, g := range who.Skillsets {
				serve[g]++
			}
		}
		if h, can := f.helperOf(history, u, limit, now); can {
			by[h.Kind] = append(by[h.Kind], h)
		}
	}
	by[HelpReadyElsewhere] = append(by[HelpReadyElsewhere], f.otherChannelHelpers(k)...)
	by[HelpReadyGroup] = f.groupMembers(serve, k)
	for _, g := range history.Departures(k, history.Since()) {
		if g.Status == "" {
			by[HelpLoggedOut] = append(by[HelpLoggedOut], Helper{Username: g.Username, Name: g.Name, Kind: HelpLoggedOut, Since: g.At})
		}
	}
	var out []Helper
	for i := range by {
		way := HelpKind(i)
		if way == HelpShortBreak && len(out) > 0 {
			continue
		}
		slices.SortStableFunc(by[way], func(a, b Helper) int {
			if way == HelpLoggedOut {
				return b.Since.Compare(a.Since)
			}
			return cmp.Or(cmp.Compare(b.RemainingReady, a.RemainingReady), a.sortTime().Compare(b.sortTime()), cmp.Compare(a.Username, b.Username))
		})
		out = append(out, by[way][:min(len(by[way]), maxPerKind)]...)
	}
	return out
}

// agents returns the agents who serve a service on its channel. If t knows none, because the
// platform does not report the services of users, it returns the agents logged in with a profile
// that the service lists.
func (f *AgentIndex) agents(t *History, k model.ServiceKey) []*model.UserStat {
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

// helperOf returns how an agent of the service could help. If the agent is already at work, the
// bool result is false. wrap is the time after which after-call work counts as unusually long.
func (f *AgentIndex) helperOf(t *History, u *model.UserStat, wrap time.Duration, now time.Time) (Helper, bool) {
	at, known := u.TimeInState.Get()
	if !known {
		at = t.StateSince(u.Key())
	}
	h := Helper{Username: u.Key().Username, Since: at}
	switch {
	case u.Status == model.WNR && !at.IsZero() && now.Sub(at) > wrap:
		h.Kind = HelpWrapUp
	case u.Status == model.NotReady && len(f.readyByUser[h.Username]) > 0:
		f.setReadyChannel(&h)
	case u.Status == model.NotReady:
		h.Kind, h.Activity = HelpShortBreak, u.ActivityCode.String()
		if !at.IsZero() && now.Sub(at) >= minBreak {
			h.Kind = HelpBreak
		}
	default:
		return h, false
	}
	return h, true
}

// setReadyChannel makes h a helper of kind HelpReadyElsewhere. It sets the channel on which the agent
// is ready and the start of that state.
func (f *AgentIndex) setReadyChannel(h *Helper) {
	on := f.readyByUser[h.Username][0]
	h.Kind, h.Channel = HelpReadyElsewhere, on.Channel
	h.Since, _ = on.TimeInState.Get()
}

// otherChannelHelpers returns the agents of the service who are ready on another channel and not logged
// in on the channel of k.
func (f *AgentIndex) otherChannelHelpers(k model.ServiceKey) []Helper {
	var out []Helper
	for _, name := range f.readyServing[k.Code] {
		if f.snapshot.UserStats.Get(model.UserStatKey{Username: name, Channel: k.Channel}) != nil {
			continue
		}
		h := Helper{Username: name}
		f.setReadyChannel(&h)
		out = append(out, h)
	}
	return out
}

// sortTime returns Since for sorting, or a time in the far future if Since is unknown.
func (h *Helper) sortTime() time.Time {
	if h.Since.IsZero() {
		return time.Unix(1<<40, 0)
	}
	return h.Since
}

// groupMembers returns ready agents who do not serve the service but belong to a group at least
// half of which serves it. serve is the number of agents who serve the service, by group.
func (f *AgentIndex) groupMembers(serve map[string]int, k model.ServiceKey) []Helper {
	var out []Helper
	seen := make(map[string]bool)
	for code, n := range serve {
		group := groupKey{code, k.Channel}
		if 2*n < f.groupSize[group] {
			continue
		}
		for _, u := range f.readyByGroup[group] {
			name := u.Key().Username
			who := f.users.Get(name)
			if seen[name] || slices.Contains(who.Services, k.Code) {
				continue
			}
			seen[name] = true
			h := Helper{Username: name, RemainingReady: -1}
			h.Since, _ = u.TimeInState.Get()
			for _, serves := range who.Services {
				if left := f.readyByService[model.ServiceKey{Code: serves, Channel: k.Channel}] - 1; h.RemainingReady < 0 || left < h.RemainingReady {
					h.CurrentService, h.RemainingReady = serves, left
				}
			}
			out = append(out, h)
		}
	}
	return out
}
