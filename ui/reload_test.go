package ui

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/uitest"
	"wallboard/ui/widgets"
)

// changed returns changed options as a new configuration.
func (b *board) changed(change func(*Options)) Options {
	o := *b.scene.Options
	o.Alerts = nil
	change(&o)
	return o
}

func TestReloadKeepsThePlace(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("4", "s", "s", "S")
	sort, desc := b.pages.CurrentPage().Focused().Table.Sort()
	b.press("/")
	b.words("a")
	b.press("enter", "G")
	agent := b.selected()
	b.press("2", "enter", "p")
	service := b.pages.CurrentPage().Breadcrumb(b.scene.paneScene())

	engine := uitest.NewEngine(t, alert.Options{
		KPIs:  []alert.KPI{{Name: "missed", Title: "Missed", Scope: alert.Service, Expr: "receivedCalls - answeredCalls"}},
		Rules: alert.DefaultRules(), Goal: alert.DefaultGoal(),
	})
	taken := false
	b.send(reloadMsg{reload: Reload{
		Options: b.changed(func(o *Options) { o.Title, o.Alerts, o.Display.ASCII = "Trento", engine, true }),
		Notice:  words.Name("It is in force."), OnApplied: func() { taken = true },
	}})
	if !taken {
		t.Error("the viewer was not told that the options apply")
	}
	b.shows("Trento", "FROZEN")
	b.shows("It is in force.")
	if got := b.pages.CurrentPage().Breadcrumb(b.scene.paneScene()); got != service {
		t.Errorf("the open service is now %q, was %q", got, service)
	}
	b.press("p", "esc")
	b.shows("Missed")
	b.press("4")
	if got := b.selected(); got != agent {
		t.Errorf("selected is %q, was %q", got, agent)
	}
	if id, down := b.pages.CurrentPage().Focused().Table.Sort(); id != sort || down != desc {
		t.Errorf("sorted by %s %v, was by %s %v", id, down, sort, desc)
	}
	b.shows(`filter "a"`)
	b.fits()
}

func TestReloadWithAProblemChangesNothing(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24)
	before := b.View().Content
	b.send(reloadMsg{reload: Reload{Unchanged: true}})
	if b.View().Content != before {
		t.Error("an equivalent configuration causes a redraw")
	}
	const problem = "The changed configuration has an error (line 3: ui.page is empty): the one before it stays."
	b.send(reloadMsg{reload: Reload{Problem: words.Name(problem), Options: Options{Title: "Never"}}})
	b.shows("line 3: ui.page is empty")
	b.shows("Bolzano")
	b.fits()
	b.send(reloadMsg{reload: Reload{Unchanged: true}})
	b.hides("line 3")
}

func TestReloadTakesTheKeysOfControlAway(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, func(o *Options) { o.Actions.Controller = controllerOf(newFloorController(words.ActionReport{})) })
	b.send(reloadMsg{reload: Reload{Options: b.changed(func(o *Options) { o.Actions.Controller = nil })}})
	b.press("4", "d")
	if b.dialogs.Top() != nil {
		t.Error("a board that may only look by now still dials")
	}
}

func TestReloadFollowsThemesButNotOverTheViewersChoice(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24, func(o *Options) { o.Display.Theme = mustTheme(t, "dark") })
	b.press("t")
	chosen := b.scene.look.Theme.Name
	b.send(reloadMsg{reload: Reload{Options: b.changed(func(o *Options) { o.Names = model.Names{} })}})
	if got := b.scene.look.Theme.Name; got != chosen {
		t.Errorf("the theme is %s, the viewer chose %s", got, chosen)
	}
	b.send(reloadMsg{reload: Reload{Options: b.changed(func(o *Options) { o.Display.Theme = mustTheme(t, "light") })}})
	if got := b.scene.look.Theme.Name; got != "light" {
		t.Errorf("the theme is %s, the configuration says light", got)
	}
	b.painted()
}

// TestReloadOfPagesKeepsThePlace checks that a reload keeps the page and the selected row.
func TestReloadOfPagesKeepsThePlace(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, paged(row("tiles"), row("services", "agents")))
	b.press("tab", "down", "down", "s")
	agent := b.selected()
	sort, _ := b.pages.CurrentPage().Focused().Table.Sort()
	pages := []panes.PageSpec{
		{Name: "First", Rows: []panes.RowSpec{row("clock")}},
		{Name: "Mine", Key: "M", Rows: []panes.RowSpec{row("services", "agents"), row("alerts")}},
	}
	b.send(reloadMsg{reload: Reload{Options: b.changed(func(o *Options) { o.Navigation.Pages = pages })}})
	b.shows("Mine", "First")
	if b.pages.Current != 1 {
		t.Errorf("the viewer is on page %d", b.pages.Current)
	}
	if got := b.focusedKind(); got != "agents" {
		t.Errorf("%s has the keyboard", got)
	}
	if got := b.selected(); got != agent {
		t.Errorf("selected is %q, was %q", got, agent)
	}
	if id, _ := b.pages.CurrentPage().Focused().Table.Sort(); id != sort {
		t.Errorf("sorted by %q, was %q", id, sort)
	}
	if b.press("1", "M"); b.pages.Current != 1 {
		t.Error("the key of the page does not go there")
	}
	b.send(reloadMsg{reload: Reload{Options: b.changed(func(o *Options) { o.Navigation.Pages = pages[:1] })}})
	if b.pages.Current != 0 || b.pages.NameOf(0) != "First" {
		t.Errorf("without their page the viewer is on %d", b.pages.Current)
	}
}

// TestReloadGoesElsewhere checks that a board that switches to another platform forgets the alerts of the
// previous one.
func TestReloadGoesElsewhere(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	if len(b.scene.Alerts.Active()) == 0 {
		t.Fatal("the floor has no alert")
	}
	engine := uitest.NewEngine(t, alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()}, func(e *alert.Engine) {
		e.RestoreActive([]alert.Alert{{
			ID: "1", Rule: "wrap-up", Key: alert.Key{Scope: alert.User, Code: "zoe"}, Level: alert.Warning, HighestLevel: alert.Warning,
			Since: startTime(), Ended: startTime(), Text: "Zoe: wrap-up",
		}})
	})
	b.floor.Health.Link.State = model.LinkConnecting // the feed reports this before the board receives the reload
	b.publish()
	b.send(reloadMsg{reload: Reload{OtherPlatform: true, Options: b.changed(func(o *Options) {
		o.Alerts = engine
	})}})
	if open := b.scene.Alerts.Active(); len(open) > 1 || len(open) == 1 && open[0].Key.Scope != alert.Feed {
		t.Errorf("of the other platform is known %+v", open)
	}
	b.floor.Health.Link.State = model.LinkUp
	b.publish()
	open := b.scene.Alerts.Active()
	if len(open) == 0 {
		t.Fatal("nothing is judged any more")
	}
	b.scene.lookup(t, "Zoe: wrap-up")
}

// lookup checks that an alert with the text exists.
func (sc *scene) lookup(t *testing.T, text string) {
	t.Helper()
	for _, e := range sc.alerts.LatestAlerts().Entries {
		if e.Text == text {
			return
		}
	}
	t.Errorf("no alert says %q", text)
}

// TestReloadKeepsWhatWasLookedFor checks that a reload keeps the viewer's place in charts, maps and the
// history.
func TestReloadKeepsWhatWasLookedFor(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, paged(row("map", "chart"), row("agents")), func(o *Options) {
		o.History = &fakeHistory{}
		o.Navigation.Pages = append(o.Navigation.Pages, panes.PageSpec{Name: "History", Builtin: "History"})
	})
	parts := func() (*panes.AgentMapPane, *panes.PlotPane) {
		page, _ := b.pages.Page(b.pages.Current).(*panes.PanePage)
		agents, _ := page.Slots[0].Pane.(*panes.AgentMapPane)
		chart, _ := page.Slots[1].Pane.(*panes.PlotPane)
		return agents, chart
	}
	b.press("tab", "-", "shift+tab", "right", "right")
	agents, chart := parts()
	if agents.Cursor == "" || chart.Chart.SpanIndex == widgets.SpanFor(0) {
		t.Fatal("nothing was looked for")
	}
	at, _ := b.pages.StandardIndex(pages.History)
	found := b.pages.Page(at)
	engine := uitest.NewEngine(t, alert.Options{
		KPIs:  []alert.KPI{{Name: "missed", Scope: alert.Service, Expr: "receivedCalls - answeredCalls"}},
		Rules: alert.DefaultRules(), Goal: alert.DefaultGoal(),
	})
	b.send(reloadMsg{reload: Reload{Options: b.changed(func(o *Options) { o.Alerts = engine })}})
	nowAgents, nowChart := parts()
	if nowAgents == agents || nowAgents.Cursor != agents.Cursor || nowChart.Chart.SpanIndex != chart.Chart.SpanIndex {
		t.Errorf("the cursor is on %q, was on %q; the span is %d, was %d",
			nowAgents.Cursor, agents.Cursor, nowChart.Chart.SpanIndex, chart.Chart.SpanIndex)
	}
	if b.pages.Page(at) != found {
		t.Error("the history page is another one")
	}
}

// TestReloadOfTheHistoryAsksAnew checks that if the statistical data service has changed, the history is
// requested again.
func TestReloadOfTheHistoryAsksAnew(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, func(o *Options) { o.History = &fakeHistory{} })
	page := b.pages.Page(pages.Overview)
	b.pass(time.Second)
	known := func() bool {
		_, ok := b.scene.baseline.Today(contact.Inbound)
		return ok
	}
	b.send(reloadMsg{reload: Reload{Options: b.changed(func(*Options) {})}})
	if b.pages.Page(pages.Overview) != page || !known() {
		t.Error("the same service gets another request")
	}
	b.send(reloadMsg{reload: Reload{Options: b.changed(func(o *Options) { o.History = &fakeHistory{} })}})
	if b.pages.Page(pages.Overview) == page || known() {
		t.Error("the page still shows the history of another one")
	}
}

// TestReloadKeepsMarks checks that the marks of rows survive a changed configuration, but not another
// platform, whose records may have the same names.
func TestReloadKeepsMarks(t *testing.T) {
	t.Parallel()
	for otherPlatform, want := range map[bool]int{false: 2, true: 0} {
		b := newActing(t, newFloorController(done()), 120, 40, pages.Agents)
		b.press("space", "space")
		b.shows("▌")
		b.send(reloadMsg{reload: Reload{OtherPlatform: otherPlatform, Options: b.changed(func(o *Options) { o.Navigation.Keys = map[string]string{"chart": "T"} })}})
		if got := b.pages.Selection().Marks().Len(); got != want {
			t.Errorf("other platform %v: %d rows are marked, want %d", otherPlatform, got, want)
		}
	}
}

// TestDialogsReadWithTheCurrentRights opens dialogs that read from the platform. After the board
// has lost the right to act, they read nothing more; after it has got another controller, they use
// this one.
func TestDialogsReadWithTheCurrentRights(t *testing.T) {
	t.Parallel()
	for name, fields := range map[string][]string{
		"search ticket agents": {"rita"}, "search ticket customers": nil, "read a chat": {"s1"}, "search lists": {"S"},
		"open a run by its id": {"9"}, "search tickets": nil, "open a contact": {"7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, after := &uitest.FakePlatform{}, &uitest.FakePlatform{}
			b := newBoard(t, 80, 24, func(o *Options) { o.Actions.Controller = uitest.ControllerOf(before) })
			b.desk(name)
			b.fill(fields...)
			b.submit()
			asked := len(before.Requests)
			if asked == 0 {
				t.Fatalf("nothing was asked:\n%s", b.text())
			}
			b.send(reloadMsg{reload: Reload{Options: b.changed(func(o *Options) { o.Actions.Controller = nil })}})
			b.press("r")
			b.shows("his board is read-only")
			b.send(reloadMsg{reload: Reload{Options: b.changed(func(o *Options) { o.Actions.Controller = uitest.ControllerOf(after) })}})
			b.press("r")
			b.hides("his board is read-only")
			if len(before.Requests) != asked || len(after.Requests) != 1 {
				t.Errorf("asked %q of the old controller, %q of the new one", before.Requests[asked:], after.Requests)
			}
		})
	}
}
