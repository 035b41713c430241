package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/config/usercommand"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/actions"
	"wallboard/ui/alerts"
	"wallboard/ui/boarddialogs"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/history"
	"wallboard/ui/kiosk"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/render"
	"wallboard/ui/replay"
	"wallboard/ui/style"
	"wallboard/ui/widgets"
)

// scene holds the data from which all parts of the board are drawn, such as the snapshot, the
// clock, the look and the alerts. Only [Model] changes it.
type scene struct {
	*Options

	look      *style.Look
	floor     floorview.View
	createdAt time.Time // on the local clock

	actionMarks    *render.ActionMarks // marks of recent actions on the rows of their targets
	alerts         *alerts.BoardAlerts
	baseline       *history.Baseline
	forecaster     widgets.Forecaster
	shiftCache     widgets.ShiftCache // cached shifts of agents
	kiosk          *kiosk.Kiosk       // nil on interactive boards
	requests       dialog.MsgQueue    // messages that parts of the board send to the board
	keyHints       panes.KeyHints
	comparison     replay.Comparison
	otherViewers   *boarddialogs.ViewerConnection // nil without a connection to other viewers
	viewerMessages *boarddialogs.ViewerConnection // source of the messages on the screen; for a replay, that of the live board

	platforms *platforms // nil with a single platform
}

func newScene(o *Options) *scene {
	sc := &scene{Options: o, look: &style.Look{}}
	sc.floor = floorview.View{Names: o.Names, Channel: model.Call, LocalNow: o.Now()}
	sc.floor.Replay = o.Archive.Replayed != nil
	sc.createdAt = sc.floor.LocalNow
	sc.baseline = history.NewBaseline(&sc.floor)
	sc.baseline.SetReader(o.History, o.Archive.NoHistoryReason)
	sc.alerts = alerts.New(&sc.floor, sc.maskNames, sc.baseline.VolumeEstimator.TypicalRate)
	sc.alerts.SetEngine(o.Alerts)
	sc.alerts.OnTakeOver(sc.recordEvent)
	sc.alerts.SetRecorder(o.Actions.Recorder)
	sc.alerts.SetVisibleToOthers(o.OtherViewers.Member != nil)
	sc.forecaster.UseObservations(o.Alerts.Observations())
	sc.setLook(style.Options{Theme: o.Display.Theme, Words: o.Display.Language, NamedTheme: o.Display.LightTheme.Name == "", Depth: themes.DepthTrueColor})
	return sc
}

// translate returns a text in the viewer's language.
func (sc *scene) translate(text words.Text) string { return text.In(sc.look.Format.Words) }

// setLook creates a new look with the options o, which invalidates everything drawn with the
// previous look. The options of the board determine ASCII and Location; those of o are ignored.
func (sc *scene) setLook(o style.Options) {
	o.ASCII, o.Location = sc.Display.ASCII, sc.Display.Location
	draw := render.Options{Names: sc.Names, Targets: sc.Alerts.Goal, CustomKPIs: sc.alerts.CustomKPIs(), StateLimit: sc.Targets.Breaks.LimitFor}
	if sc.Process.SharedCaches != nil {
		sc.look = sc.Process.SharedCaches.FindOrCreate(o, draw)
	} else {
		sc.look = style.New(o, draw)
	}
	sc.floor.Words = sc.look.Format.Words
	sc.alerts.SetLanguage(sc.look.Format.Words)
}

// restOfDay returns the forecasts for the current channel. It is a [history.RestOfDay].
func (sc *scene) restOfDay() (day []string, rest *forecast.RestOfDay) {
	if sc.floor.Shown == nil {
		return nil, nil
	}
	floor, shown := model.FloorOf(sc.floor.Shown, sc.floor.Channel, nil, nil), sc.paneScene()
	if f, ok := shown.Forecast("", sc.floor.Channel, &floor.Calls); ok {
		day = words.AllIn(f.Lines(), sc.look.Format.Words)
	}
	return day, shown.RestOfDay("", sc.floor.Channel, &floor.Calls)
}

// paneScene returns the data from which pages and panes are drawn.
func (sc *scene) paneScene() *panes.Scene {
	s := &panes.Scene{
		Look: sc.look, Floor: &sc.floor, PendingActionMarks: sc.actionMarks, MotionEnabled: sc.Display.Flash, Requests: &sc.requests, ComparedWith: sc.comparison.ReferenceFor(sc.floor.Now()),
		Alarms: sc.alerts.Alarms(), Forecaster: &sc.forecaster, Events: sc.chartEvents,
	}
	if sc.kiosk == nil {
		s.Layouts, s.KeyHints, s.Shifts = sc.Navigation.Tables, sc.keyHints, &sc.shiftCache
	}
	if sc.History != nil {
		s.Baseline = sc.baseline
	}
	if sc.kiosk != nil {
		s.Wall = sc.kiosk
	}
	return s
}

// archive returns the data for commands that read the recording. r is the replay of the board, or
// nil on a live board.
func (sc *scene) archive(r *replay.Replay) *replay.BoardArchive {
	return &replay.BoardArchive{
		Archive: &sc.Archive, Context: sc.Context, Floor: &sc.floor, Look: sc.look, Names: sc.Names, Now: sc.Now,
		Alerts: sc.Alerts, Goal: func(service string) alert.Goal { return sc.Alerts.Goal(service) }, Requests: &sc.requests, Replay: r,
	}
}

// readShifts returns a command that reads an agent's shift that was missing when the last frame was
// drawn. It returns nil if none was missing.
func (sc *scene) readShifts() tea.Cmd {
	v := &sc.floor
	shifts := func() widgets.ShiftReader { return sc.archive(nil).Shifts() }
	return sc.shiftCache.NextRead(sc.Context, shifts, v.Shown, v.Now(), v.LocalNow)
}

// maskNames masks the names in text that this board must not show.
func (sc *scene) maskNames(text string) string {
	return sc.Alerts.MaskText(text)
}

// kioskSetup returns the kiosk's settings.
func (sc *scene) kioskSetup() kiosk.Setup {
	return kiosk.Setup{
		Options: sc.Kiosk, HasStandardPages: pages.AreStandard(sc.Navigation.Pages), StartPage: sc.Navigation.StartPage, HasNoHistory: sc.History == nil,
	}
}

// recordEvent adds an event to the recording of the floor. It does nothing if the floor is not
// recorded.
func (sc *scene) recordEvent(e model.Event) {
	if sc.Process.RecordEvent != nil {
		sc.Process.RecordEvent(e)
	}
}

// notes returns the editor for notes about the floor. During a replay, it has no notes to edit.
func (sc *scene) notes() *boarddialogs.NoteEditor {
	n := &boarddialogs.NoteEditor{User: sc.Actions.User, Now: sc.Now, Approve: sc.Actions.Recorder.NoteApproval(sc.translate(words.BoardFloor())), Mask: sc.maskNames, Words: sc.look.Format.Words}
	if !sc.floor.Replay {
		n.Book = sc.Alerts.Observations().Notes()
	}
	return n
}

// tolerances returns the editor for the tolerances of the day. During a replay, it has no
// tolerances to edit.
func (sc *scene) tolerances() *boarddialogs.ToleranceEditor {
	return &boarddialogs.ToleranceEditor{NoteEditor: *sc.notes(), Current: sc.Alerts.Goal("").Tolerance}
}

// checklist returns the playbooks with the steps that are ticked off, or nil if there are no
// playbooks.
func (sc *scene) checklist() *boarddialogs.Checklist {
	if len(sc.Targets.Playbooks) == 0 {
		return nil
	}
	c := &boarddialogs.Checklist{NoteEditor: *sc.notes(), Playbooks: sc.Targets.Playbooks, ClockOffset: sc.floor.Health().ClockOffset}
	if recording := sc.Archive.Replayed; recording != nil {
		c.Book, c.Notes = nil, statefile.RecordedNotes(recording.Marks(), sc.floor.Now())
	}
	return c
}

// noteLines returns the lines of the header for the tolerance of the day and the notes. r is the
// replay of the board, or nil on a live board. During a replay, noteLines uses the notes of the
// replayed instant.
func (sc *scene) noteLines(r *replay.Replay) []string {
	list, ahead := sc.notes().Active(""), sc.floor.Health().ClockOffset
	if r != nil {
		list, ahead = statefile.ActiveNotes(statefile.RecordedNotes(r.Recording.Marks(), r.At()), "", r.At()), 0
	}
	now := sc.Now().Add(ahead)
	if r != nil {
		now = r.At()
	}
	var out []string
	if text := textformat.ToleranceText(sc.Alerts.Goal("").Tolerance); text != "" {
		out = append(out, text)
	}
	for i := range list {
		note := list[i].Shift(ahead)
		_, text := textformat.DescribeNote(&note, now, sc.look.Format.Words, func(at time.Time) string { return textformat.Clock(at, sc.look.Zone()) })
		out = append(out, sc.maskNames(text))
	}
	return out
}

// chartEvents returns the times of the events that charts mark: notes and, during a replay,
// actions. The times are on the server's clock.
func (sc *scene) chartEvents() []time.Time {
	var out []time.Time
	if recording := sc.Archive.Replayed; recording != nil {
		for _, m := range recording.Marks() {
			if m.Kind == model.MarkAction || m.Kind == model.MarkNote {
				out = append(out, m.At)
			}
		}
		return out
	}
	for _, at := range sc.notes().EventTimes() {
		out = append(out, sc.floor.ToServerTime(at))
	}
	return out
}

// launcher returns a launcher that runs the configured commands for a record. A nil record means
// that no record is selected.
func (sc *scene) launcher(r usercommand.Record) actions.CommandLauncher {
	l := actions.CommandLauncher{Runner: sc.Actions.Commands, Context: sc.Context, Record: r, Words: sc.look.Format.Words}
	if sc.Actions.Controller != nil {
		l.Calls = sc.Actions.Controller.Calls
	}
	return l
}

// selectedLauncher returns a launcher that runs the configured commands for the selected record.
func (sc *scene) selectedLauncher(p *pages.Set) actions.CommandLauncher {
	kind, code, channel, ok := p.Selection().Record()
	if !ok {
		return sc.launcher(nil)
	}
	return sc.launcher(actions.CommandRecord(&sc.floor, kind, code, channel))
}

// newPage creates the page described by spec.
func newPage(sc *scene, dialogs *dialog.Stack, keys *pages.KeyMap, spec panes.PageSpec) panes.Page {
	if pages.IsSites(spec) {
		return pages.NewSites(sc.paneScene(), func() []pages.PlatformRow { return sc.platforms.siteRows(sc.floor.Channel, sc) }, pages.SitesKeys{Open: &keys.Open, Pane: &keys.Pane, Next: &keys.NextPlatform, IsAction: keys.Actions.IsAction})
	}
	switch p, ok := pages.FindStandard(spec.Builtin); {
	case !ok:
		return panes.NewPage(sc.paneScene(), &keys.Pane, spec)
	case p == pages.Breaks:
		return pages.NewBreaks(sc.paneScene(), pages.BreaksKeys{Open: &keys.Open, Pane: &keys.Pane})
	case p == pages.History:
		board := history.Board{Reader: sc.History, Dialogs: dialogs, Floor: &sc.floor, Save: sc.Actions.Save, Kiosk: sc.kiosk != nil, NoReaderReason: sc.Archive.NoHistoryReason}
		if !board.Kiosk {
			board.Recording = sc.archive(nil).History()
		}
		return history.New(board, &keys.History, keys.SharedWithHistory())
	default:
		return panes.NewPage(sc.paneScene(), &keys.Pane, panes.StandardPage(p.String()))
	}
}
