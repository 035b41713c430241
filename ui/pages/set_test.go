package pages

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/model"
	"wallboard/ui/floorview"
	"wallboard/ui/panes"
)

// emptyPage is a page without tables. The tests call no other methods of [panes.Page].
type emptyPage struct {
	panes.Page
	name string
}

// Focused implements [panes.Page].
func (*emptyPage) Focused() *panes.RecordTable { return nil }

// testSet is a Set of empty pages.
type testSet struct {
	*Set
	keys    KeyMap
	created []string // names of the created pages
}

func newSet(specs []panes.PageSpec) *testSet {
	t := &testSet{keys: DefaultKeyMap(nil)}
	floor := &floorview.View{Channel: model.Call, LocalNow: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)}
	t.Set = New(Setup{Specs: specs, Floor: floor, Keys: &t.keys, Create: func(s panes.PageSpec) panes.Page {
		t.created = append(t.created, s.Name)
		return &emptyPage{name: s.Name}
	}})
	return t
}

// press presses keys and looks at the page after each of them.
func (t *testSet) press(names ...string) {
	for _, name := range names {
		t.Press(&t.keys, KeyPress(name))
		t.CurrentPage()
	}
}

// page returns the name of the page on the screen.
func (t *testSet) page() string { return t.NameOf(t.Current) }

// TestPagesAreCreatedOnFirstUse checks that a page is created when it is shown for the first time,
// and only then.
func TestPagesAreCreatedOnFirstUse(t *testing.T) {
	t.Parallel()
	p := newSet(DefaultSpecs())
	p.CurrentPage()
	p.press("3", "2", "1", "2")
	if got := fmt.Sprint(p.created); got != "[Overview Groups Services]" {
		t.Errorf("created %s", got)
	}
	if got := p.CurrentPage().(*emptyPage).name; got != "Services" {
		t.Errorf("the page is %s", got)
	}
}

// TestKeysOfPages checks which key each page has: the configured one, or else its number if it is
// free.
func TestKeysOfPages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		specs []panes.PageSpec
		want  string
	}{
		{DefaultSpecs(), "1 2 3 4 5 6 7 8 9 0 B"},
		{[]panes.PageSpec{{Name: "A"}, {Name: "B", Key: "1"}, {Name: "C"}}, "- 1 3"},
		{[]panes.PageSpec{{Name: "A", Key: "K"}, {Name: "B"}}, "K 2"},
	} {
		keys := keysOf(tt.specs)
		for i, k := range keys {
			if k == "" {
				keys[i] = "-"
			}
		}
		if got := strings.Join(keys, " "); got != tt.want {
			t.Errorf("keys %s, want %s", got, tt.want)
		}
	}
}

// TestEveryBoardHasSituationsAndFeed checks the pages that are appended to configured ones.
func TestEveryBoardHasSituationsAndFeed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		specs []panes.PageSpec
		want  string
	}{
		{nil, strings.Join(Names(), " ")},
		{[]panes.PageSpec{{Name: "Mine"}}, "Mine Situations Feed"},
		{[]panes.PageSpec{{Name: "Now", Builtin: "Alerts"}, {Name: "feed"}}, "Now feed"}, // Alerts is a former name
	} {
		if got := strings.Join(namesOf(CompleteSpecs(tt.specs)), " "); got != tt.want {
			t.Errorf("pages %s, want %s", got, tt.want)
		}
	}
}

// TestSitesPage checks the name and the key of the page Sites when they are in use already.
func TestSitesPage(t *testing.T) {
	t.Parallel()
	specs := AppendSites([]panes.PageSpec{{Name: "Mine"}})
	if s := specs[1]; s.Name != SitesName || s.Key != "f2" || !IsSites(s) {
		t.Errorf("page %+v", s)
	}
	specs = AppendSites([]panes.PageSpec{{Name: "sites", Key: "f2"}})
	if s := specs[1]; s.Name == SitesName || s.Key != "" || !IsSites(s) {
		t.Errorf("page %+v beside another page Sites", s)
	}
}

// TestNeighbors checks that the first page follows the last one.
func TestNeighbors(t *testing.T) {
	t.Parallel()
	p := newSet([]panes.PageSpec{{Name: "A"}, {Name: "B"}, {Name: "C"}})
	var seen []string
	for range 3 {
		p.press("]")
		seen = append(seen, p.page())
	}
	p.press("[")
	seen = append(seen, p.page())
	if want := []string{"B", "C", "A", "C"}; !slices.Equal(seen, want) {
		t.Errorf("pages %v, want %v", seen, want)
	}
}

// TestBackFromAJump checks that Back returns to the page and the channel before a jump, and that
// another page of the viewer's choice restores only the channel.
func TestBackFromAJump(t *testing.T) {
	t.Parallel()
	p := newSet(DefaultSpecs())
	p.JumpTo(Overview, model.Chat) // jumps to the current page on another channel
	if p.floor.Channel != model.Chat {
		t.Fatalf("channel %s", p.floor.Channel)
	}
	p.press("esc")
	if p.page() != "Overview" || p.floor.Channel != model.Call {
		t.Errorf("back at %s on %s", p.page(), p.floor.Channel)
	}
	p.press("4")
	p.JumpTo(Feed, model.Chat)
	p.press("esc")
	if p.page() != "Agents" || p.floor.Channel != model.Call {
		t.Errorf("back at %s on %s", p.page(), p.floor.Channel)
	}
	p.JumpTo(Feed, model.Chat)
	p.press("2")
	if p.page() != "Services" || p.floor.Channel != model.Call {
		t.Errorf("at %s on %s", p.page(), p.floor.Channel)
	}
	p.press("esc")
	if p.page() != "Services" {
		t.Errorf("a jump is undone twice: %s", p.page())
	}
}

// TestRecreate checks that the current page stays the same when the pages change, and that the first
// one replaces it if it is removed.
func TestRecreate(t *testing.T) {
	t.Parallel()
	p := newSet([]panes.PageSpec{{Name: "A"}, {Name: "B"}})
	p.press("2")
	p.Recreate(nil, []panes.PageSpec{{Name: "B"}, {Name: "C"}}, false)
	if p.page() != "B" || p.Current != 0 {
		t.Errorf("page %s", p.page())
	}
	p.press("2")
	p.Recreate(nil, []panes.PageSpec{{Name: "D"}, {Name: "B"}}, false)
	if p.page() != "D" {
		t.Errorf("page %s", p.page())
	}
}

// CopyStateFrom implements [panes.Page].
func (*emptyPage) CopyStateFrom(*panes.Scene, panes.Page) {}
