package panes_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"wallboard/ui"
	"wallboard/ui/kiosk"
	"wallboard/ui/uitest"
)

// heavyTitles returns the titles after a heavy corner or rule, with the keys before them.
func heavyTitles(b *uitest.Board, heavy string) []string {
	var out []string
	title := regexp.MustCompile(regexp.QuoteMeta(heavy) + ` (\d [A-Z][a-z]+) [━=]`)
	for _, found := range title.FindAllStringSubmatch(b.Text(), -1) {
		out = append(out, found[1])
	}
	return out
}

// TestFocusedPartIsUnmistakable checks that only the part that has the keyboard focus has heavy lines,
// and that its title begins with the key of its page.
func TestFocusedPartIsUnmistakable(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		w, h  int
		heavy string
		ascii bool
	}{
		"frames":            {160, 60, "┏", false},
		"headings":          {100, 44, "━", false},
		"frames in ASCII":   {160, 60, "#", true},
		"headings in ASCII": {100, 44, "=", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBoard(t, tt.w, tt.h, func(o *ui.Options) {
				o.Display.Theme = uitest.Theme(t, "monochrome")
				o.Display.ASCII = tt.ascii
			})
			b.Press("tab") // moves the focus away from the situations
			if got := heavyTitles(b, tt.heavy); !slices.Equal(got, []string{"2 Services"}) {
				t.Errorf("%q have the keyboard:\n%s", got, b.Text())
			}
			b.Press("tab")
			if got := heavyTitles(b, tt.heavy); !slices.Equal(got, []string{"5 Campaigns"}) {
				t.Errorf("after tab %q have the keyboard:\n%s", got, b.Text())
			}
		})
	}
}

// TestFramesHaveKeys checks that only the frame of the part with the keyboard focus shows keys, and that
// a wall shows none.
func TestFramesHaveKeys(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 160, 60)
	b.CheckShows("┗━ enter open ━ w why ━ m take over ━")
	b.Press("tab")
	b.CheckShows("┗━ enter open ━ / filter ━ s sort ━ w why ━")
	b.CheckShows("╭ 7 Now ─")
	b.CheckShows("4 Agents by state ─")
	if n := strings.Count(b.Text(), " / filter "); n != 2 { // in the frame and in the footer
		t.Errorf("%d lines name the filter:\n%s", n, b.Text())
	}
	wall := newBoard(t, 160, 60, func(o *ui.Options) { o.Kiosk = &kiosk.Options{Pages: []string{"Overview"}} })
	wall.CheckHides("enter open")
	wall.CheckHides("2 Services")
}

// TestServiceLevelTileIsWide checks that the tile of the service level is twice as wide as the
// others, with its target and budget, and that it keeps its width while figures are blank.
func TestServiceLevelTileIsWide(t *testing.T) {
	t.Parallel()
	frame := regexp.MustCompile(`╭ (Service level|ASA) ─+╮`)
	for _, size := range [][2]int{{100, 30}, {120, 40}, {160, 60}, {200, 60}} {
		b := newBoard(t, size[0], size[1])
		widths := map[string]int{}
		for _, f := range frame.FindAllStringSubmatch(b.Text(), -1) {
			widths[f[1]] = utf8.RuneCountInString(f[0])
		}
		if other := widths["ASA"]; size[0] > 100 && (widths["Service level"] < 2*other || widths["Service level"] > 2*other+3) {
			t.Errorf("at %dx%d the tiles are %v wide:\n%s", size[0], size[1], widths, b.Text())
		}
		b.CheckShows("target 80.0 %, 48 late calls left")
	}
}
