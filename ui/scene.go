package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/alerts"
	"wallboard/ui/dialog"
	"wallboard/ui/history"
	"wallboard/ui/kiosk"
	"wallboard/ui/panes"
	"wallboard/ui/plots"
	"wallboard/ui/render"
	"wallboard/ui/situations"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
	"wallboard/ui/viewers"
)

// scene is the data that all parts of the board draw from: snapshot, clock and look. Only
// the root changes it.
type scene struct {
	*Options

	look      *style.Look
	floor     snapshot.View
	createdAt time.Time // when the board was created, on the local clock

	marks         *render.Marks // running actions on the rows
	alerts        *alerts.Watch
	baseline      *history.Baseline
	outlook       situations.Outlook
	shiftBook     plots.ShiftCache // shifts of agents
	wall          *kiosk.Kiosk     // kiosk only; nil on interactive boards
	asked         dialog.MsgQueue  // requests to the board
	situationKeys situations.Keys
	compare       comparison
	company       *viewers.Connection // nil without other viewers
	messages      *viewers.Connection // source of messages from other viewers; on a replay that of the live board

	platforms *platforms // nil with a single platform
}

func newScene(o *Options) *scene {
	sc := &scene{Options: o, look: &style.Look{}}
	sc.floor = snapshot.View{Names: o.Names, Channel: model.Call, Ours: o.Now()}
	if p, ok := o.Source.(Past); ok {
		sc.floor.Replay = p.Past()
	}
	sc.createdAt = sc.floor.Ours
	sc.baseline = history.NewBaseline(&sc.floor)
	sc.baseline.Use(o.History)
	sc.alerts = alerts.New(&sc.floor, sc.public, sc.baseline.Usual.Rate)
	sc.alerts.Use(o.Alerts)
	sc.alerts.Note(sc.mark)
	sc.alerts.Record(o.Recorder)
	sc.alerts.SetShared(o.Company.Seat != nil)
	sc.outlook.Use(o.Alerts, o.Breaks)
	sc.changeLook(func(l *style.Options) {
		l.Theme, l.NamedTheme, l.Depth = o.Theme, o.LightTheme.Name == "", themes.Full
	})
	return sc
}

// changeLook changes the look. New options invalidate everything that was drawn with the old
// ones.
func (sc *scene) changeLook(change func(*style.Options)) {
	o := sc.look.Options
	o.ASCII, o.Location = sc.ASCII, sc.Location
	change(&o)
	draw := render.Options{Names: sc.Names, Targets: sc.Alerts.Goal, CustomKPIs: sc.alerts.Custom(), Limit: sc.Breaks.Of}
	if sc.SharedCaches != nil {
		sc.look = sc.SharedCaches.New(o, draw)
		return
	}
	sc.look = style.New(o, draw)
}

// panes returns the current scene for pages and panes.
func (sc *scene) panes() *panes.Scene {
	s := &panes.Scene{
		Look: sc.look, Floor: &sc.floor, Marks: sc.marks, Flash: sc.Flash, Requests: &sc.asked, Compared: sc.compare.at(sc.floor.Now()),
		Alarms: sc.alerts.Alarms(), Outlook: &sc.outlook,
	}
	if sc.wall == nil {
		s.Layouts, s.SituationKeys, s.Shifts = sc.Tables, sc.situationKeys, &sc.shiftBook
	}
	if sc.History != nil {
		s.Baseline = sc.baseline
	}
	if sc.wall != nil {
		s.Wall = sc.wall
	}
	return s
}

// public masks names that this board must not show.
func (sc *scene) public(text string) string {
	if common, is := sc.Alerts.(alerts.Common); is {
		return common.MaskText(text)
	}
	return text
}

// setup returns the kiosk's settings.
func (sc *scene) setup() kiosk.Setup {
	return kiosk.Setup{
		Options: sc.Kiosk, Standard: areStandard(sc.Pages), Start: sc.StartPage, NoHistory: sc.History == nil,
	}
}

// mark adds an event to the recording, if there is one.
func (sc *scene) mark(e model.Event) {
	if sc.MarkEvent != nil {
		sc.MarkEvent(e)
	}
}

// wait waits for the next snapshot. A paced board polls for it when a frame is due instead.
func (sc *scene) wait() tea.Cmd {
	if sc.paced && sc.floor.Newest != nil {
		return nil
	}
	return nextSnapshot(sc.Context, sc.Source, sc.floor.Newest)
}
