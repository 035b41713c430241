package style_test

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// TestWidthOfPaintedText compares the width with that of the library, for text of any kind.
func TestWidthOfPaintedText(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"a", "─", "●", "é", "✓", "王", "e\u0301", "\x1b[m", "\x1b[1;38;2;1;2;3m", "\x1b[2K", "\x1b]8;;x\x07", "👩‍💻", " ", "\x1b", "[3m",
	})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
		if got, want := style.Width(s), ansi.StringWidth(s); got != want {
			t.Fatalf("%q is %d cells wide, want %d", s, got, want)
		}
	})
}

func TestLineKeepsItsWidth(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(0, 30).Draw(t, "width")
		l := style.NewLine(width, "…")
		for _, s := range rapid.SliceOf(rapid.StringOf(rapid.SampledFrom([]rune("a é日\u0301👍")))).Draw(t, "texts") {
			switch rapid.IntRange(0, 3).Draw(t, "how") {
			case 0:
				l.Add(themes.Style{Open: "\x1b[1m", Close: ansi.ResetStyle}, s)
			case 1:
				l.AddRaw(s, style.Width(s))
			case 2:
				l.AddNote(themes.Style{}, s)
			default:
				l.Space(themes.Style{}, len(s))
			}
			if l.UsedWidth() > width || l.RemainingWidth() < 0 {
				t.Fatalf("%d of %d cells are taken: %q", l.UsedWidth(), width, l.String())
			}
		}
		if got := style.Width(l.Finish(themes.Style{})); got != width {
			t.Fatalf("%d cells instead of %d: %q", got, width, l.String())
		}
	})
}

// TestLook checks the parts of a look.
func TestLook(t *testing.T) {
	t.Parallel()
	dark, err := themes.LoadEmbedded("dark")
	if err != nil {
		t.Fatal(err)
	}
	plain := style.New(style.Options{Theme: dark}, render.Options{})
	chosen := style.New(style.Options{Theme: dark, NamedTheme: true, ASCII: true}, render.Options{})
	if plain.Base() != "" || chosen.Base() == "" {
		t.Errorf("the base is %q, of a chosen theme %q", plain.Base(), chosen.Base())
	}
	if plain.Render == chosen.Render || !plain.BlankRender.BlankFigures || plain.Render.BlankFigures {
		t.Error("the options of package render are not those of the look")
	}
	clusters := style.New(style.Options{Theme: dark, WidthMethod: ansi.GraphemeWidth}, render.Options{})
	if plain.Render.WidthMethod != ansi.WcWidth || clusters.Render.WidthMethod != ansi.GraphemeWidth {
		t.Error("package render measures text in another way than the terminal")
	}
	if plain.FormatCountRange(1, 4) != "1–4" || chosen.FormatCountRange(1, 4) != "1-4" || chosen.Glyphs.Ellipsis != "~" {
		t.Errorf("%q and %q, %q", plain.FormatCountRange(1, 4), chosen.FormatCountRange(1, 4), chosen.Glyphs.Ellipsis)
	}
	if got := plain.JoinFirst([]string{"a", "b", "c"}, 2, ", "); got != "a, b, and 1 more" {
		t.Errorf("few of three are %q", got)
	}
}

// TestSharedLines checks that composed lines equal those of a board without a cache, and that boards
// with a cache share them.
func TestSharedLines(t *testing.T) {
	t.Parallel()
	var alone *style.DrawingCache
	shared := new(style.DrawingCache)
	base := "\x1b[48;5;17m"
	for _, l := range []string{"", "text", "\x1b[1mbold\x1b[m  "} {
		if got, want := shared.Join("│", l, "│"), alone.Join("│", l, "│"); got != want {
			t.Errorf("joined %q, want %q", got, want)
		}
		if got, want := shared.StyleOnBase(l, base), string(style.AppendOnBase(nil, l, base)); got != want {
			t.Errorf("on a base %q, want %q", got, want)
		}
	}
	if a, b := shared.Join("│", "text", "│"), shared.Join("│", "text", "│"); unsafe.StringData(a) != unsafe.StringData(b) {
		t.Error("two boards do not share a line")
	}
}
