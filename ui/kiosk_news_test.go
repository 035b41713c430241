package ui

import (
	"image/color"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/kiosk"
)

// TestKioskMarksNews checks the marks of new and ended situations on a service's card:
// color where motion is allowed, and always a glyph and a word.
func TestKioskMarksNews(t *testing.T) {
	t.Parallel()
	for _, still := range []bool{false, true} {
		b := newBoardOn(t, quietFloor(), 120, 40, onWall(func(k *kiosk.Options) { k.Pages = []string{"Services"} }), func(o *Options) { o.Display.Flash = !still })
		b.seconds(10)
		b.hides("Sales Italy", "*")
		colours := func(of string) string {
			t.Helper()
			for _, l := range strings.Split(b.View().Content, "\n") {
				if before, _, is := strings.Cut(l, of); is && strings.ContainsAny(before, "╭┏") {
					return before[strings.LastIndex(before, "\x1b"):]
				}
			}
			t.Fatalf("%q is not there:\n%s", of, b.text())
			return ""
		}
		b.floor.wait(model.Call, 70)
		b.publish()
		b.seconds(1)
		b.shows("* Sales Italy")
		b.shows("new, action needed")
		began := colours("* Sales Italy")
		b.seconds(6)
		b.hides("* Sales Italy")
		b.hides("new, action")
		if lasts := colours("Sales Italy"); (began != lasts) == still {
			t.Errorf("still %v: a new situation is drawn with %q, later with %q", still, began, lasts)
		}
		b.floor.wait(model.Call, 0)
		for range 60 {
			b.publish()
			b.seconds(1)
			if strings.Contains(b.text(), "✓ Sales Italy") {
				break
			}
		}
		b.shows("✓ Sales Italy")
		b.shows("resolved")
		ended := colours("✓ Sales Italy")
		b.seconds(6)
		b.hides("resolved")
		if lasts := colours("Sales Italy"); (ended != lasts) == still {
			t.Errorf("still %v: a recovered situation is drawn with %q, later with %q", still, ended, lasts)
		}
	}
}

// TestKioskRingsOnce checks that a critical situation rings once.
func TestKioskRingsOnce(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, quietFloor(), 120, 40, onWall(front(alert.Critical)))
	b.seconds(2)
	bells := 0
	b.floor.wait(model.Call, 70)
	for range 30 {
		b.Now = b.Now.Add(time.Second)
		bells += b.bells(snapshotMsg{Snapshot: b.floor.publish()})
	}
	if bells != 1 {
		t.Errorf("%d bells in half a minute of one critical situation, want 1", bells)
	}
}

// TestKioskFrameIsWhole checks that all edges have the same color while something is
// critical.
func TestKioskFrameIsWhole(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, onWall(), func(o *Options) { o.Display.Theme = mustTheme(t, "dark") })
	b.seconds(1)
	if critical, warning := b.scene.alerts.Alarms().PresentSituations.Counts(); critical == 0 || warning == 0 {
		t.Fatalf("the floor has %d critical situations and %d others", critical, warning)
	}
	for range 130 {
		b.seconds(1)
		s := b.cells(b.View().Content)
		want := s.CellAt(0, 1).Style.Bg
		for y := range b.height {
			for x := range b.width {
				edge := x == 0 || y == 0 || x == b.width-1 || y == b.height-1
				if got := s.CellAt(x, y).Style.Bg; edge && (got == nil || got != want) {
					t.Fatalf("the edge has %v at %d,%d, and %v elsewhere:\n%s", got, x, y, want, b.text())
				}
			}
		}
	}
}

// TestCalmKioskIsNearlyMonochrome counts the colored cells of a calm kiosk, except the
// states of agents.
func TestCalmKioskIsNearlyMonochrome(t *testing.T) {
	t.Parallel()
	const most = 0.1
	for _, theme := range []string{"dark", "light"} {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {160, 45}, {200, 60}} {
			b := newBoardOn(t, quietFloor(), size[0], size[1], onWall(func(k *kiosk.Options) { k.Pages = []string{"Wall", "Services"} }), func(o *Options) { o.Display.Theme = mustTheme(t, theme) })
			for range 2 {
				b.seconds(7)
				s, hued := b.cells(b.View().Content), 0
				above, _, _ := strings.Cut(b.text(), " Agents ")
				lines := strings.Count(above, "\n")
				for i := range b.width * lines {
					c := s.CellAt(i%b.width, i/b.width)
					if hue(c.Style.Bg) || hue(c.Style.Fg) && strings.TrimSpace(c.Content) != "" {
						hued++
					}
				}
				if share := float64(hued) / float64(b.width*lines); share > most {
					t.Errorf("%s at %v, %s: %.0f %% of the cells have a hue\n%s", b.pages.NameOf(b.pages.Current), size, theme, 100*share, b.text())
				}
				b.press("right")
			}
		}
	}
}

// hue reports whether a color is not a shade of grey.
func hue(c color.Color) bool {
	if c == nil {
		return false
	}
	r, g, b, _ := c.RGBA()
	const grey = 0x4000
	return max(r, g, b)-min(r, g, b) > grey
}
