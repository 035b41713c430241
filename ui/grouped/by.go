package grouped

import (
	"slices"
	"strconv"

	"wallboard/model"
	"wallboard/ui/render"
)

// By is what agents are grouped by, as configurations call it; "" is nothing.
type By string

// What there is to group by.
const (
	ByState   By = "state"
	ByGroup   By = "group"
	ByProfile By = "profile"
)

// Next is what to group by after this, nothing after the last.
func (b By) Next() By {
	all := []By{"", ByGroup, ByState, ByProfile}
	return all[(slices.Index(all, b)+1)%len(all)]
}

// Places returns where an agent belongs: under the groups that they serve, the profile that
// they are logged in with, or their state. Without a record, of which r is nil, nothing is
// known of the last two; u may be nil as well.
func (b By) Places(names model.Names, r *model.UserStat, u *model.User) []Place {
	if r == nil {
		r = &model.UserStat{}
	}
	switch b {
	case ByState:
		return []Place{{Rank: StateRank(r.Status), Title: render.StateOf(r.Status, r.Channel).Word}}
	case ByProfile:
		if id, ok := r.LoggedProfileID.Get(); ok {
			code := strconv.Itoa(int(id))
			return []Place{{Title: names.Of(model.NameProfile, code), Code: code}}
		}
		return []Place{{Rank: 1, Title: "No profile"}}
	case ByGroup:
	}
	if u == nil || len(u.Skillsets) == 0 {
		return []Place{{Rank: 1, Title: "No group"}}
	}
	out := make([]Place, len(u.Skillsets))
	for n, code := range u.Skillsets {
		out[n] = Place{Title: names.Of(model.NameGroup, code), Code: code}
	}
	return out
}

// OtherStates is the rank of states that document 2 does not list; those of whom no state is
// known follow.
const OtherStates = 10

// StateRank is the place of a state in the order of [render.StateOrder].
func StateRank(s model.UserStatus) int {
	order := render.StateOrder()
	const _ = uint(OtherStates-len(order)) + uint(len(order)-OtherStates) // they are equal
	switch at := slices.Index(order[:], s); {
	case s == "":
		return OtherStates + 1
	case at < 0:
		return OtherStates
	default:
		return at
	}
}
