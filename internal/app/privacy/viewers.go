package privacy

import (
	"cmp"
	"crypto/rand"
	"strconv"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/internal/hub"
	"wallboard/model"
)

// viewerClaims tests what each viewer can see of names.
func viewerClaims(c *config.Config) []claim {
	claims := []claim{{
		text: "A board on this machine shows full names to the user who starts it; a kiosk shows them " + cmp.Or(c.Kiosk.Names, string(model.NamesHidden)),
		test: "the mask of the kiosk was applied to invented people, and the result searched", problem: testMask(hub.Visibility{Names: model.NameMode(cmp.Or(c.Kiosk.Names, string(model.NamesHidden)))}, c),
	}}
	for i := range c.Serve.Users {
		u := &c.Serve.Users[i]
		v := app.VisibilityOf(u)
		limit := ""
		if u.NameMode() != string(model.NamesFull) && c.Privacy.SmallestGroup > 1 {
			limit = ", and no group with fewer than " + strconv.Itoa(c.Privacy.SmallestGroup) + " agents"
		}
		text := u.Name + " (" + u.RoleName() + ") sees names " + string(cmp.Or(v.Names, model.NamesFull))
		if !v.Part.IsWholeFloor() {
			text += " of a part of the floor"
		}
		claims = append(claims, claim{text: text + limit, test: "this user's filter and mask were applied to invented people, and the result searched", problem: testMask(v, c)})
	}
	return claims
}

// testMask applies the filter and the mask of a viewer to invented people, and returns what is
// wrong with the result, or "".
func testMask(v hub.Visibility, c *config.Config) string {
	s, names, outsider := inventedPeople(c.Privacy.SmallestGroup)
	v = v.HideSmallGroups(c.Privacy.SmallestGroup)
	seen := model.NewMask(v.Names, rand.Text(), c.Names()).Apply(model.NewPartFilter(v.Part).Apply(s))
	full := v.Names == model.NamesFull || v.Names == ""
	switch {
	case !v.Part.IsWholeFloor() && (findName(seen, outsider) != "" || seen.Users.Len() > len(names)/3):
		return "a person outside the part of the floor is visible"
	case full && v.Part.IsWholeFloor() && findName(seen, names) == "":
		return "the names are missing"
	case !full && findName(seen, append(names, outsider...)) != "":
		return "a name of an invented person is visible"
	case v.Part.MinGroup > 1 && hasGroup(seen, "G1"):
		return "a group with fewer agents than privacy.smallest_group is visible"
	}
	return ""
}
