package ui

import (
	"slices"
	"strconv"
	"strings"

	"wallboard/internal/lib/textnorm"
	"wallboard/ui/dialog"
	"wallboard/ui/fixedpages"
	"wallboard/ui/history"
	"wallboard/ui/keymap"
	"wallboard/ui/panes"
)

// pageID is the index of a page among the tabs. The constants are the indexes of the
// standard pages if the configuration defines no pages.
type pageID int

const (
	pageOverview pageID = iota
	pageServices
	pageGroups
	pageAgents
	pageCampaigns
	pageAttendants
	pageSituations
	pageHistory
	pageFeed
	pageWall
	pageBreaks

	numPages
)

// String returns the name of a standard page.
func (p pageID) String() string {
	return [...]string{
		"Overview", "Services", "Groups", "Agents", "Campaigns", "Attendants", "Situations", "History", "Feed", "Wall", fixedpages.BreaksName,
	}[p]
}

// Pages returns the names of the standard pages, for the configuration.
func Pages() []string {
	names := make([]string, 0, numPages)
	for p := range numPages {
		names = append(names, p.String())
	}
	return names
}

// oldPageNames maps former names of standard pages to their pages, because configurations may still
// use the former names.
var oldPageNames = map[string]pageID{"alerts": pageSituations}

// isStandard reports whether a spec is that of the given standard page.
func isStandard(s panes.PageSpec, standard pageID) bool {
	p, ok := standardPage(s.Builtin)
	return ok && p == standard
}

// DefaultPages returns the specs of the standard pages, for a board whose configuration defines no
// pages.
func DefaultPages() []panes.PageSpec {
	out := make([]panes.PageSpec, numPages)
	for p := range numPages {
		out[p] = panes.PageSpec{Name: p.String(), Builtin: p.String()}
	}
	return out
}

// areStandard reports whether specs begin with all standard pages in the order of [DefaultPages].
func areStandard(specs []panes.PageSpec) bool {
	for p := range numPages {
		if int(p) >= len(specs) || !isStandard(specs[p], p) {
			return false
		}
	}
	return true
}

// completePages returns specs with the pages Situations and Feed appended if they are missing,
// because every board must have them. For no specs it returns [DefaultPages].
func completePages(specs []panes.PageSpec) []panes.PageSpec {
	if len(specs) == 0 {
		return DefaultPages()
	}
	out := slices.Clone(specs)
	for _, p := range []pageID{pageSituations, pageFeed} {
		has := func(s panes.PageSpec) bool {
			return isStandard(s, p) || strings.EqualFold(s.Name, p.String())
		}
		if !slices.ContainsFunc(out, has) {
			out = append(out, panes.PageSpec{Name: p.String(), Builtin: p.String()})
		}
	}
	return out
}

// newPage creates the page that a spec describes.
func newPage(sc *scene, dialogs *dialog.Stack, keys *keymap.Map, spec panes.PageSpec) panes.Page {
	if isSites(spec) {
		return fixedpages.NewSites(sc.paneScene(), func() []fixedpages.PlatformRow { return sc.platforms.siteRows(sc.floor.Channel, sc) }, fixedpages.SitesKeys{Open: &keys.Open, Pane: &keys.Pane, Next: &keys.NextPlatform, IsAction: keys.Act.IsAction})
	}
	switch p, ok := standardPage(spec.Builtin); {
	case !ok:
		return panes.NewPage(sc.paneScene(), &keys.Pane, spec)
	case p == pageBreaks:
		return fixedpages.NewBreaks(sc.paneScene(), fixedpages.BreaksKeys{Open: &keys.Open, Pane: &keys.Pane})
	case p == pageHistory:
		board := history.Board{Reader: sc.History, Dialogs: dialogs, Floor: &sc.floor, Save: sc.Save, Kiosk: sc.kiosk != nil, NoReaderReason: sc.Archive.NoHistoryReason}
		if !board.Kiosk {
			board.Recording = sc.archive(nil).History()
		}
		return history.New(board, &keys.History, keys.SharedWithHistory())
	default:
		return panes.NewPage(sc.paneScene(), &keys.Pane, panes.StandardPage(p.String()))
	}
}

// standardPage returns the standard page with a current or former name, ignoring case. The bool
// result is false if there is none.
func standardPage(name string) (pageID, bool) {
	for p := range numPages {
		if textnorm.SameName(p.String(), name) {
			return p, true
		}
	}
	p, ok := oldPageNames[strings.ToLower(name)]
	return p, ok
}

// pageNamesOf returns the names of pages.
func pageNamesOf(specs []panes.PageSpec) []string {
	out := make([]string, len(specs))
	for i, s := range specs {
		out[i] = s.Name
	}
	return out
}

// breaksKey is the key of the standard page Breaks.
const breaksKey = "B"

// pageKeysOf returns the key of each page: the configured key, or else the number of the page if no
// other page has that key. A page without a key has "", except that Breaks then gets breaksKey.
func pageKeysOf(specs []panes.PageSpec) []string {
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
		if out[i] == "" && isStandard(s, pageBreaks) && !slices.Contains(out, breaksKey) {
			out[i] = breaksKey
		}
	}
	return out
}
