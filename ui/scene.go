package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/alerts"
	"wallboard/ui/dialog"
	"wallboard/ui/history"
	"wallboard/ui/kiosk"
	"wallboard/ui/panes"
	"wallboard/ui/plots"
	"wallboard/ui/render"
	"wallboard/ui/replay"
	"wallboard/ui/situations"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// scene is the data that all parts of the board draw from: snapshot, clock and look. Only
// the root changes it.
type scene struct {
	*Options

	look      *style.Look
	floor     snapshot.View
	createdAt time.Time // when the board was created, on the local clock

	marks          *render.Marks // running actions on the rows
	alerts         *alerts.Watch
	baseline       *history.Baseline
	outlook        situations.Outlook
	shiftCache     plots.ShiftCache // shifts of agents
	kiosk          *kiosk.Kiosk     // kiosk only; nil on interactive boards
	requests       dialog.MsgQueue  // requests to the board
	paneKeys       panes.KeyHints
	compare        replay.Comparison
	otherViewers   *viewersConnection // nil without other viewers
	viewerMessages *viewersConnection // source of messages from other viewers; on a replay that of the live board

	platforms *platforms // nil with a single platform
}

func newScene(o *Options) *scene {
	sc := &scene{Options: o, look: &style.Look{}}
	sc.floor = snapshot.View{Names: o.Names, Channel: model.Call, Ours: o.Now()}
	if p, ok := o.Source.(replay.Source); ok {
		sc.floor.Replay = p.Past()
	}
	sc.createdAt = sc.floor.Ours
	sc.baseline = history.NewBaseline(&sc.floor)
	sc.baseline.Use(o.History)
	sc.alerts = alerts.New(&sc.floor, sc.maskNames, sc.baseline.Typical.Rate)
	sc.alerts.Use(o.Alerts)
	sc.alerts.OnTakeOver(sc.recordEvent)
	sc.alerts.SetRecorder(o.Recorder)
	sc.alerts.SetShared(o.OtherViewers.Seat != nil)
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

// restOfDay returns the forecast of the rest of the day for the floor; nil: none on this channel.
func (sc *scene) restOfDay() *forecast.RestOfDay {
	if sc.floor.Shown == nil {
		return nil
	}
	floor := model.FloorOf(sc.floor.Shown, sc.floor.Channel, nil, nil)
	return sc.panes().RestOfDay("", sc.floor.Channel, &floor.Calls)
}

// panes returns the current scene for pages and panes.
func (sc *scene) panes() *panes.Scene {
	s := &panes.Scene{
		Look: sc.look, Floor: &sc.floor, Marks: sc.marks, Flash: sc.Flash, Requests: &sc.requests, Compared: sc.compare.ReferenceFor(sc.floor.Now()),
		Alarms: sc.alerts.Alarms(), Outlook: &sc.outlook,
	}
	if sc.kiosk == nil {
		s.Layouts, s.KeyHints, s.Shifts = sc.Tables, sc.paneKeys, &sc.shiftCache
	}
	if sc.History != nil {
		s.Baseline = sc.baseline
	}
	if sc.kiosk != nil {
		s.Wall = sc.kiosk
	}
	return s
}

// recorded returns the board for commands about the recording. r is nil on a live board.
func (sc *scene) recorded(r *replay.Replay) *replay.BoardArchive {
	return &replay.BoardArchive{
		Archive: &sc.Memory, Source: sc.Source, Context: sc.Context, Floor: &sc.floor, Look: sc.look, Names: sc.Names, Now: sc.Now,
		Alerts: sc.Alerts, Goal: func(service string) alert.Goal { return sc.Alerts.Goal(service) }, Requests: &sc.requests, Replay: r,
	}
}

// readShifts returns the command that reads the shift that the last frame needed.
func (sc *scene) readShifts() tea.Cmd {
	v := &sc.floor
	shifts := func() plots.ShiftReader { return sc.recorded(nil).Shifts() }
	return sc.shiftCache.NextRead(sc.Context, shifts, v.Shown, v.Now(), v.Ours)
}

// maskNames masks names that this board must not show.
func (sc *scene) maskNames(text string) string {
	if common, ok := sc.Alerts.(alerts.Common); ok {
		return common.MaskText(text)
	}
	return text
}

// kioskSetup returns the kiosk's settings.
func (sc *scene) kioskSetup() kiosk.Setup {
	return kiosk.Setup{
		Options: sc.Kiosk, HasStandardPages: areStandard(sc.Pages), Start: sc.StartPage, NoHistory: sc.History == nil,
	}
}

// recordEvent adds an event to the recording, if there is one.
func (sc *scene) recordEvent(e model.Event) {
	if sc.MarkEvent != nil {
		sc.MarkEvent(e)
	}
}

// awaitSnapshot waits for the next snapshot. A paced board polls for it when a frame is due instead.
func (sc *scene) awaitSnapshot() tea.Cmd {
	if sc.paced && sc.floor.Newest != nil {
		return nil
	}
	return nextSnapshot(sc.Context, sc.Source, sc.floor.Newest)
}
