package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/alerts"
	"wallboard/ui/company"
	"wallboard/ui/floor"
	"wallboard/ui/history"
	"wallboard/ui/kiosk"
	"wallboard/ui/look"
	"wallboard/ui/outlook"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/shifts"
	"wallboard/ui/situations"
	"wallboard/ui/task"
)

// scene is what every part of the board draws from: the picture, the clock and
// the look of this moment. The root changes it; pages only read it.
type scene struct {
	*Options

	look  *look.Look
	floor floor.View
	begun time.Time // when the board was made, on our clock

	marks    *render.Marks // what is under way, on the rows
	alerts   *alerts.Watch
	baseline *history.Baseline
	outlook  outlook.Outlook
	worked   shifts.Book // of agents
	wall     *kiosk.Wall // of a kiosk; nil: somebody operates the board
	asked    task.Asked  // what the board is to do
	nowKeys  situations.Keys
	compare  comparison
	company  *company.State // nil: the board is alone
	heard    *company.State // whose messages stand on the board; of one that shows what was: that of now

	platforms *platforms // nil: there is one
}

func newScene(o *Options) *scene {
	sc := &scene{Options: o, look: &look.Look{}}
	sc.floor = floor.View{Names: o.Names, Channel: model.Call, Ours: o.Now()}
	if p, ok := o.Source.(Past); ok {
		sc.floor.Past = p.Past()
	}
	sc.begun = sc.floor.Ours
	sc.baseline = history.NewBaseline(&sc.floor)
	sc.baseline.Use(o.History)
	sc.alerts = alerts.New(&sc.floor, sc.public, sc.baseline.Usual.Rate)
	sc.alerts.Use(o.Alerts)
	sc.alerts.Note(sc.mark)
	sc.alerts.Record(o.Recorder)
	sc.alerts.Company(o.Company.Seat != nil)
	sc.outlook.Use(o.Alerts, o.Breaks)
	sc.relook(func(l *look.Options) {
		l.Theme, l.Chosen, l.Depth = o.Theme, o.LightTheme.Name == "", themes.Full
	})
	return sc
}

// relook changes the look. Everything that was drawn in another is redrawn,
// because the options that caches are keyed by are new.
func (sc *scene) relook(change func(*look.Options)) {
	o := sc.look.Options
	o.ASCII, o.Location = sc.ASCII, sc.Location
	change(&o)
	draw := render.Options{Names: sc.Names, Goal: sc.Alerts.Goal, Own: sc.alerts.Custom(), Limit: sc.Breaks.Of}
	if sc.Alike != nil {
		sc.look = sc.Alike.New(o, draw)
		return
	}
	sc.look = look.New(o, draw)
}

// panes returns what pages and panes are drawn from now.
func (sc *scene) panes() *panes.Scene {
	s := &panes.Scene{
		Look: sc.look, Floor: &sc.floor, Marks: sc.marks, Flash: sc.Flash, Asked: &sc.asked, Compared: sc.compare.at(sc.floor.Now()),
		Alarms: sc.alerts.Alarms(), Outlook: &sc.outlook,
	}
	if sc.wall == nil {
		s.Tables, s.NowKeys, s.Shifts = sc.Tables, sc.nowKeys, &sc.worked
	}
	if sc.History != nil {
		s.Baseline = sc.baseline
	}
	if sc.wall != nil {
		s.Wall = sc.wall
	}
	return s
}

// public is a text without the names that must not be seen on this board.
func (sc *scene) public(text string) string {
	if common, is := sc.Alerts.(alerts.Common); is {
		return common.Public(text)
	}
	return text
}

// setup is what a kiosk goes by.
func (sc *scene) setup() kiosk.Setup {
	return kiosk.Setup{
		Options: sc.Kiosk, Standard: areStandard(sc.Pages), Start: sc.StartPage, NoHistory: sc.History == nil,
	}
}

// mark has the recording know of something, if there is one.
func (sc *scene) mark(e model.Event) {
	if sc.Marked != nil {
		sc.Marked(e)
	}
}

// wait waits for the next picture, unless it is looked for when a frame is due.
func (sc *scene) wait() tea.Cmd {
	if sc.paced && sc.floor.Newest != nil {
		return nil
	}
	return nextSnapshot(sc.Context, sc.Source, sc.floor.Newest)
}
