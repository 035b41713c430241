package ui

import (
	"strings"
	"testing"

	"wallboard/model"
)

// TestRowsMarkNews checks the marks of rows with new or ended alerts: color where motion is
// allowed, and always a glyph.
func TestRowsMarkNews(t *testing.T) {
	t.Parallel()
	for _, still := range []bool{false, true} {
		b := newBoardOn(t, quietFloor(), 120, 40, func(o *Options) { o.Display.Flash = !still })
		b.press("2")
		b.seconds(10)
		cell := func(name string) (sign string, styled bool) {
			t.Helper()
			l, y := b.row(name)
			at := len([]rune(l[:strings.Index(l, name)]))
			s := b.cells(b.View().Content)
			c, was := s.CellAt(at, y), s.CellAt(at+len(name)+1, y)
			return s.CellAt(at-1, y).Content, c.Style.Fg != was.Style.Fg || c.Style.Bg != was.Style.Bg
		}
		for _, what := range []struct {
			longest int64
			sign    string
		}{{70, "*"}, {0, "✓"}} {
			b.floor.wait(model.Call, what.longest)
			seen := 0
			for range 60 {
				b.publish()
				b.seconds(1)
				sign, styled := cell("Sales Italy")
				if sign == what.sign {
					if seen++; styled == still {
						t.Errorf("still %v: the row of %s has another colour: %v", still, what.sign, styled)
					}
				} else if seen > 0 {
					break
				}
			}
			if seen < 3 || seen > 5 {
				t.Errorf("still %v: the sign %s is there for %d seconds\n%s", still, what.sign, seen, b.text())
			}
		}
	}
}
