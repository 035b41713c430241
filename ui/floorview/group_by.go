package floorview

import (
	"slices"
	"strconv"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/render"
)

// GroupingCriterion is a property that agents are grouped by. Its values are those of the configuration.
// The empty GroupingCriterion means that agents are not grouped.
type GroupingCriterion string

// Values of [GroupingCriterion].
const (
	ByState   GroupingCriterion = "state"
	ByGroup   GroupingCriterion = "group"
	ByProfile GroupingCriterion = "profile"
	BySite    GroupingCriterion = "site"
)

// Next returns the criterion that follows b. It returns "" after the last criterion.
func (b GroupingCriterion) Next() GroupingCriterion {
	all := []GroupingCriterion{"", ByGroup, ByState, ByProfile, BySite}
	return all[(slices.Index(all, b)+1)%len(all)]
}

// Name returns the name of the criterion for viewers.
func (b GroupingCriterion) Name() words.Text {
	switch b {
	case ByState:
		return words.PaneByState()
	case ByGroup:
		return words.PaneByGroup()
	case ByProfile:
		return words.PaneByProfile()
	case BySite:
		return words.PaneBySite()
	}
	return words.Text{}
}

// GroupsOf returns the groups to which an agent belongs: the assigned groups, the profile with
// which the agent is logged in, the site, or the state. If r is nil, the profile and the state are
// unknown. If u is nil, the assigned groups are unknown. The titles are in the language l.
func (b GroupingCriterion) GroupsOf(names model.Names, r *model.UserStat, u *model.User, l *words.Language) []GroupKey {
	if r == nil {
		r = &model.UserStat{}
	}
	switch b {
	case ByState:
		return []GroupKey{{Rank: StateRank(r.Status), Title: render.StateOf(r.Status, r.Channel).Word.In(l)}}
	case ByProfile:
		if id, ok := r.LoggedProfileID.Get(); ok {
			code := strconv.Itoa(int(id))
			return []GroupKey{{Title: names.NameOf(model.NameProfile, code), Code: code}}
		}
		return []GroupKey{{Rank: 1, Title: words.ViewNoProfile().In(l)}}
	case BySite:
		code := ""
		if u != nil {
			code = u.Site.String()
		}
		if n, ok := r.UserSite.Get(); ok { // the site at which the agent is logged in
			code = strconv.FormatInt(n, 10)
		}
		if code == "" {
			return []GroupKey{{Rank: 1, Title: words.ViewNoSite().In(l)}}
		}
		return []GroupKey{{Title: names.NameOf(model.NameSite, code), Code: code}}
	case ByGroup:
	}
	if u == nil || len(u.Skillsets) == 0 {
		return []GroupKey{{Rank: 1, Title: words.ViewNoGroup().In(l)}}
	}
	out := make([]GroupKey, len(u.Skillsets))
	for n, code := range u.Skillsets {
		out[n] = GroupKey{Title: names.NameOf(model.NameGroup, code), Code: code}
	}
	return out
}

// OtherStateRank is the rank of states that are not in [render.StateOrder], because the documentation of
// the platform does not list them. The rank of an unknown state is one higher.
const OtherStateRank = 10

// StateRank returns the index of a state in [render.StateOrder]. For any other state, it returns
// OtherStateRank or, if the state is unknown, a rank one higher.
func StateRank(s model.UserStatus) int {
	order := render.StateOrder()
	const _ = uint(OtherStateRank-len(order)) + uint(len(order)-OtherStateRank) // does not compile unless both are equal
	switch index := slices.Index(order[:], s); {
	case s == "":
		return OtherStateRank + 1
	case index < 0:
		return OtherStateRank
	default:
		return index
	}
}
