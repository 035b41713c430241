package ui

import (
	"fmt"
	"image/color"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"wallboard/internal/words"
	"wallboard/ui/frame"
	"wallboard/ui/pages"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"wallboard/internal/alert"
	"wallboard/internal/hub"
	"wallboard/model"
	"wallboard/ui/kiosk"
	"wallboard/ui/panes"
)

// onWall makes a board a kiosk whose pages stay for 20 s.
func onWall(change ...func(*kiosk.Options)) func(*Options) {
	return func(o *Options) {
		o.Kiosk = &kiosk.Options{Pages: []string{"Overview", "Services", "agents"}, Dwell: 20 * time.Second}
		for _, c := range change {
			c(o.Kiosk)
		}
	}
}

// seconds advances the clock of a kiosk.
func (b *board) seconds(n int) {
	b.t.Helper()
	for range n {
		b.pass(time.Second)
	}
}

func front(level alert.Level) func(*kiosk.Options) {
	return func(k *kiosk.Options) { k.FrontLevel = level }
}

func TestKioskRotates(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24, onWall(func(k *kiosk.Options) { k.DwellByPage = map[string]time.Duration{"services": 5 * time.Second} }))
	b.shows("─ Overview")
	b.shows("next: Services")
	b.seconds(19)
	b.shows("─ Overview")
	b.seconds(1)
	b.shows("─ Services")
	b.shows("next: Agents")
	b.seconds(5)
	b.shows("─ Agents")
	b.shows("next: Overview")
	b.seconds(20)
	b.shows("─ Overview")
}

func TestKioskObeysNothingButPaging(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24, onWall(func(k *kiosk.Options) { k.QuitKey = "ctrl+alt+q" }))
	before := b.text()
	b.press("q", "?", ":", "/", "x", "d", "enter", "esc", "ctrl+c", "c", "p", "t", "R", "w", "tab", "9", "down", "ctrl+z")
	b.click(5, 15)
	if b.HasQuit || b.text() != before {
		t.Errorf("a key or a click was obeyed:\n%s", b.text())
	}
	b.seconds(15)
	b.press("right")
	b.shows("─ Services")
	b.seconds(19) // the page stays for its whole time, counted from the key
	b.shows("─ Services")
	b.press("left")
	b.shows("─ Overview")
	b.press("3")
	b.shows("─ Agents")
	b.press("space")
	b.shows("─ Overview")
	b.press("ctrl+alt+q")
	if !b.HasQuit {
		t.Error("the chord does not end the kiosk")
	}
	if v := b.View(); v.Cursor != nil || v.MouseMode != 0 {
		t.Errorf("the cursor is %v, the mouse %v", v.Cursor, v.MouseMode)
	}
}

// TestKioskShowsAllRowsInTurn checks that every row of a long table is shown while its page is in front.
func TestKioskShowsAllRowsInTurn(t *testing.T) {
	t.Parallel()
	table := func(o *Options) {
		paged(row("agents"))(o)
		onWall(func(k *kiosk.Options) { k.Pages = []string{"Mine"} })(o)
	}
	b := newBoardOn(t, newTestFloor(60), 80, 24, table)
	seen := map[string]bool{}
	ranges := map[string]bool{}
	for range 60 { // more than one turn, because an agent who exceeds a limit moves to the top and may be missed
		for _, k := range b.pages.CurrentPage().Focused().VisibleRows() {
			seen[k] = true
		}
		ranges[b.pages.CurrentPage().Status(b.scene.paneScene()).Text] = true
		b.seconds(1)
	}
	if all := b.pages.CurrentPage().Focused().Rows.Len(); len(seen) != all || all < 40 {
		t.Errorf("%d of %d agents were seen: %v", len(seen), all, ranges)
	}
	b.shows("–", "of")

	// If there are more screens than time, the others follow at the next turn.
	b = newBoardOn(t, newTestFloor(300), 80, 24, table)
	seen = map[string]bool{}
	for range 200 {
		for _, k := range b.pages.CurrentPage().Focused().VisibleRows() {
			seen[k] = true
		}
		b.seconds(1)
	}
	if all := b.pages.CurrentPage().Focused().Rows.Len(); len(seen) != all {
		t.Errorf("%d of %d agents were seen", len(seen), all)
	}
}

// TestKioskKeepsWhatIsCritical checks that a critical service stays visible in a long table.
func TestKioskKeepsWhatIsCritical(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 13, func(o *Options) {
		paged(row("services"))(o)
		onWall(func(k *kiosk.Options) { k.Pages = []string{"Mine"} })(o)
	})
	b.seconds(2)
	table := b.pages.CurrentPage().Focused()
	first := table.VisibleRows()[0]
	if b.scene.alerts.LatestAlerts().Alarm(alert.Key{Scope: alert.Service, Channel: b.scene.floor.Channel, Code: first}) == nil {
		t.Fatalf("nothing is wrong with %s", first)
	}
	if len(table.VisibleRows()) >= table.Rows.Len() {
		t.Fatalf("all %d services have room", table.Rows.Len())
	}
	seen := map[string]bool{}
	for range 40 {
		visible := table.VisibleRows()
		for _, k := range visible {
			seen[k] = true
		}
		if visible[0] != first {
			t.Fatalf("%s is out of view:\n%s", first, b.text())
		}
		b.seconds(1)
	}
	if len(seen) != table.Rows.Len() {
		t.Errorf("%d of %d services were seen", len(seen), table.Rows.Len())
	}
}

// TestKioskGroupsCriticalAgents checks a grouped table of a wall whose agents are all critical. It has
// more lines than agents.
func TestKioskGroupsCriticalAgents(t *testing.T) {
	t.Parallel()
	f := newTestFloor(8)
	for i := range 8 {
		f.SetAgentState(i, model.Booked, f.Time.Add(-10*time.Minute))
	}
	b := newBoardOn(t, f, 80, 40, func(o *Options) {
		paged(panes.RowSpec{Panes: []panes.PaneSpec{{Kind: "agents", GroupBy: "group"}}})(o)
		onWall(func(k *kiosk.Options) { k.Pages = []string{"Mine"} })(o)
	})
	b.seconds(2)
	b.shows("Italian")
	critical := 0
	for _, a := range b.scene.Alerts.Active() {
		if a.Key.Scope == alert.User && a.Level == alert.Critical {
			critical++
		}
	}
	if critical < 8 {
		t.Fatalf("only %d agents are critical", critical)
	}
}

func TestKioskIsDarkOutsideItsHours(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24, onWall(func(k *kiosk.Options) {
		k.IsActive = func(now time.Time) bool { return now.Hour() < 11 }
	}))
	b.Now = b.Now.Add(18 * time.Minute) // now it is 11:00:17
	b.seconds(1)
	dark := func() (text string, at [2]int) {
		for y, l := range strings.Split(b.text(), "\n") {
			if s := strings.TrimSpace(l); s != "" {
				text += s
				at = [2]int{strings.Index(l, s), y}
			}
		}
		return text, at
	}
	text, at := dark()
	if text != "11:00" {
		t.Fatalf("the dark screen says %q", text)
	}
	if v := b.View(); v.BackgroundColor != color.Black {
		t.Errorf("the background is %v", v.BackgroundColor)
	}
	places := map[[2]int]bool{at: true}
	for range 120 {
		b.Now = b.Now.Add(time.Minute)
		b.seconds(1)
		_, at = dark()
		places[at] = true
	}
	if len(places) < 60 {
		t.Errorf("the clock was in %d places in two hours", len(places))
	}
	b.press("space") // a key wakes the screen
	b.shows("Overview")
	b.seconds(61)
	b.hides("Overview")
	b.Now = b.Now.Add(24*time.Hour - 3*time.Hour)
	b.seconds(1)
	b.shows("Overview")
}

func TestKioskSaysWhyThereIsNothing(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, nil, 80, 24, onWall())
	b.shows("C O N N E C T I N G")
	next := b.Now.Add(12 * time.Second)
	b.send(snapshotMsg{Snapshot: model.NewStore().Publish(b.Now, model.Health{Link: model.Link{
		State: model.LinkBackoff, Reason: "connection refused", Endpoint: "rtd.example.com", NextTry: next,
	}})})
	b.shows("N O   C O N N E C T I O N")
	b.shows("connection refused")
	b.shows("rtd.example.com")
	b.shows("next try in 0:12")
	b.hides("Overview", "tries now")
}

func TestKioskGolden(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}, {160, 45}, {200, 60}} {
		for i, page := range []string{"Wall", "Services", "Agents"} {
			t.Run(fmt.Sprintf("%dx%d/%s", size[0], size[1], page), func(t *testing.T) {
				t.Parallel()
				f := newTestFloor(60)
				b, _ := newSharedBoard(t, newShared(t, f, testNames()), f, size[0], size[1], model.NamesHidden, onWall(func(k *kiosk.Options) { k.Pages = []string{"Wall", "Services", "Agents"} }))
				b.press(strconv.Itoa(i + 1))
				b.seconds(7)
				golden.RequireEqual(t, b.text())
			})
		}
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}, {160, 45}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d/Overview", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			b := newBoard(t, size[0], size[1], onWall(func(k *kiosk.Options) { k.Pages = []string{"Overview"} }))
			b.seconds(7)
			golden.RequireEqual(t, b.text())
		})
	}
	t.Run("monochrome", func(t *testing.T) {
		t.Parallel()
		b := newBoard(t, 160, 45, onWall(front(alert.Warning)), func(o *Options) { o.Display.Theme = mustTheme(t, "monochrome") })
		b.seconds(7)
		golden.RequireEqual(t, b.text())
	})
	t.Run("ascii", func(t *testing.T) {
		t.Parallel()
		b := newBoard(t, 120, 40, onWall(front(alert.Warning)), func(o *Options) { o.Display.ASCII = true })
		b.press("2")
		b.seconds(7)
		golden.RequireEqual(t, b.text())
	})
}

// TestKioskBringsAlertsToTheFront checks that an alert brings its page to the front once, and that a page
// of the rotation comes before the next.
func TestKioskBringsAlertsToTheFront(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24, onWall(front(alert.Critical), func(k *kiosk.Options) { k.Pages = []string{"Agents", "Services"} }))
	b.seconds(1)
	critical, warning := b.scene.alerts.Alarms().PresentSituations.Counts()
	if critical == 0 {
		t.Fatal("the floor has nothing critical")
	}
	b.shows("▲ CRITICAL", "  +"+strconv.Itoa(critical+warning-1))
	b.shows("(alert)")
	b.seconds(20)
	b.shows(" Agents ", "next: Services")
	b.seconds(19)
	b.shows(" Agents ", "next: Services")
}

// TestKioskTakesItsTimeZone checks that a changed configuration changes the time zone of a kiosk, and
// that the message about it is shown in the footer.
func TestKioskTakesItsTimeZone(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24, onWall())
	b.shows("─ Overview")
	before := b.Now.UTC().Format("15:04:05")
	b.shows(before)
	b.send(reloadMsg{reload: Reload{
		Options: b.changed(func(o *Options) { o.Display.Location = time.FixedZone("", -7*3600) }), Notice: words.Name("It is in force."),
	}})
	b.hides(before, "next:")
	b.shows(b.Now.UTC().Add(-7 * time.Hour).Format("15:04:05"))
	b.shows("It is in force.")
	b.send(frame.NoticeExpiredMsg{ID: b.notice.ID})
	b.shows("next: Services")
}

// TestKioskHidesTheNamesOfBefore checks that a changed configuration that hides names also hides earlier
// ones, and that a kiosk shows no names from other boards.
func TestKioskHidesTheNamesOfBefore(t *testing.T) {
	t.Parallel()
	f := newTestFloor(3)
	late := func(since time.Duration) {
		u := model.TextOf("m.rossi")
		f.UserStats.Put(&model.UserStat{Username: u, Name: model.TextOf("Mario"), Surname: model.TextOf("Rossi"), AgentFigures: model.AgentFigures{
			Channel: model.Call, Status: model.WNR, TimeInState: model.InstantOf(startTime().Add(-since)),
		}})
	}
	late(time.Hour)
	kept := alert.Alert{
		ID: "1", Rule: "talking", Level: alert.Warning, HighestLevel: alert.Warning, Since: startTime().Add(-30 * time.Minute), Text: "Verdi Anna: talking",
		Key: alert.Key{Scope: alert.User, Code: "a.verdi", Channel: model.Call}, Ended: startTime(),
	}
	before := func(e *alert.Engine) { e.RestoreActive([]alert.Alert{kept}) }
	b, v := newSharedBoard(t, newShared(t, f, testNames(), before), f, 200, 60, model.NamesFull, onWall(func(k *kiosk.Options) { k.Pages = []string{"Alerts", "Agents"} }), func(o *Options) {
		o.Process.ProblemText = func() string { return "No notifications via mail: Mario is not known." }
	})
	b.press("1")
	b.shows("Rossi Mario", "Wrap-up")
	b.shows("Verdi Anna", "Talking")
	b.shows("Mario is not known")
	late(0) // the message that the alert has ended contains the agent's name
	b.publish()
	b.seconds(2)
	b.shows("Resolved", "Rossi Mario", "Wrap-up")

	if err := v.SetVisibility(hub.Visibility{Names: model.NamesHidden}); err != nil { // no snapshot has arrived since
		t.Fatal(err)
	}
	b.send(reloadMsg{reload: Reload{Options: b.changed(func(o *Options) { o.Alerts = v })}})
	for range 2 {
		for range 3 {
			for _, name := range []string{"rossi", "mario", "verdi", "anna"} {
				if strings.Contains(strings.ToLower(b.text()), name) {
					t.Errorf("%q is on the wall:\n%s", name, b.text())
				}
			}
			b.seconds(1)
		}
		b.press("right")
	}
	late(time.Hour)
	b.publish()
	b.seconds(1)
	b.press("2")
	b.shows("Agent 1 · Wrap-up") // the agent is over the limit
	b.press("1")
	b.shows("Agent", "Wrap-up")
}

// TestKioskReloadLeavesTheAlert checks that a reload ends an alert's page and restores the channel.
func TestKioskReloadLeavesTheAlert(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24, onWall(front(alert.Critical), func(k *kiosk.Options) { k.Pages = []string{"Agents", "Services"} }))
	b.scene.floor.Channel = model.Chat // the channel before the interruption
	b.seconds(1)
	b.shows("(alert)")
	if b.scene.floor.Channel == model.Chat {
		t.Fatal("the alert is shown on the previous channel")
	}
	b.send(reloadMsg{reload: Reload{Options: b.changed(func(*Options) {})}})
	if b.scene.floor.Channel != model.Chat {
		t.Errorf("the channel is %s", b.scene.floor.Channel)
	}
	b.hides("(alert)")
}

// TestNoNameIsOnTheWall checks that no page of a wall shows a name, on a floor with all kinds of names.
func TestNoNameIsOnTheWall(t *testing.T) {
	t.Parallel()
	people := [][3]string{
		{"m.rossi", "Mario", "Rossi"}, {"Zoë_99", "Zoë", "D'Angelo"}, {"李四", "四", "李"}, {"hidden77", "", ""},
	}
	for _, ascii := range []bool{false, true} {
		for _, size := range [][2]int{{80, 24}, {200, 60}} {
			f := newTestFloor(12)
			for i, p := range people {
				u, n, s := model.TextOf(p[0]), model.TextOf(p[1]), model.TextOf(p[2])
				f.Users.Put(&model.User{Username: u, Name: n, Surname: s})
				f.UserStats.Put(&model.UserStat{Username: u, Name: n, Surname: s, AgentFigures: model.AgentFigures{
					Channel: model.Call, Status: model.Ready, TimeInState: model.InstantOf(startTime().Add(-time.Duration(i+1) * time.Hour)),
				}})
				f.Operators.Put(&model.Operator{Username: u, Name: n, Surname: s, Channel: model.Call})
			}
			f.Health.Notice = "Login refused for Rossi, m.rossi and hidden77."
			names := testNames()
			names.Add(model.NameUser, "hidden77", "The Boss")
			b, _ := newSharedBoard(t, newShared(t, f, names), f, size[0], size[1], model.NamesHidden, onWall(front(alert.Warning), func(k *kiosk.Options) {
				k.Pages, k.Dwell = nil, 20*time.Second
			}), func(o *Options) {
				o.Display.ASCII, o.Names = ascii, names
			})
			var all strings.Builder
			for range 21 * (pages.KioskPages{Pages: b.pages}.Len() + 12) {
				b.seconds(1)
				all.WriteString(b.text() + b.View().WindowTitle)
			}
			for _, name := range []string{"rossi", "mario", "zoë", "angelo", "李", "四", "hidden77", "boss", "agent0", "bianchi"} {
				if at := strings.Index(strings.ToLower(all.String()), name); at >= 0 {
					t.Errorf("%q is on the wall: %q", name, all.String()[max(at-60, 0):at+60])
				}
			}
			if !strings.Contains(all.String(), "Agent 1") {
				t.Error("the wall shows no agents")
			}
		}
	}
}

// TestNobodyIsThere checks every page of a floor without agents, on a board and on a kiosk.
func TestNobodyIsThere(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{40, 12}, {80, 24}, {200, 60}} {
		for _, change := range [][]func(*Options){nil, {onWall(func(k *kiosk.Options) { k.Pages = nil })}} {
			b := newBoardOn(t, newTestFloor(0), size[0], size[1], change...)
			for i := range (pages.KioskPages{Pages: b.pages}).Len() {
				b.press(strconv.Itoa((i + 1) % 10))
				b.seconds(1)
			}
			b.hides("Agent 1")
		}
	}
}

// TestKioskFiguresAreLarge checks that pages for walls have no figures of one line from
// 160x45 on, except in names.
func TestKioskFiguresAreLarge(t *testing.T) {
	t.Parallel()
	small := regexp.MustCompile(`\d+`)
	names := regexp.MustCompile(`Agent \d+|Tech L\d|Outbound \d|\b700\d\b`)
	for _, size := range [][2]int{{160, 45}, {200, 60}, {300, 80}} {
		for _, agents := range []int{60, 400} {
			f := newTestFloor(agents)
			b, _ := newSharedBoard(t, newShared(t, f, testNames()), f, size[0], size[1], model.NamesHidden, onWall(func(k *kiosk.Options) {
				k.Pages = []string{"Wall", "Services", "Agents", "Overview", "Groups", "Campaigns"}
			}))
			for range 6 {
				b.seconds(7)
				for i, l := range strings.Split(ansi.Strip(b.View().Content), "\n")[6:] {
					if l = names.ReplaceAllString(l, ""); small.MatchString(l) {
						t.Errorf("%s at %dx%d, %d agents, line %d: %q", b.pages.NameOf(b.pages.Current), size[0], size[1], agents, i+6, small.FindString(l))
						t.Log(b.text())
						break
					}
				}
				b.press("right")
			}
		}
	}
}

// TestKioskFrame checks that a frame surrounds the screen only while something is critical.
func TestKioskFrame(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{100, 30}, {120, 40}, {160, 45}} {
		b := newBoardOn(t, quietFloor(), size[0], size[1], onWall(front(alert.Critical)), func(o *Options) { o.Display.ASCII = true })
		sides := func() (n int) {
			for _, l := range strings.Split(ansi.Strip(b.View().Content), "\n") {
				if strings.HasPrefix(l, "#") && strings.HasSuffix(l, "#") {
					n++
				}
			}
			return n
		}
		b.seconds(2)
		if n := sides(); n != 0 {
			t.Errorf("%v: %d lines of a frame, and nothing is wrong:\n%s", size, n, b.text())
		}
		b.floor.wait(model.Call, 70)
		b.publish()
		b.seconds(3)
		b.shows("CRITICAL")
		if n := sides(); n != size[1] {
			t.Errorf("%v: %d lines of a frame:\n%s", size, n, b.text())
		}
	}
}

// TestKioskTickerTurns checks that the ticker shows the situations in turn.
func TestKioskTickerTurns(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 130, 30, onWall())
	told := map[string]bool{}
	for range 60 {
		b.seconds(1)
		line := strings.Split(ansi.Strip(b.View().Content), "\n")[0]
		if _, place, ok := strings.Cut(line, "CRITICAL · "); ok {
			place, _, _ = strings.Cut(place, ":")
			told[place] = true
		}
	}
	if len(told) < 5 {
		t.Errorf("in a minute it tells of %d: %v", len(told), told)
	}
}
