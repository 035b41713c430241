package ui

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/pages"
	"wallboard/ui/render"
)

// calmFloor returns a floor without any alert, on which every state occurs.
func calmFloor() *testFloor {
	f := newTestFloor(36)
	for _, r := range f.Services.Rows() {
		one := *r
		one.ChannelStats = model.ServiceCalls{
			QueuedCalls: known(0), MaxTimeCallOnQueue: known(0), ReceivedCalls: known(200), CurrentCalls: known(2), ConnectedCall: known(2),
			AnsweredCalls: known(198), AnsweredCallsUnderSpeedLimit: known(190), HangupCalls: known(2), ShortCalls: known(1), AverageTimeOnQueue: model.FloatOf(5),
		}
		one.UserStats = model.ServiceUsers{LoggedUsers: heads(8), ReadyUsers: heads(4), BusyUsers: heads(2), BusyOnServUsers: heads(2), NotReadyUsers: heads(1), PostCallUsers: heads(1)}
		f.Services.Put(&one)
	}
	for i, r := range f.UserStats.Rows() {
		one := *r
		states := render.StateOrder()
		one.Status, one.TimeInState = states[i%len(states)], model.InstantOf(startTime().Add(-10*time.Second))
		f.UserStats.Put(&one)
	}
	for _, r := range f.Groups.Rows() {
		one := *r
		one.ChannelStats.QueuedCalls, one.ChannelStats.HangupCalls, one.ChannelStats.ReceivedCalls = known(0), known(2), known(200)
		one.UserStats = f.countGroup(r.Key())
		f.Groups.Put(&one)
	}
	for _, r := range f.Campaigns.Rows() {
		one := *r
		one.TriedContacts, one.RingingContacts, one.FreeResources, one.ToDoContacts, one.AvailableResources = known(4500), known(0), known(2), known(500), known(4)
		f.Campaigns.Put(&one)
	}
	return f
}

// countGroup counts the agents of a group, as a platform does: those who are busy on
// another channel are not ready.
func (f *testFloor) countGroup(k model.GroupKey) model.GroupUsers {
	n := make(map[model.UserStatus]int64)
	logged := int64(0)
	for _, r := range f.UserStats.Rows() {
		u := f.Users.Get(r.Key().Username)
		if r.Channel == k.Channel && (slices.Contains(u.Skillsets, k.Code) || r.CurrentGroup.String() == k.Code) {
			n[r.Status]++
			logged++
		}
	}
	return model.GroupUsers{
		LoggedUsers: heads(logged), ReadyUsers: heads(n[model.Ready]), PostCallUsers: heads(n[model.WNR]),
		NotReadyUsers: heads(n[model.NotReady] + n[model.BusyElsewhere]),
	}
}

// calmBoard shows a calmFloor in a full-color theme.
func calmBoard(t *testing.T, w, h int) *board {
	t.Helper()
	b := newBoardOn(t, calmFloor(), w, h, func(o *Options) { o.Display.Theme = mustTheme(t, "dark") })
	for range 15 {
		b.Now = b.Now.Add(time.Second)
		b.publish()
		b.pass(0)
	}
	return b
}

// shade returns a comparable text for a color.
func shade(c color.Color) string {
	if c == nil {
		return ""
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// coloured reports whether a color is not a shade of grey.
func coloured(c color.Color) bool {
	if c == nil {
		return false
	}
	const grey = 0x30 // difference between the strongest and the weakest color component
	r, g, b, _ := c.RGBA()
	return max(r, g, b)>>8-min(r, g, b)>>8 > grey
}

// pen returns the style of a token.
func (b *board) pen(t themes.Token) uv.Style {
	out := uv.NewScreenBuffer(1, 1)
	uv.NewStyledString(b.scene.look.Style(t).Render("x")).Draw(out, out.Bounds())
	return out.CellAt(0, 0).Style
}

// everyPage visits all pages and the details of their first rows.
func everyPage(b *board, look func(what string)) {
	for p := range pages.StandardCount {
		b.press(pageKey(p))
		look(p.String())
		if p == pages.Services || p == pages.Groups || p == pages.Agents || p == pages.Campaigns {
			b.press("enter")
			look(p.String() + ", details")
			b.press("esc")
		}
	}
}

// TestCalmBoardHasNoAlarmColours checks that nothing on a calm board is amber or red.
func TestCalmBoardHasNoAlarmColours(t *testing.T) {
	t.Parallel()
	b := calmBoard(t, 160, 45)
	everyPage(b, func(what string) {
		if at := b.alarmColour(); at != "" {
			t.Errorf("%s: %s in\n%s", what, at, b.text())
		}
		b.hides("△")
	})
}

// alarmColour returns where an alarm color is on the screen, or "".
func (b *board) alarmColour() string {
	b.t.Helper()
	alarm := map[string]themes.Token{}
	for _, token := range []themes.Token{themes.Warn, themes.Critical, themes.GaugeWarn, themes.GaugeCritical} {
		alarm[shade(b.pen(token).Fg)] = token
	}
	for _, token := range []themes.Token{themes.BadgeWarn, themes.BadgeCritical} {
		alarm[shade(b.pen(token).Bg)] = token
	}
	cells := b.cells(b.View().Content)
	for y := range b.height {
		for x := range b.width {
			c := cells.CellAt(x, y)
			for _, on := range []color.Color{c.Style.Fg, c.Style.Bg} {
				if token, is := alarm[shade(on)]; is && shade(on) != "" {
					return fmt.Sprintf("%q at %d,%d has the colour of %s", c.Content, x, y, token)
				}
			}
		}
	}
	return ""
}

// TestCalmBoardIsNearlyMonochrome counts the colored cells of a calm board: titles, the
// selected row, states of agents and progress of campaigns. Blocks of agents count fully.
func TestCalmBoardIsNearlyMonochrome(t *testing.T) {
	t.Parallel()
	const mostOfCampaigns = 25 // percentage of colored cells on the page Campaigns
	for size, most := range map[[2]int]int{{80, 24}: 25, {120, 40}: 16, {160, 45}: 16, {200, 60}: 18} {
		b := calmBoard(t, size[0], size[1])
		everyPage(b, func(what string) {
			cells, n := b.cells(b.View().Content), 0
			for y := range b.height {
				for x := range b.width {
					c := cells.CellAt(x, y)
					if c.Content != " " && coloured(c.Style.Fg) || coloured(c.Style.Bg) {
						n++
					}
				}
			}
			allowed := most
			if strings.HasPrefix(what, pages.Campaigns.String()) {
				allowed = mostOfCampaigns
			}
			if got := 100 * n / (b.width * b.height); got > allowed {
				t.Errorf("%s at %dx%d: %d %% of the cells have a colour, at most %d may", what, b.width, b.height, got, allowed)
			}
		})
	}
}

// TestTroubleHasAlarmColours is the counterpart of the test of the calm board.
func TestTroubleHasAlarmColours(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, troubled(3), 160, 45, func(o *Options) { o.Display.Theme = mustTheme(t, "dark") })
	if at := b.alarmColour(); at == "" {
		t.Errorf("nothing has the colour of trouble in\n%s", b.text())
	}
}

// TestOneShadeOfEachState checks that a state has the same color in tables, bars, legends,
// the map and history strips.
func TestOneShadeOfEachState(t *testing.T) {
	t.Parallel()
	b := calmBoard(t, 160, 45)
	states, shades := map[string]render.State{}, map[string]string{}
	for _, is := range render.StateOrder() {
		s := render.StateOf(is, model.Call)
		glyph := s.Glyph(false)
		states[glyph], shades[shade(b.pen(s.Token).Fg)] = s, s.Word.In(nil)
	}
	bar := func(cells uv.ScreenBuffer, y int) (blocks int, strange string) {
		for x := range b.width {
			c := cells.CellAt(x, y)
			if !strings.ContainsAny(c.Content, "█▉▊▋▌▍▎▏") {
				continue
			}
			blocks++
			if shades[shade(c.Style.Fg)] == "" {
				strange = fmt.Sprintf("%s at %d,%d", shade(c.Style.Fg), x, y)
			}
		}
		return blocks, strange
	}
	seen, bars := map[string]int{}, 0
	everyPage(b, func(what string) {
		cells, lines := b.cells(b.View().Content), strings.Split(b.text(), "\n")
		for y := 2; y < b.height-1; y++ {
			legend := 0
			for x := range b.width {
				c := cells.CellAt(x, y)
				s, is := states[c.Content]
				if !is || !strings.Contains(lines[y], c.Content+" "+s.Word.In(nil)) || x+2 >= b.width || cells.CellAt(x+2, y).Content != s.Word.In(nil)[:1] {
					continue
				}
				legend++
				seen[s.Word.In(nil)]++
				if got, want := shade(c.Style.Fg), shade(b.pen(s.Token).Fg); got != want && shade(c.Style.Bg) != shade(b.pen(themes.Selection).Bg) {
					t.Errorf("%s: %s is %s at %d,%d, elsewhere %s", what, s.Word.In(nil), got, x, y, want)
				}
			}
			const telling = 2 // minimum number of legend entries in a line that is a legend
			if legend < telling || y == 0 {
				continue
			}
			if n, strange := bar(cells, y-1); n > b.width/4 {
				bars++
				if strange != "" {
					t.Errorf("%s: a part of the bar has a colour of no state: %s", what, strange)
				}
			}
		}
	})
	for _, s := range states {
		const places = 3
		if seen[s.Word.In(nil)] < places {
			t.Errorf("%s is told %d times", s.Word.In(nil), seen[s.Word.In(nil)])
		}
	}
	if bars == 0 {
		t.Error("no bar was found")
	}
}

// TestMosaicHasTheShadesOfTheStates checks the colors of agents drawn as blocks.
func TestMosaicHasTheShadesOfTheStates(t *testing.T) {
	t.Parallel()
	b := calmBoard(t, 160, 45)
	b.press("0")
	cells, n := b.cells(b.View().Content), 0
	for y := 2; y < b.height-1; y++ {
		for x := range b.width - 1 {
			for _, is := range render.StateOrder() {
				s := render.StateOf(is, model.Call)
				if c := cells.CellAt(x, y); c.Content == s.Glyph(false) && cells.CellAt(max(x-1, 0), y).Content == " " && cells.CellAt(min(x+2, b.width-1), y).Content != "R" { // a campaign has the word Running, and a chart has several dots in a row
					n++
					got, want := shade(c.Style.Fg), shade(b.pen(s.Token).Fg)
					if ground := shade(b.pen(themes.Text).Bg); shade(c.Style.Bg) != ground { // in a block, the text has the background color
						if got != ground {
							t.Errorf("the text on %s is %s, and the ground %s", s.Word.In(nil), got, ground)
						}
						got = shade(c.Style.Bg)
					}
					if got != want {
						t.Errorf("%s is %s at %d,%d, elsewhere %s: %s", s.Word.In(nil), got, x, y, want, strings.Split(b.text(), "\n")[y])
					}
				}
			}
		}
	}
	const least = 36 // minimum number of agents in the test
	if n < least {
		t.Errorf("%d agents were found in\n%s", n, b.text())
	}
}

// TestStripsHaveTheShadesOfTheStates checks the colors in the chart and the last hour of
// agents.
func TestStripsHaveTheShadesOfTheStates(t *testing.T) {
	t.Parallel()
	b := calmBoard(t, 160, 45)
	states := map[string]render.State{}
	for _, is := range render.StateOrder() {
		s := render.StateOf(is, model.Call)
		states[s.Glyph(false)] = s
	}
	const agents = 30
	seen := map[string]bool{}
	for i := range agents {
		for _, key := range []string{"t", "enter"} {
			b.press("4", "home")
			for range i {
				b.press("down")
			}
			b.press(key)
			cells, lines := b.cells(b.View().Content), strings.Split(b.text(), "\n")
			y := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "··········") })
			if y < 0 || y+3 >= b.height {
				t.Fatalf("%s: no strip in\n%s", key, b.text())
			}
			last := 0
			for x := range b.width {
				if c := cells.CellAt(x, y).Content; c != " " && c != "│" && c != "·" {
					last = x
				}
			}
			var state render.State
			for x := range 4 {
				if s, is := states[cells.CellAt(x, y+3).Content]; is {
					state = s
				}
			}
			if state.Word.In(nil) == "" {
				t.Fatalf("%s: no state below the strip in\n%s", key, b.text())
			}
			seen[state.Word.In(nil)] = true
			if got, want := shade(cells.CellAt(last, y).Style.Fg), shade(b.pen(state.Token).Fg); got != want {
				t.Errorf("%s: %s is %s in the strip, elsewhere %s:\n%s", key, state.Word.In(nil), got, want, lines[y])
			}
			b.press("esc")
		}
	}
	if len(seen) < 7 {
		t.Errorf("agents were in %d states alone: %v", len(seen), seen)
	}
}
