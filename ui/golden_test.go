package ui

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"wallboard/internal/lib/testkit"
	"wallboard/themes"
	"wallboard/ui/pages"
)

// TestGolden compares every page at every size, without styles, with golden files.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {40, 12}} {
		for p := range pages.StandardCount {
			t.Run(fmt.Sprintf("%dx%d/%s", size[0], size[1], p), func(t *testing.T) {
				t.Parallel()
				b := newBoard(t, size[0], size[1])
				b.press(pageKey(p))
				golden.RequireEqual(t, b.text())
			})
		}
	}
}

func TestGoldenDetails(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{
		"service":  {"2", "enter"},
		"group":    {"3", "enter"},
		"agent":    {"4", "enter"},
		"campaign": {"5", "enter"},
	} {
		for _, w := range []int{80, 160} {
			t.Run(fmt.Sprintf("%s/%d", name, w), func(t *testing.T) {
				t.Parallel()
				b := newBoard(t, w, 40)
				b.press(keys...)
				golden.RequireEqual(t, b.text())
			})
		}
	}
}

// TestGoldenLooks compares every page with styles: in color, without color, and in ASCII.
func TestGoldenLooks(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("one goroutine draws")
	}
	for look, theme := range map[string]string{"dark": "dark", "monochrome": "monochrome", "ascii": "monochrome"} {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
			for p := range pages.StandardCount {
				t.Run(fmt.Sprintf("%s/%dx%d/%s", look, size[0], size[1], p), func(t *testing.T) {
					t.Parallel()
					b := newBoard(t, size[0], size[1], func(o *Options) {
						o.Display.Theme, o.Display.ASCII = mustTheme(t, theme), look == "ascii"
					})
					b.press(pageKey(p))
					golden.RequireEqual(t, b.View().Content)
				})
			}
		}
	}
}

func TestGoldenStyles(t *testing.T) {
	t.Parallel()
	for _, name := range themes.EmbeddedNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			theme, err := themes.LoadEmbedded(name)
			if err != nil {
				t.Fatal(err)
			}
			b := newBoard(t, 80, 24, func(o *Options) { o.Display.Theme = theme })
			golden.RequireEqual(t, b.View().Content)
		})
	}
}

func TestGoldenASCII(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, func(o *Options) {
		o.Display.ASCII = true
		o.Names = nil
	})
	golden.RequireEqual(t, b.text())
}

func TestTooSmall(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 20, 5)
	golden.RequireEqual(t, b.text())
	b = newBoard(t, 30, 8)
	b.shows("30x8")
	b.shows("40x12 at least")
}

func TestGoldenHelp(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 100, 30)
	b.press("?")
	golden.RequireEqual(t, ansi.Strip(b.View().Content))
}
