package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/pages"
)

// painted checks that every cell of the frame has colors.
func (b *board) painted() {
	b.t.Helper()
	cells := uv.NewScreenBuffer(b.width, b.height)
	uv.NewStyledString(b.View().Content).Draw(cells, cells.Bounds())
	for y := range b.height {
		for x := range b.width {
			if c := cells.CellAt(x, y); c == nil || c.Style.Fg == nil || c.Style.Bg == nil {
				b.t.Fatalf("%s, %v: cell %d,%d is the terminal's: %+v in\n%s",
					b.scene.look.Theme.Name, b.pages.Current, x, y, c, b.text())
			}
		}
	}
}

// TestChosenThemePaintsEveryCell checks all pages and dialogs: a light theme must be
// readable on a black terminal, a dark one on a white terminal.
func TestChosenThemePaintsEveryCell(t *testing.T) {
	t.Parallel()
	for _, name := range themes.EmbeddedNames() {
		theme := mustTheme(t, name)
		if theme.BaseSequence() == "" {
			continue
		}
		for _, size := range [][2]int{{80, 24}, {200, 60}, {30, 5}} {
			b := newBoard(t, size[0], size[1], func(o *Options) { o.Display.Theme = theme })
			for p := range pages.StandardCount {
				b.press(pageKey(p))
				b.painted()
			}
			for _, keys := range [][]string{
				{"2", "enter"}, {"esc", "4", "enter"}, {"?"}, {"x", ":", "t"}, {"esc", "/", "r"}, {"enter", "p"},
			} {
				b.press(keys...)
				b.painted()
			}
			b.link(func(l *model.Link) { l.State, l.Reason = model.LinkBackoff, "connection reset" })
			b.painted()
		}
	}
}

func TestOnlyAChosenThemePaints(t *testing.T) {
	t.Parallel()
	dark, light := mustTheme(t, "dark"), mustTheme(t, "light")
	names := themes.EmbeddedNames()
	next := mustTheme(t, names[(slices.Index(names, "dark")+1)%len(names)])
	auto := func(o *Options) { o.Display.Theme, o.Display.LightTheme = dark, light }
	for name, tt := range map[string]struct {
		options func(*Options)
		do      func(*board)
		want    string
	}{
		"by option":      {func(o *Options) { o.Display.Theme = light }, func(*board) {}, light.BaseSequence()},
		"auto":           {auto, func(*board) {}, ""},
		"auto, light":    {auto, func(b *board) { b.send(tea.BackgroundColorMsg{Color: light.Background()}) }, ""},
		"auto, then key": {auto, func(b *board) { b.nextTheme() }, next.BaseSequence()},
		"by palette": {auto, func(b *board) {
			b.press(":")
			b.words("theme dark")
			b.press("enter")
		}, dark.BaseSequence()},
		"terminal's own": {func(o *Options) { o.Display.Theme = mustTheme(t, "terminal-16") }, func(*board) {}, ""},
		"no colours": {func(o *Options) { o.Display.Theme = light }, func(b *board) {
			b.send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
			b.pass(time.Second)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBoard(t, 80, 24, tt.options)
			tt.do(b)
			if got := b.scene.look.Base(); got != tt.want {
				t.Errorf("the base is %q, want %q", got, tt.want)
			}
			for _, base := range []string{dark.BaseSequence(), light.BaseSequence()} {
				if tt.want == "" && strings.HasPrefix(b.View().Content, base) {
					t.Error("the frame is painted")
				}
			}
		})
	}
}

// nextTheme selects the next theme in the palette.
func (b *board) nextTheme() {
	b.t.Helper()
	names := b.themeSelector.Names()
	b.press(":")
	b.words("theme " + names[(slices.Index(names, b.scene.look.Theme.Name)+1)%len(names)])
	b.press("enter")
}

func TestThemeNeverLandsOnTheTerminalsColours(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24, func(o *Options) { o.Display.LightTheme = mustTheme(t, "light") })
	for range themes.EmbeddedNames() {
		b.nextTheme()
		if b.scene.look.Theme.Background() != nil {
			b.painted()
		} else if v := b.View(); v.BackgroundColor != nil || v.ForegroundColor != nil {
			t.Errorf("%s changes the terminal's colours", b.scene.look.Theme.Name)
		}
	}
}

// TestSixteenColours checks that themes whose colors a terminal cannot distinguish are
// replaced.
func TestSixteenColours(t *testing.T) {
	t.Parallel()
	dark, light := mustTheme(t, "dark"), mustTheme(t, "light")
	auto := func(o *Options) { o.Display.Theme, o.Display.LightTheme = dark, light }
	few := tea.ColorProfileMsg{Profile: colorprofile.ANSI}
	white := tea.BackgroundColorMsg{Color: light.Background()}
	for name, tt := range map[string]struct {
		options func(*Options)
		do      func(*board)
		want    string
	}{
		"by option":            {func(o *Options) { o.Display.Theme = light }, func(b *board) { b.send(few) }, themes.BasicName},
		"the background first": {auto, func(b *board) { b.send(white); b.send(few) }, themes.BasicName},
		"the colours first":    {auto, func(b *board) { b.send(few); b.send(white) }, themes.BasicName},
		"no theme with more":   {auto, func(b *board) { b.send(few); b.nextTheme(); b.nextTheme() }, themes.BasicName},
		"no colours":           {func(o *Options) { o.Display.Theme = mustTheme(t, "monochrome") }, func(b *board) { b.send(few) }, "monochrome"},
		"a terminal of 256":    {func(o *Options) { o.Display.Theme = light }, func(b *board) { b.send(tea.ColorProfileMsg{Profile: colorprofile.ANSI256}) }, "light"},
		"changed in configuration": {auto, func(b *board) {
			b.send(few)
			b.send(reloadMsg{reload: Reload{Options: b.changed(func(o *Options) {
				o.Display.Theme = mustTheme(t, "high-contrast")
				o.Display.LightTheme = themes.Theme{}
			})}})
		}, themes.BasicName},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBoard(t, 80, 24, tt.options)
			tt.do(b)
			if got := b.scene.look.Theme.Name; got != tt.want {
				t.Errorf("the theme is %s, want %s", got, tt.want)
			}
		})
	}
}
