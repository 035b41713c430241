package ui

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"wallboard/ui/kiosk"
)

// heavyTitles returns the titles after a heavy corner or rule, with the keys before them.
func heavyTitles(b *board, heavy string) []string {
	var out []string
	title := regexp.MustCompile(regexp.QuoteMeta(heavy) + ` (\d [A-Z][a-z]+) [━=]`)
	for _, found := range title.FindAllStringSubmatch(b.text(), -1) {
		out = append(out, found[1])
	}
	return out
}

// TestFocusedPartIsUnmistakable checks that the lines of one part are heavy, the one that has
// the keyboard, and that its title begins with the key of its page.
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
			b := newBoard(t, tt.w, tt.h, func(o *Options) {
				o.Theme = mustTheme(t, "monochrome")
				o.ASCII = tt.ascii
			})
			b.press("tab") // from the situations
			if got := heavyTitles(b, tt.heavy); !slices.Equal(got, []string{"2 Services"}) {
				t.Errorf("%q have the keyboard:\n%s", got, b.text())
			}
			b.press("tab")
			if got := heavyTitles(b, tt.heavy); !slices.Equal(got, []string{"5 Campaigns"}) {
				t.Errorf("after tab %q have the keyboard:\n%s", got, b.text())
			}
		})
	}
}

// TestFramesHaveKeys checks that the frame of the part with the keyboard names its keys, and no
// other frame, and that a wall names none.
func TestFramesHaveKeys(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 160, 60)
	b.shows("┗━ enter open ━ w why ━ m take over ━")
	b.press("tab")
	b.shows("┗━ enter open ━ / filter ━ s sort ━ w why ━")
	b.shows("╭ 7 Now ─")
	b.shows("4 Agents by state ─")
	if n := strings.Count(b.text(), " / filter "); n != 2 { // the frame and the footer
		t.Errorf("%d lines name the filter:\n%s", n, b.text())
	}
	wall := newBoard(t, 160, 60, func(o *Options) { o.Kiosk = &kiosk.Options{Pages: []string{"Overview"}} })
	wall.hides("enter open")
	wall.hides("2 Services")
}

// TestServiceLevelTileIsWide checks that the tile of the service level is twice as wide as the
// others, with its target and budget, and that it keeps its width while figures are blank.
func TestServiceLevelTileIsWide(t *testing.T) {
	t.Parallel()
	frame := regexp.MustCompile(`╭ (Service level|ASA) ─+╮`)
	for _, size := range [][2]int{{100, 30}, {120, 40}, {160, 60}, {200, 60}} {
		b := newBoard(t, size[0], size[1])
		widths := map[string]int{}
		for _, f := range frame.FindAllStringSubmatch(b.text(), -1) {
			widths[f[1]] = utf8.RuneCountInString(f[0])
		}
		if other := widths["ASA"]; size[0] > 100 && (widths["Service level"] < 2*other || widths["Service level"] > 2*other+3) {
			t.Errorf("at %dx%d the tiles are %v wide:\n%s", size[0], size[1], widths, b.text())
		}
		b.shows("target 80.0 %, 48 late calls left")
	}
}
