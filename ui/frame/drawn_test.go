package frame

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
)

// TestFrameIsAsDrawnAnew checks that lines copied from the previous frame equal freshly
// drawn ones, in every theme.
func TestFrameIsAsDrawnAnew(t *testing.T) {
	t.Parallel()
	var looks []*style.Look
	for _, name := range themes.EmbeddedNames() {
		theme, err := themes.LoadEmbedded(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, chosen := range []bool{true, false} {
			looks = append(looks, style.New(style.Options{Theme: theme, NamedTheme: chosen, Depth: themes.DepthTrueColor}, render.Options{}))
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		line := rapid.SampledFrom([]string{"", "   ", "plain", "\x1b[1mbold\x1b[m and not", "\x1b[31mred\x1b[m  ", "two\x1b[m\x1b[m resets"})
		var f DrawnScreen
		for range rapid.IntRange(1, 12).Draw(rt, "frames") {
			lk := rapid.SampledFrom(looks).Draw(rt, "look")
			lines := rapid.SliceOfN(line, 0, 5).Draw(rt, "lines")
			rows := rapid.SliceOfN(line, 0, 3).Draw(rt, "rows")
			f.Begin()
			f.AppendLines(lk, lines...)
			f.AppendRows(func(yield func([]byte) bool) {
				for _, r := range rows {
					if !yield([]byte(r)) {
						return
					}
				}
			})
			f.AppendLines(lk, "the last")
			var want []byte
			for _, l := range lines {
				want = append(style.AppendOnBase(want, l, lk.Base()), '\n')
			}
			for _, r := range rows {
				want = append(append(want, r...), '\n')
			}
			want = style.AppendOnBase(want, "the last", lk.Base())
			if got := string(f.Bytes()); got != string(want) {
				rt.Fatalf("it is %q, want %q", got, want)
			}
		}
	})
}

// BenchmarkDrawnScreen puts a frame of 60 lines, five of which have changed, on a theme with a base
// color.
func BenchmarkDrawnScreen(b *testing.B) {
	theme, err := themes.LoadEmbedded("dark")
	if err != nil {
		b.Fatal(err)
	}
	lk := style.New(style.Options{Theme: theme, NamedTheme: true, Depth: themes.DepthTrueColor}, render.Options{})
	var frames [2][]string
	for i := range frames {
		for y := range 60 {
			text := fmt.Sprintf("line %d ", y)
			if y%12 == 0 {
				text = fmt.Sprintf("line %d of frame %d ", y, i)
			}
			frames[i] = append(frames[i], strings.Repeat("\x1b[1m"+text+"\x1b[m", 12))
		}
	}
	var f DrawnScreen
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f.Begin()
		f.AppendLines(lk, frames[i%2]...)
		f.Bytes()
	}
}
