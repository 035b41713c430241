package style_test

import (
	"image/color"
	"math"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/lucasb-eyer/go-colorful"

	"wallboard/themes"
	"wallboard/ui/chart"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// lookOf returns a look with a theme by name.
func lookOf(t *testing.T, name string, depth themes.Depth) *style.Look {
	t.Helper()
	theme, err := themes.LoadEmbedded(name)
	if err != nil {
		t.Fatal(err)
	}
	return style.New(style.Options{Theme: theme, NamedTheme: true, Depth: depth}, render.Options{})
}

// cellsOf returns the cells of a line.
func cellsOf(l string) []uv.Cell {
	s := uv.NewScreenBuffer(ansi.StringWidth(l), 1)
	uv.NewStyledString(l).Draw(s, s.Bounds())
	out := make([]uv.Cell, s.Width())
	for x := range out {
		out[x] = *s.CellAt(x, 0)
	}
	return out
}

// TestFadeKeepsTheSelectionInItsPlace fades a line whose left half is selected: the right half, which has
// a color or is in reverse video, must not look selected, and nothing may be underlined.
func TestFadeKeepsTheSelectionInItsPlace(t *testing.T) {
	t.Parallel()
	for _, name := range themes.EmbeddedNames() {
		for _, token := range []themes.Token{themes.Selection, themes.SelectionBlurred} {
			lk := lookOf(t, name, themes.DepthTrueColor)
			row := lk.Base() + lk.Theme.OpenSequence(token)
			l := row + "left " + lk.Theme.OpenSequence(themes.StateReady) + "green" + ansi.ResetStyle + row + " on" + ansi.ResetStyle
			l += lk.Base() + " right " + lk.Style(themes.StateTalking).Open + ansi.SGR(ansi.AttrReverse) + "block" + ansi.ResetStyle
			lines := []string{l, lk.Base() + "plain" + ansi.ResetStyle}
			lk.Fade(lines)
			if got, want := ansi.Strip(lines[0]), ansi.Strip(l); got != want {
				t.Fatalf("%s: %q, want %q", name, got, want)
			}
			want := cellsOf(lk.Style(token).Render("x"))[0].Style
			for x, c := range cellsOf(lines[0]) {
				const left = len("left green on")
				is := c.Style.Bg == want.Bg && c.Style.Attrs&want.Attrs == want.Attrs && c.Style.Underline == want.Underline
				if is != (x < left) {
					t.Errorf("%s, %s: %q at %d is selected: %v", name, token, c.Content, x, is)
				}
			}
			if c := cellsOf(lines[1])[0]; c.Style.Underline != 0 {
				t.Errorf("%s: all is underlined behind a dialog", name)
			}
		}
	}
}

// TestFadeKeepsAreasDark fades an area in the darkest shade: behind a dialog, it must not be more visible
// than before.
func TestFadeKeepsAreasDark(t *testing.T) {
	t.Parallel()
	for _, name := range themes.EmbeddedNames() {
		lk := lookOf(t, name, themes.DepthTrueColor)
		if lk.Base() == "" {
			continue
		}
		ground, was := lightness(lk.Theme.Background()), lk.Gradient(themes.Sparkline)[0].Fg+"██▄"+ansi.ResetStyle
		before := math.Abs(lightness(cellsOf(was)[0].Style.Fg) - ground)
		for at, l := range map[int]string{0: was, len("figure "): lk.Base() + "figure " + was + " more"} {
			lines := []string{l}
			lk.Fade(lines)
			const seen = 0.03
			if after := math.Abs(lightness(cellsOf(lines[0])[at].Style.Fg) - ground); after > before+seen {
				t.Errorf("%s: an area is %.2f from the background, was %.2f", name, after, before)
			}
		}
	}
}

// TestAreasOfASCIIAreReadable draws an area and a band of characters in visible colors.
func TestAreasOfASCIIAreReadable(t *testing.T) {
	t.Parallel()
	for _, name := range themes.EmbeddedNames() {
		theme, err := themes.LoadEmbedded(name)
		if err != nil {
			t.Fatal(err)
		}
		lk := style.New(style.Options{Theme: theme, ASCII: true, NamedTheme: true, Depth: themes.DepthTrueColor}, render.Options{})
		if lk.Base() == "" {
			continue
		}
		area := chart.Area{Width: 4, Height: 4, Set: lk.ChartGlyphs(), Shades: lk.Gradient(themes.Sparkline), Max: 4}
		band := lk.Band(nil, nil)
		for _, l := range append(area.Render([]float64{4, 4, 4, 4}), band.Shade.Fg+band.Glyph+ansi.ResetStyle) {
			const seen = 0.3 // minimum difference in lightness, where 1 is the difference between black and white
			if off := math.Abs(lightness(cellsOf(l)[0].Style.Fg) - lightness(theme.Background())); off < seen {
				t.Errorf("%s: %q is %.2f from the background", name, ansi.Strip(l), off)
			}
		}
	}
}

// lightness returns how light a color is, from 0 to 1.
func lightness(c color.Color) float64 {
	rgb, _ := colorful.MakeColor(c)
	light, _, _ := rgb.OkLab()
	return light
}
