package commands

import (
	"strconv"
	"strings"

	"wallboard/internal/config"
)

// describeVisibility describes the part of the floor that a user sees, and how people are named.
func describeVisibility(u *config.ServeUser) string {
	part := u.Part()
	describe := func(what string, codes []string) string {
		if len(codes) == 0 {
			return "all " + what
		}
		return what + " " + strings.Join(codes, " ")
	}
	sites := make([]string, 0, len(u.Sites))
	for _, n := range u.Sites {
		sites = append(sites, strconv.Itoa(n))
	}
	groups := describe("groups", u.Groups)
	if part.DerivesGroups() {
		groups = "the groups in which everybody serves these services"
	}
	campaigns := "all campaigns"
	if !part.IsWholeFloor() {
		campaigns = "no campaigns"
	}
	names := map[string]string{"full": "full names", "initials": "initials", "hidden": "no names"}[u.NameMode()]
	return strings.Join([]string{describe("platforms", u.Platforms), describe("services", u.Services), groups, describe("sites", sites), campaigns, names}, ", ")
}
