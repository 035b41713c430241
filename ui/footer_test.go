package ui

import (
	"strings"
	"testing"

	"wallboard/internal/words"
	"wallboard/ui/frame"

	uv "github.com/charmbracelet/ultraviolet"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/themes"
)

// TestCriticalNotice checks the color of a critical message and the hint for help beside
// it.
func TestCriticalNotice(t *testing.T) {
	t.Parallel()
	for _, width := range []int{80, 120} {
		b := newBoardOn(t, quietFloor(), width, 40, func(o *Options) { o.Display.Theme = mustTheme(t, "dark") })
		b.seconds(10)
		b.floor.wait(model.Call, 300)
		for range 60 {
			b.publish()
			if b.seconds(1); b.notice.Text != "" {
				break
			}
		}
		lines := strings.Split(b.text(), "\n")
		last := lines[len(lines)-1]
		if !strings.HasPrefix(last, " ▲ ") || !strings.Contains(last, "? help") {
			t.Fatalf("%d: %q", width, last)
		}
		c := b.cells(b.View().Content).CellAt(1, b.height-1)
		if got, want := shade(c.Style.Fg), shade(b.pen(themes.Critical).Fg); got != want {
			t.Errorf("%d: the sign is %s, want %s", width, got, want)
		}
	}
}

// TestKeysOnABarWithoutColours checks that keys differ from their descriptions on a
// reversed bar with sixteen colors.
func TestKeysOnABarWithoutColours(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, quietFloor(), 120, 40, func(o *Options) { o.Display.Theme = mustTheme(t, "terminal-16") })
	b.press("2")
	lines := strings.Split(b.text(), "\n")
	at := strings.Index(lines[len(lines)-1], "? help")
	cells := b.cells(b.View().Content)
	key, word := cells.CellAt(at, b.height-1), cells.CellAt(at+2, b.height-1)
	if at < 0 || key.Style.Attrs&uv.AttrReverse == 0 || key.Style.Underline == 0 || word.Style.Underline != 0 {
		t.Errorf("the key is %+v, the word %+v in %q", key, word, lines[len(lines)-1])
	}
}

// TestSelectedSituationIsWhole checks that the selection covers the whole selected
// situation.
func TestSelectedSituationIsWhole(t *testing.T) {
	t.Parallel()
	for _, theme := range []string{"dark", "light"} {
		b := newBoardOn(t, troubled(3), 160, 45, func(o *Options) { o.Display.Theme = mustTheme(t, theme) })
		b.setLook(b.themeSelector.Select(theme, b.scene.look.Options))
		b.press("0")
		b.seconds(2)
		want, found := shade(b.pen(themes.Selection).Bg), false
		cells := b.cells(b.View().Content)
		for y, l := range strings.Split(b.text(), "\n") {
			before, _, is := strings.Cut(l, "▌1 ▲")
			if !is {
				continue
			}
			found = true
			x := len([]rune(before))
			for ; x < b.width && cells.CellAt(x, y).Content != "│"; x++ {
				if got := shade(cells.CellAt(x, y).Style.Bg); got != want && x < b.width/2 {
					t.Errorf("%s: %q at %d lies on %s, want %s", theme, cells.CellAt(x, y).Content, x, got, want)
				}
			}
			break
		}
		if !found {
			t.Errorf("%s: none is selected in\n%s", theme, b.text())
		}
	}
}

// TestKeysWithoutEffectSayWhy checks that a key without effect says why beside the other keys.
func TestKeysWithoutEffectSayWhy(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 160, 45, func(o *Options) {
		o.Actions.Controller = controllerOf(newFloorController(words.ActionReport{Outcome: resource.OutcomeConfirmed}))
	})
	for _, tt := range []struct {
		page string
		keys []string
		want string
	}{
		{"2", []string{"a", "d", "x", "v", "l", "e"}, "select an agent or a campaign"},
		{"5", []string{"v"}, "v (record a call) does not apply to "},
		{"2", []string{"}", "(", ","}, "The board is live: Z rewinds it."},
		{"2", []string{"tab", "shift+tab"}, "This page has only one pane."},
		{"2", []string{`\`}, "There is only one platform."},
		{"1", []string{"s", "#", "n"}, "No table is active: tab selects one."},
	} {
		for _, name := range tt.keys {
			b.press(tt.page, name)
			lines := strings.Split(b.text(), "\n")
			last := lines[len(lines)-1]
			if !strings.Contains(last, tt.want) || !strings.Contains(last, "/ filter") && tt.page != "1" || !strings.Contains(last, "? help") {
				t.Errorf("%s on page %s: %s", name, tt.page, last)
			}
		}
	}
	b.pass(frame.NoticeDuration) // the last message disappears, too
	readOnly := newBoard(t, 160, 45)
	readOnly.press("2", "x")
	readOnly.shows("This board is read-only")
}
