package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"wallboard/internal/alert"
	"wallboard/internal/hub"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/ui/alerts"
	"wallboard/ui/floorview"
	"wallboard/ui/pages"
	"wallboard/ui/uitest"
)

// messages returns the messages of a command.
func messages(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	msg := cmd()
	batch, ok := msg.(tea.BatchMsg)
	if !ok {
		return []tea.Msg{msg}
	}
	var out []tea.Msg
	for _, c := range batch {
		out = append(out, messages(c)...)
	}
	return out
}

// bells counts the bells that a message causes.
func (b *board) bells(msg tea.Msg) int {
	_, cmd := b.Update(msg)
	n := 0
	for _, m := range messages(cmd) {
		if raw, ok := m.(tea.RawMsg); ok && raw.Msg == "\a" {
			n++
		}
	}
	return n
}

func engine(t testing.TB, o alert.Options) *hub.Viewer {
	t.Helper()
	return uitest.NewEngine(t, o)
}

// TestWhyIsAboutTheSelectedRow checks that the key w on the overview explains the row that the viewer has
// selected, even if it has no alert, instead of the most urgent situation.
func TestWhyIsAboutTheSelectedRow(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 160, 45)
	b.press("1", "w")
	b.shows("Why: ")
	b.press("esc", "tab", "end", "up", "w")
	b.hides("Why: ")
	b.shows("No alert for ")
}

func TestNothingIsWrong(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, quietFloor(), 80, 24)
	b.press("7")
	b.shows("No alerts.")
	b.hides("▲")
	b.press("w")
	b.shows("Nothing is selected.")
	b.press("2", "m")
	b.shows("No alert for ")
	b.press("7")
	b.link(func(l *model.Link) { l.State = model.LinkBackoff })
	b.shows("No known alerts, but the feed is not live")
}

func TestAlertIsToldOnceAndRings(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, quietFloor(), 120, 40)
	b.floor.wait(model.Call, 61)
	b.Now = b.Now.Add(time.Second)
	if n := b.bells(snapshotMsg{Snapshot: b.floor.publish()}); n != 1 {
		t.Errorf("%d bells, want 1", n)
	}
	b.shows("▲ Sales Italy: 1 caller waiting 1:01.")
	b.shows("Bolzano", "▲ 1")
	b.floor.wait(model.Chat, 61)
	b.Now = b.Now.Add(time.Second)
	if n := b.bells(snapshotMsg{Snapshot: b.floor.publish()}); n != 0 {
		t.Errorf("%d bells within %v, want none", n, alerts.MinBellInterval)
	}
	b.shows("Bolzano", "▲ 2")
}

func TestRuleWithoutBellIsSilent(t *testing.T) {
	t.Parallel()
	rules := []alert.Rule{{Name: "queue", Scope: alert.Service, When: "queuedCalls > 0", Severity: alert.Critical}}
	b := newBoardOn(t, quietFloor(), 80, 24, func(o *Options) { o.Alerts = engine(t, alert.Options{Rules: rules}) })
	b.floor.wait(model.Call, 5)
	b.Now = b.Now.Add(time.Second)
	if n := b.bells(snapshotMsg{Snapshot: b.floor.publish()}); n != 0 {
		t.Errorf("%d bells, want none", n)
	}
	b.press("2")
	b.shows("▲ queue")
}

// TestWhatIsWrongAtFirstIsNoNews checks that alerts at the start are counted in the header
// only.
func TestWhatIsWrongAtFirstIsNoNews(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	if b.notice.Text != "" {
		t.Errorf("the board begins with %q", b.notice.Text)
	}
	b.shows("Bolzano", "▲")
}

func TestAcknowledgementStays(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	f.wait(model.Call, 40)
	b := newBoardOn(t, f, 120, 40, func(o *Options) { o.Actions.User = "anna" })
	b.press("2")
	b.shows("△ long wait")
	b.press("m")
	b.shows("Take over: Sales Italy")
	b.words("two more are coming")
	b.press("enter", "enter")
	b.shows("▽ long wait")
	b.hides("Bolzano", "△")
	for range 3 {
		b.pass(time.Second)
		b.publish()
	}
	b.shows("▽ long wait")
	b.press("7")
	b.shows("Taken by anna at 10:42:17: two more are coming")
	// After an escalation, the alert needs action again.
	b.floor.wait(model.Call, 70)
	b.publish()
	b.shows("Bolzano", "▲ 1")
	b.shows("Critical", "1 caller waiting 1:10.")
	b.floor.wait(model.Call, 0)
	b.publish()
	b.shows("Resolved", "Sales Italy", "Peak 1 caller, longest wait 1:10.")
	b.press("w")
	b.shows("This situation is resolved.")
}

func TestAcknowledgingWhatHasEnded(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	f.wait(model.Call, 40)
	b := newBoardOn(t, f, 80, 24)
	b.press("2", "m")
	b.words("anna")
	b.floor.wait(model.Call, 0)
	b.publish()
	b.press("enter", "enter", "enter")
	b.shows("The alert has ended")
}

func TestJumpToTheCause(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	f.wait(model.Chat, 70)
	b := newBoardOn(t, f, 120, 40)
	b.press("7", "enter")
	b.shows("Situations › Sales Italy")
	if b.scene.floor.Channel != model.Chat {
		t.Errorf("the channel is %s, want that of the alert", b.scene.floor.Channel)
	}
	if b.press("c"); b.scene.floor.Channel != model.Call {
		t.Errorf("the channel is %s, which the viewer has not chosen", b.scene.floor.Channel)
	}
	b.press("esc", "home", "enter")
	for _, leave := range []string{"esc", "1"} { // esc returns to the previous page, 1 opens another page
		if b.press(leave); b.scene.floor.Channel != model.Call {
			t.Errorf("after %s the channel is %s, want that from before", leave, b.scene.floor.Channel)
		}
		b.press("7", "home", "enter")
	}
	b.press("7")
	if b.press("c"); b.scene.floor.Channel != model.Call {
		t.Errorf("a page about all channels turns to %s", b.scene.floor.Channel)
	}
	b.shows("This page is about all channels.")
	b.floor.wait(model.Chat, 0)
	b.floor.Health.Subscription(model.OpCampaigns).State = model.SubStale
	b.publish()
	b.pass(16 * time.Second)
	b.press("home", "enter")
	if b.pages.Current != pages.Feed || b.selected() != string(model.OpCampaigns) {
		t.Errorf("on %v at %q, want the feed's %s", b.pages.Current, b.selected(), model.OpCampaigns)
	}
}

// TestAlertsGoOnWhileFrozen checks that freezing stops the rows but not the alerts.
func TestAlertsGoOnWhileFrozen(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, quietFloor(), 120, 40)
	b.press("2", "p")
	b.floor.wait(model.Call, 70)
	b.publish()
	b.shows("Bolzano", "▲ 1")
	b.hides("▲ long wait")
	b.press("7")
	b.shows("longest wait", "Sales Italy")
	b.shows("not frozen")
	b.press("2", "p")
	b.shows("▲ long wait")
}

// TestUnverifiedAlarm checks an alert whose figures are stale.
func TestUnverifiedAlarm(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	f.wait(model.Call, 70)
	b := newBoardOn(t, f, 120, 40)
	b.Now = b.Now.Add(2 * time.Second)
	b.link(func(l *model.Link) { l.State = model.LinkBackoff })
	b.press("2")
	b.shows("▲ long wait?")
	b.press("7")
	b.shows("Critical?")
	b.shows("Not verified since 10:42:17")
}

func TestWhyFollowsTheAlert(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	f.wait(model.Call, 70)
	b := newBoardOn(t, f, 100, 40)
	b.press("2")
	b.pass(time.Second)
	b.press("w")
	b.shows("Why: Sales Italy")
	b.shows("1 caller waiting 1:10")
	b.shows("Since 10:42:17 or earlier.")
	b.press("f")
	b.shows("0 if callers waiting is 0, otherwise the longest wait")
	b.shows("the longest wait", "1:10")
	b.hides("maxTimeCallOnQueue")
	b.shows("critical from", "1:00")
	b.floor.wait(model.Call, 80)
	b.publish()
	b.shows("the longest wait", "1:20")
	b.floor.wait(model.Call, 0)
	b.publish()
	b.shows("Resolved. Last state:")
	b.press("esc")
	b.hides("Why: Sales Italy")
}

// TestOwnFigures checks custom KPIs in tables, details and the overview, also while frozen.
func TestOwnFigures(t *testing.T) {
	t.Parallel()
	kpis := []alert.KPI{
		{Name: "perHead", Title: "Calls per head", Scope: alert.Service, Expr: "receivedCalls / loggedUsers", Target: model.FloatOf(25)},
		{Name: "idle", Title: "Idle share", Scope: alert.Floor, Expr: "readyUsers / loggedUsers", Format: alert.Percent},
		{Name: "strain", Title: "北京市朝阳区客户服务中心 strain", Scope: alert.User, Expr: "timeInStateBusy / 60"},
	}
	f := quietFloor()
	b := newBoardOn(t, f, 160, 48, func(o *Options) { o.Alerts = engine(t, alert.Options{KPIs: kpis}) })
	b.shows("Idle share")
	b.press("2")
	b.shows("Calls per head")
	b.shows("Sales Italy", " 20 ")
	b.press("p")
	row := func(calls int64) {
		r := *f.Services.Get(model.ServiceKey{Code: serviceCode(0), Channel: model.Call})
		r.ChannelStats.ReceivedCalls = known(calls)
		f.Services.Put(&r)
	}
	row(200)
	b.publish()
	b.pass(time.Second)
	b.shows("Sales Italy", " 20 ")
	b.press("p")
	b.shows("Sales Italy", " 40 ")
	b.press("enter")
	b.shows("Custom KPIs on Calls")
	b.shows("Calls per head", "40")
	b.press("4")
	b.send(windowSize(220, 48))
	b.shows("北京市朝阳区客户服务中心")
}

func TestGoldenAlerts(t *testing.T) {
	t.Parallel()
	for name, keys := range map[string][]string{
		"why": {"2", "w"}, "why-agent": {"4", "/", "wrap", "enter", "w"}, "take-over": {"7", "m"},
		"taken": {"7", "m", "anna", "enter", "look", "enter", "enter"},
	} {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
			for _, ascii := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%dx%d/ascii=%t", name, size[0], size[1], ascii), func(t *testing.T) {
					t.Parallel()
					b := newBoard(t, size[0], size[1], func(o *Options) { o.Display.ASCII = ascii })
					for _, k := range keys {
						if len(k) > 1 && keyPress(k).Text != "" {
							b.words(k)
							continue
						}
						b.press(k)
					}
					golden.RequireEqual(t, b.text())
				})
			}
		}
	}
}

// BenchmarkEvaluate measures the cost of alerts on a large floor, in addition to drawing.
func BenchmarkEvaluate(b *testing.B) {
	f := newTestFloor(5000)
	board := newBoardOn(b, f, 200, 60)
	pictures := benchFloors(f, 32, func(step int) {
		for k := range 50 {
			f.putAgent((step*50+k)%5000, step)
		}
	})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		board.scene.floor.Newest = pictures[i%len(pictures)]
		board.scene.floor.LocalNow = startTime().Add(time.Duration(i) * 100 * time.Millisecond)
		board.evaluate()
	}
}

// TestHostileAlerts checks alerts about arbitrary names.
func TestHostileAlerts(t *testing.T) {
	t.Parallel()
	f := quietFloor()
	names := []string{"a\u202eb", strings.Repeat("x", 400), "👩‍👩‍👧‍👦", "\x1b[31mred"}
	for i := range names {
		names[i] = model.CleanText(names[i], model.MaxName) // the feed cleans names in the same way
	}
	addHostile(f, names)
	for _, size := range [][2]int{{40, 12}, {80, 24}, {200, 60}} {
		b := newBoardOn(t, f, size[0], size[1])
		b.pass(time.Minute)
		for _, k := range []string{"7", "w", "pgdown", "esc", "m", "x", "esc", "y", "down", "enter", "w", "esc", "2", "w"} {
			b.press(k)
			if n := strings.Count(b.View().Content, "\n") + 1; n != size[1] {
				t.Fatalf("%v: %d lines after %s", size, n, k)
			}
			if strings.ContainsAny(sgr.ReplaceAllString(b.View().Content, ""), "\x1b\u202e") {
				t.Fatalf("%v: raw text after %s", size, k)
			}
		}
	}
}

// TestWhoCouldHelpIsOneKeyAway opens the actions on the first suggested helper.
func TestWhoCouldHelpIsOneKeyAway(t *testing.T) {
	t.Parallel()
	f := newTestFloor(60)
	gold := serviceCode(slices.Index(serviceNames(), "Support Gold"))
	for i := range 60 { // one group serves the worst service, except for one of its agents
		next := *f.Users.Get(agentName(i))
		next.Skillsets = []string{"OTHER"}
		if slices.Contains(next.Services, gold) || next.Surname.String() == "Colombo" && next.Name.String() == "Anna" {
			next.Skillsets = []string{"GOLD"}
		}
		f.Users.Put(&next)
	}
	b := newBoardOn(t, f, 120, 40, func(o *Options) {
		o.Actions.Controller = controllerOf(newFloorController(words.ActionReport{Outcome: resource.OutcomeConfirmed}))
	})
	b.press("7", "w")
	b.shows("Who could")
	b.shows("a  Colombo Anna")
	b.press("a")
	if d := b.pages.TopDetail(); d == nil || d.Kind != floorview.Agent || d.Breadcrumb(b.scene.paneScene()) != "Colombo Anna" {
		t.Fatalf("it opens something else:\n%s", b.text())
	}
	if b.dialogs.Len() != 1 {
		t.Errorf("%d dialogs are open, want the list of what can be done", b.dialogs.Len())
	}
	b.press("esc", "esc")
	if b.pages.TopDetail() != nil {
		t.Error("esc does not lead back")
	}
}
