package ui

import (
	"testing"

	"wallboard/ui/pages"

	uv "github.com/charmbracelet/ultraviolet"
)

// cells draws a frame on a screen buffer.
func (b *board) cells(frame string) uv.ScreenBuffer {
	s := uv.NewScreenBuffer(b.width, b.height)
	uv.NewStyledString(frame).Draw(s, s.Bounds())
	return s
}

// TestBareFrames compares frames of a bare page with the same frames composed of lines.
func TestBareFrames(t *testing.T) {
	t.Parallel()
	painted := func(o *Options) { o.Display.Theme = mustTheme(t, "light") }
	unpainted := func(o *Options) { o.Display.LightTheme = mustTheme(t, "light") }
	for name, look := range map[string]func(*Options){"painted": painted, "unpainted": unpainted} {
		for _, size := range [][2]int{{40, 12}, {80, 24}, {119, 60}} {
			b := newBoardOn(t, newTestFloor(200), size[0], size[1], look)
			for _, keys := range [][]string{{"4"}, {"down"}, {"/", "r"}, {"enter"}, {"/", "zzz", "enter"}, {"esc"}, {"end"}} {
				b.press(keys...)
				if b.painter.onlyTable() == nil {
					t.Fatalf("%v is not bare", b.pages.Current)
				}
				bare := b.cells(b.View().Content)
				b.painter.drawn.Begin()
				b.painter.drawn.AppendLines(b.scene.look, b.painter.pageLines()...)
				whole := b.cells(string(b.Frame()))
				for i := range b.width * b.height {
					x, y := i%b.width, i/b.width
					got, want := *bare.CellAt(x, y), *whole.CellAt(x, y)
					got.Style.Attrs &^= uv.AttrConceal
					want.Style.Attrs &^= uv.AttrConceal
					if !got.Equal(&want) {
						t.Fatalf("%s, %v, %v: cell %d,%d is %+v, want %+v", name, size, keys, x, y, got, want)
					}
				}
			}
		}
	}
}

// TestPaintedLinesAreWrittenToTheirEnd checks that trailing blanks are not erased, which
// some terminals do in their own color.
func TestPaintedLinesAreWrittenToTheirEnd(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 200, 60, func(o *Options) { o.Display.Theme = mustTheme(t, "light") })
	for p := range pages.StandardCount {
		b.press(pageKey(p))
		s := b.cells(b.View().Content)
		for y := range b.height {
			if c := s.CellAt(b.width-1, y); c.Content == " " && c.Style.Attrs&uv.AttrConceal == 0 {
				t.Errorf("%v: line %d ends in a blank that can be erased", p, y)
			}
		}
	}
}
