package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/actions"
	"wallboard/ui/dialog"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/uitest"
)

type (
	snapshotMsg = SnapshotMsg
	clockMsg    = ClockMsg
)

// board drives a Model without a program.
type board struct {
	*Model
	*floorState // the floor on the screen
	*uitest.Board
	t     testing.TB
	floor *testFloor
}

func newBoard(t testing.TB, w, h int, change ...func(*Options)) *board {
	t.Helper()
	return newBoardOn(t, newTestFloor(60), w, h, change...)
}

func newBoardOn(t testing.TB, f *testFloor, w, h int, change ...func(*Options)) *board {
	t.Helper()
	b := &board{t: t, floor: f}
	var shown *uitest.Floor
	if f != nil {
		shown = f.Floor
	}
	b.Board = uitest.NewBoard(t, shown, uitest.Messages{
		Snapshot: func(s *model.Snapshot) tea.Msg { return snapshotMsg{Snapshot: s} }, Clock: clockMsg{},
	})
	o := Options{
		Names:   testNames(),
		Title:   "Bolzano",
		Context: uitest.EndedContext(),
		Now:     b.Clock,
		Display: Display{Flash: true, Mouse: true, Location: time.UTC},
	}
	for _, c := range change {
		c(&o)
	}
	b.Model = New(o)
	b.floorState = b.shownFloor
	b.Failure = func() error { return b.failure }
	b.Start(b.Model, w, h)
	return b
}

// Methods that both embedded types have.
func (b *board) Init() tea.Cmd                           { return b.Model.Init() }
func (b *board) Update(msg tea.Msg) (tea.Model, tea.Cmd) { return b.Model.Update(msg) }
func (b *board) View() tea.View                          { return b.Board.View() }
func (b *board) Page() panes.Page                        { return b.Model.Page() }
func (b *board) Dialog() dialog.Dialog                   { return b.Model.Dialog() }
func (b *board) Frame() []byte                           { return b.Model.Frame() }

func (b *board) pass(d time.Duration)              { b.t.Helper(); b.AdvanceClock(d) }
func (b *board) send(msg tea.Msg)                  { b.t.Helper(); b.Send(msg) }
func (b *board) run(cmd tea.Cmd)                   { b.t.Helper(); b.Run(cmd) }
func (b *board) press(keys ...string)              { b.t.Helper(); b.Press(keys...) }
func (b *board) words(s string)                    { b.t.Helper(); b.Type(s) }
func (b *board) click(x, y int)                    { b.t.Helper(); b.Click(x, y) }
func (b *board) text() string                      { return b.Text() }
func (b *board) shows(words ...string)             { b.t.Helper(); b.CheckShows(words...) }
func (b *board) hides(words ...string)             { b.t.Helper(); b.CheckHides(words...) }
func (b *board) trimmed() []string                 { return b.Lines() }
func (b *board) later(key string) func()           { b.t.Helper(); return b.PressLater(key) }
func (b *board) says(texts ...string)              { b.t.Helper(); b.CheckShowsAll(texts...) }
func (b *board) lacks(texts ...string)             { b.t.Helper(); b.CheckHidesAll(texts...) }
func (b *board) fits()                             { b.t.Helper(); b.CheckFits() }
func (b *board) fill(values ...string)             { b.t.Helper(); b.Fill(values...) }
func (b *board) selected() string                  { return b.Selected() }
func (b *board) row(words ...string) (string, int) { b.t.Helper(); return b.Row(words...) }

// publish shows the current floor. Some tests give the board its floor late.
func (b *board) publish() {
	b.t.Helper()
	b.Floor = b.floor.Floor
	b.Publish()
}

func (b *board) link(change func(*model.Link)) {
	b.t.Helper()
	b.Floor = b.floor.Floor
	b.ChangeLink(change)
}

func keyPress(name string) tea.KeyPressMsg { return uitest.KeyPress(name) }

func mustTheme(t testing.TB, name string) themes.Theme {
	t.Helper()
	return uitest.Theme(t, name)
}

func windowSize(w, h int) tea.WindowSizeMsg { return tea.WindowSizeMsg{Width: w, Height: h} }

// testFloor is the floor of the tests. The methods in this package change it.
type testFloor struct{ *uitest.Floor }

func newTestFloor(agents int) *testFloor { return &testFloor{uitest.NewFloor(agents)} }

// newFloorAt returns an empty floor at a time.
func newFloorAt(at time.Time, h model.Health) *testFloor {
	return &testFloor{&uitest.Floor{Store: model.NewStore(), Time: at, Health: h}}
}

func troubled(services int) *testFloor { return &testFloor{uitest.NewOverloadedFloor(services)} }

func quietFloor() *testFloor { return &testFloor{uitest.NewQuietFloor()} }

func (f *testFloor) publish() *model.Snapshot                          { return f.Snapshot() }
func (f *testFloor) wait(ch model.Channel, seconds int64)              { f.AddWaitingCaller(ch, seconds) }
func (f *testFloor) putAgent(i, step int)                              { f.PutAgent(i, step) }
func (f *testFloor) putService(i int, ch model.Channel, waiting int64) { f.PutService(i, ch, waiting) }

func startTime() time.Time                 { return uitest.StartTime() }
func liveHealth(at time.Time) model.Health { return uitest.LiveHealth(at) }
func in(i, n int) int64                    { return uitest.PseudoRandom(i, n) }
func known(n int64) model.Int              { return uitest.KnownInt(n) }
func heads(n int64) model.ProfilesInStatus { return uitest.AgentCount(n) }
func serviceNames() []string               { return uitest.ServiceNames() }
func serviceCode(i int) string             { return uitest.ServiceCode(i) }
func agentName(i int) string               { return uitest.AgentName(i) }
func testNames() model.Names               { return uitest.Names() }

func (f *testFloor) waitAt(i int, seconds, callers int64) { f.PutWaitingService(i, seconds, callers) }

// paged adds a first page with rows of panes.
func paged(rows ...panes.RowSpec) func(*Options) {
	return func(o *Options) {
		o.Navigation.Pages = append([]panes.PageSpec{{Name: "Mine", Rows: rows}}, pages.DefaultSpecs()[:4]...)
	}
}

// row is a row of panes.
func row(kinds ...string) panes.RowSpec {
	var r panes.RowSpec
	for _, k := range kinds {
		r.Panes = append(r.Panes, panes.PaneSpec{Kind: k})
	}
	return r
}

// focusedKind returns the kind of the focused pane.
func (b *board) focusedKind() string {
	if page, ok := b.Page().(*panes.PanePage); ok && page.FocusedSlot() != nil {
		return page.FocusedSlot().Spec.Kind
	}
	return ""
}

type (
	platform        = uitest.Platform
	deskController  = uitest.FakePlatform
	floorController = uitest.Controller
)

func controllerOf(p platform) *actions.Controller { return uitest.ControllerOf(p) }

func newFloorController(r words.ActionReport) *floorController { return uitest.NewController(r) }
