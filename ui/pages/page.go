package pages

import (
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/ui/panes"
)

// ID is the index of a page among the tabs. The constants are the indexes of the standard pages if
// the configuration defines no pages.
type ID int

// The standard pages.
const (
	Overview ID = iota
	Services
	Groups
	Agents
	Campaigns
	Attendants
	Situations
	History
	Feed
	Wall
	Breaks

	StandardCount // number of standard pages
)

// String returns the name of a standard page.
func (p ID) String() string {
	return [...]string{
		"Overview", "Services", "Groups", "Agents", "Campaigns", "Attendants", "Situations", "History", "Feed", "Wall", BreaksName,
	}[p]
}

// Title returns the name of a standard page for viewers.
func (p ID) Title() words.Text {
	return [...]func() words.Text{
		words.PageOverview, words.PageServices, words.PageGroups, words.PageAgents, words.PageCampaigns, words.PageAttendants,
		words.PageSituations, words.PageHistory, words.PageFeed, words.PageWall, words.PageBreaks,
	}[p]()
}

// titleOf returns the name of a page for viewers. A name from the configuration is the same in all
// languages, unless it is that of the standard page.
func titleOf(s panes.PageSpec) words.Text {
	if p, ok := FindStandard(s.Builtin); ok && textnorm.SameName(s.Name, p.String()) {
		return p.Title()
	}
	if IsSites(s) {
		for _, title := range []words.Text{words.PageSites(), words.PageAllPlatforms()} {
			if s.Name == title.In(nil) {
				return title
			}
		}
	}
	return words.Name(s.Name)
}

// Names returns the names of the standard pages, for use in the configuration.
func Names() []string {
	names := make([]string, 0, StandardCount)
	for p := range StandardCount {
		names = append(names, p.String())
	}
	return names
}

// oldNames maps former names of standard pages to the pages. Configurations may still contain the
// former names.
var oldNames = map[string]ID{"alerts": Situations}

// IsStandard reports whether s is the spec of the given standard page.
func IsStandard(s panes.PageSpec, standard ID) bool {
	p, ok := FindStandard(s.Builtin)
	return ok && p == standard
}

// DefaultSpecs returns the specs of the standard pages, for a board whose configuration defines no
// pages.
func DefaultSpecs() []panes.PageSpec {
	out := make([]panes.PageSpec, StandardCount)
	for p := range StandardCount {
		out[p] = panes.PageSpec{Name: p.String(), Builtin: p.String()}
	}
	return out
}

// AreStandard reports whether specs begins with all standard pages, in the order of [DefaultSpecs].
func AreStandard(specs []panes.PageSpec) bool {
	for p := range StandardCount {
		if int(p) >= len(specs) || !IsStandard(specs[p], p) {
			return false
		}
	}
	return true
}

// CompleteSpecs returns specs with the pages Situations and Feed appended if they are missing,
// because every board must have these pages. If specs is empty, it returns [DefaultSpecs].
func CompleteSpecs(specs []panes.PageSpec) []panes.PageSpec {
	if len(specs) == 0 {
		return DefaultSpecs()
	}
	out := slices.Clone(specs)
	for _, p := range []ID{Situations, Feed} {
		has := func(s panes.PageSpec) bool {
			return IsStandard(s, p) || strings.EqualFold(s.Name, p.String())
		}
		if !slices.ContainsFunc(out, has) {
			out = append(out, panes.PageSpec{Name: p.String(), Builtin: p.String()})
		}
	}
	return out
}

// FindStandard returns the standard page with the given current or former name, regardless of case.
// The bool result is false if there is no such page.
func FindStandard(name string) (ID, bool) {
	for p := range StandardCount {
		if textnorm.SameName(p.String(), name) {
			return p, true
		}
	}
	p, ok := oldNames[strings.ToLower(name)]
	return p, ok
}

func namesOf(specs []panes.PageSpec) []string {
	out := make([]string, len(specs))
	for i, s := range specs {
		out[i] = s.Name
	}
	return out
}

// breaksKey is the default key of the standard page Breaks.
const breaksKey = "B"

// keysOf returns the key of each page. By default, the key of a page is its number (0 for the tenth
// page), unless another page has this key. The key of Breaks is breaksKey if Breaks has no other
// key and breaksKey is free. Pages without a key have "".
func keysOf(specs []panes.PageSpec) []string {
	out := make([]string, len(specs))
	for i, s := range specs {
		out[i] = s.Key
	}
	for i := range min(len(out), 10) {
		if number := strconv.Itoa((i + 1) % 10); out[i] == "" && !slices.Contains(out, number) {
			out[i] = number
		}
	}
	for i, s := range specs {
		if out[i] == "" && IsStandard(s, Breaks) && !slices.Contains(out, breaksKey) {
			out[i] = breaksKey
		}
	}
	return out
}

// AppendSites returns specs with the page Sites appended. This page shows all platforms.
func AppendSites(specs []panes.PageSpec) []panes.PageSpec {
	page := panes.PageSpec{Name: SitesName, Builtin: SitesName, Key: "f2"}
	for _, s := range specs {
		if strings.EqualFold(s.Name, page.Name) {
			page.Name = words.PageAllPlatforms().In(nil)
		}
		if s.Key == page.Key {
			page.Key = ""
		}
	}
	return append(slices.Clone(specs), page)
}

// IsSites reports whether s is the spec of the page Sites.
func IsSites(s panes.PageSpec) bool { return s.Builtin == SitesName }
