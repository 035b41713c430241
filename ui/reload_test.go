package ui

import (
	"testing"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/model/resource"
)

// changed returns the options of a board, changed, as a new configuration.
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
	sort, desc := b.page().focused().table.Sort()
	b.press("/")
	b.words("a")
	b.press("enter", "G")
	agent := b.selected()
	b.press("2", "enter", "p")
	service := b.page().crumb(b.scene)

	engine, err := alert.New(alert.Options{
		KPIs:  []alert.KPI{{Name: "missed", Title: "Missed", Scope: alert.Service, Expr: "receivedCalls - answeredCalls"}},
		Rules: alert.DefaultRules(), Goal: alert.DefaultGoal(),
	})
	if err != nil {
		t.Fatal(err)
	}
	taken := false
	b.send(reloadMsg{Reload{
		Options: b.changed(func(o *Options) { o.Title, o.Alerts, o.ASCII = "Trento", engine, true }),
		Notice:  "It is in force.", Taken: func() { taken = true },
	}})
	if !taken {
		t.Error("nobody was told that the options are taken")
	}
	b.shows("Trento", "FROZEN")
	b.shows("It is in force.")
	if got := b.page().crumb(b.scene); got != service {
		t.Errorf("what was opened is now %q, was %q", got, service)
	}
	b.press("p", "esc")
	b.shows("Missed")
	b.press("4")
	if got := b.selected(); got != agent {
		t.Errorf("selected is %q, was %q", got, agent)
	}
	if id, down := b.page().focused().table.Sort(); id != sort || down != desc {
		t.Errorf("sorted by %s %v, was by %s %v", id, down, sort, desc)
	}
	b.shows(`filter "a"`)
	b.fits()
}

func TestReloadWithAProblemChangesNothing(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24)
	before := b.View().Content
	b.send(reloadMsg{Reload{Unchanged: true}})
	if b.View().Content != before {
		t.Error("a configuration that means the same is drawn anew")
	}
	const problem = "The changed configuration has an error (line 3: ui.page is empty): the one before it stays."
	b.send(reloadMsg{Reload{Problem: problem, Options: Options{Title: "Never"}}})
	b.shows("line 3: ui.page is empty")
	b.shows("Bolzano")
	b.fits()
	b.send(reloadMsg{Reload{Unchanged: true}})
	b.hides("line 3")
}

func TestReloadTakesTheKeysOfControlAway(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, func(o *Options) { o.Controller = newFloorController(resource.Report{}) })
	b.send(reloadMsg{Reload{Options: b.changed(func(o *Options) { o.Controller = nil })}})
	b.press("4", "d")
	if b.topDialog() != nil {
		t.Error("a board that may only look by now still dials")
	}
}

func TestReloadFollowsThemesButNotOverTheViewersChoice(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24, func(o *Options) { o.Theme = mustTheme(t, "dark") })
	b.press("t")
	chosen := b.scene.theme.Name
	b.send(reloadMsg{Reload{Options: b.changed(func(o *Options) { o.Names = model.Names{} })}})
	if got := b.scene.theme.Name; got != chosen {
		t.Errorf("the theme is %s, the viewer chose %s", got, chosen)
	}
	b.send(reloadMsg{Reload{Options: b.changed(func(o *Options) { o.Theme = mustTheme(t, "light") })}})
	if got := b.scene.theme.Name; got != "light" {
		t.Errorf("the theme is %s, the configuration says light", got)
	}
	b.painted()
}

// TestReloadOfPagesKeepsThePlace has a running board take other pages over: the
// viewer stays on his, and on his row, wherever it stands now.
func TestReloadOfPagesKeepsThePlace(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, paged(row("tiles"), row("services", "agents")))
	b.press("tab", "down", "down", "s")
	agent := b.selected()
	sort, _ := b.page().focused().table.Sort()
	pages := []PageSpec{
		{Name: "First", Rows: []RowSpec{row("clock")}},
		{Name: "Mine", Key: "M", Rows: []RowSpec{row("services", "agents"), row("alerts")}},
	}
	b.send(reloadMsg{Reload{Options: b.changed(func(o *Options) { o.Pages = pages })}})
	b.shows("Mine", "First")
	if b.current != 1 {
		t.Errorf("the viewer is on page %d", b.current)
	}
	if got := b.focusedKind(); got != "agents" {
		t.Errorf("%s has the keyboard", got)
	}
	if got := b.selected(); got != agent {
		t.Errorf("selected is %q, was %q", got, agent)
	}
	if id, _ := b.page().focused().table.Sort(); id != sort {
		t.Errorf("sorted by %q, was %q", id, sort)
	}
	if b.press("1", "M"); b.current != 1 {
		t.Error("the key of the page does not go there")
	}
	b.send(reloadMsg{Reload{Options: b.changed(func(o *Options) { o.Pages = pages[:1] })}})
	if b.current != 0 || b.tabsOf[b.current].Name != "First" {
		t.Errorf("without his page the viewer is on %d", b.current)
	}
}
