package app

import (
	"slices"

	"wallboard/internal/alert"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/model"
)

// Restrict returns a copy of a configuration without the names and silences of records outside
// part. Campaigns and profiles count as outside any part. If part is the whole floor, Restrict
// returns c.
func Restrict(c *config.Config, part model.FloorPart) *config.Config {
	if part.IsWholeFloor() {
		return c
	}
	restricted := *c
	restricted.RTD.Names = slices.DeleteFunc(slices.Clone(c.RTD.Names), func(n config.Name) bool {
		switch kind := model.NameKind(n.Kind); kind { //nolint:exhaustive // other kinds are visible
		case model.NameService:
			return !isSelected(part.Services, n.Code)
		case model.NameGroup: // if visible groups follow from visible services, the snapshot hides the names of other groups
			return !isSelected(part.Groups, n.Code)
		case model.NameCampaign, model.NameProfile:
			return true
		}
		return false
	})
	restricted.Silences = nil
	for _, s := range c.Silences {
		if s, remains := restrictSilence(s, part); remains {
			restricted.Silences = append(restricted.Silences, s)
		}
	}
	return &restricted
}

// VisibleRules returns the alert rules that a viewer may see: all rules for the whole floor with full names;
// otherwise no rule about listed agents, and in other rules only the codes in the viewer's part of the floor.
func VisibleRules(rules []alert.Rule, v hub.Visibility) []alert.Rule {
	isWhole, seesNames := v.Part.IsWholeFloor(), v.Names == model.NamesFull || v.Names == ""
	if isWhole && seesNames {
		return rules
	}
	var visible []alert.Rule
	for _, r := range rules {
		if len(r.Codes) > 0 {
			of := map[alert.Scope][]string{alert.Service: v.Part.Services, alert.Group: v.Part.Groups}[r.Scope]
			isHidden := r.Scope == alert.User || !isWhole && (r.Scope == alert.Campaign || r.Scope == alert.Group && v.Part.DerivesGroups())
			r.Codes = slices.DeleteFunc(slices.Clone(r.Codes), func(code string) bool { return isHidden || !isSelected(of, code) })
			if len(r.Codes) == 0 {
				continue
			}
		}
		visible = append(visible, r)
	}
	return visible
}

// isSelected reports whether list contains code. An empty list selects all codes.
func isSelected(list []string, code string) bool {
	return len(list) == 0 || slices.Contains(list, code)
}

// restrictSilence restricts a planned silence to a part of the floor. remains is false if the
// silence applies to no record in the part.
func restrictSilence(s config.Silence, part model.FloorPart) (_ config.Silence, remains bool) {
	all := len(s.Services) + len(s.Groups) + len(s.Campaigns)
	visible := func(list, of []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(code string) bool { return !isSelected(of, code) })
	}
	s.Services, s.Groups, s.Campaigns = visible(s.Services, part.Services), visible(s.Groups, part.Groups), nil
	if part.DerivesGroups() {
		s.Groups = nil
	}
	remaining := len(s.Services) + len(s.Groups)
	if remaining < all {
		s.Name = "" // the name may mention records outside the part
	}
	return s, all == 0 || remaining > 0
}

// VisibilityOf returns the part of the floor that a user may see, and how the user sees the names
// of agents.
func VisibilityOf(u *config.ServeUser) hub.Visibility {
	return hub.Visibility{Names: model.NameMode(u.NameMode()), Part: u.Part()}
}
