package commands

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/config"
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
