package commands

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/model"
)

// describeRights describes a user's rights. A change of the text means a change of rights.
func describeRights(u *config.ServeUser) string {
	rights := []string{u.RoleName(), u.NameMode()}
	if u.SilenceAllowed != nil {
		rights = append(rights, map[bool]string{true: "may silence everything", false: "may not silence everything"}[*u.SilenceAllowed])
	}
	first := len(rights)
	for kind, codes := range map[string][]string{"services": u.Services, "groups": u.Groups} {
		if len(codes) > 0 {
			rights = append(rights, kind+" "+strings.Join(codes, " "))
		}
	}
	slices.Sort(rights[first:])
	if len(u.Platforms) > 0 {
		rights = append(rights, "platforms "+strings.Join(u.Platforms, " "))
	}
	if len(u.Sites) > 0 {
		rights = append(rights, "sites "+strings.Trim(fmt.Sprint(u.Sites), "[]"))
	}
	return strings.Join(rights, ", ")
}

// describeVisible describes what a user sees.
func describeVisible(u *config.ServeUser) string {
	part := u.Part()
	which := func(what string, codes []string) string {
		if len(codes) == 0 {
			return "all " + what
		}
		return what + " " + strings.Join(codes, " ")
	}
	sites := make([]string, 0, len(u.Sites))
	for _, n := range u.Sites {
		sites = append(sites, strconv.Itoa(n))
	}
	groups := which("groups", u.Groups)
	if part.DerivesGroups() {
		groups = "the groups in which everybody serves these services"
	}
	campaigns := "all campaigns"
	if !part.All() {
		campaigns = "no campaigns"
	}
	names := map[string]string{"full": "full names", "initials": "initials", "hidden": "no names"}[u.NameMode()]
	return strings.Join([]string{which("platforms", u.Platforms), which("services", u.Services), groups, which("sites", sites), campaigns, names}, ", ")
}

// Restrict returns a configuration without names and silences of records outside a part of
// the floor.
func Restrict(c *config.Config, part model.Part) *config.Config {
	if part.All() {
		return c
	}
	restricted := *c
	restricted.RTD.Names = slices.DeleteFunc(slices.Clone(c.RTD.Names), func(n config.Name) bool {
		switch kind := model.NameKind(n.Kind); kind { //nolint:exhaustive // other kinds are visible
		case model.NameService:
			return !Contains(part.Services, n.Code)
		case model.NameGroup: // groups that follow from services are filtered in the snapshot
			return !Contains(part.Groups, n.Code)
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

// Contains reports whether a code is in a list; an empty list contains all codes.
func Contains(list []string, code string) bool { return len(list) == 0 || slices.Contains(list, code) }

// restrictSilence restricts a planned silence to a part of the floor; remains is false if nothing
// is left.
func restrictSilence(s config.Silence, part model.Part) (_ config.Silence, remains bool) {
	all := len(s.Services) + len(s.Groups) + len(s.Campaigns)
	visible := func(list, of []string) []string {
		return slices.DeleteFunc(slices.Clone(list), func(code string) bool { return !Contains(of, code) })
	}
	s.Services, s.Groups, s.Campaigns = visible(s.Services, part.Services), visible(s.Groups, part.Groups), nil
	if part.DerivesGroups() {
		s.Groups = nil
	}
	remaining := len(s.Services) + len(s.Groups)
	if remaining < all {
		s.Name = "" // it may mention other records
	}
	return s, all == 0 || remaining > 0
}

// VisibilityOf returns what a user may see.
func VisibilityOf(u *config.ServeUser) hub.Visibility {
	return hub.Visibility{Names: model.NameMode(u.NameMode()), Part: u.Part()}
}
