package panes

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/frame"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/table"
	"wallboard/ui/textlayout"
	"wallboard/ui/widgets"
)

// KeyHints holds the key hints in the frames of panes and parts.
type KeyHints struct {
	Situations widgets.SituationKeys
	Pages      map[string]string // key of each standard page, by its name for the viewer; nil: no keys are shown
	Table      []style.KeyHint
}

// forTable returns the key hints for the frame of a table. An empty table without a filter has none,
// because the keys for rows have no effect there.
func (h *KeyHints) forTable(p *RecordTable) []style.KeyHint {
	if p.Rows.Len() == 0 && p.Filter == "" {
		return nil
	}
	return h.Table
}

// Scene holds the data from which pages and panes are drawn. The board creates a new Scene for each
// message or frame. Pages and panes must not change it.
type Scene struct {
	Look               *style.Look
	Floor              *floorview.View
	Alarms             Alarms
	PendingActionMarks *render.ActionMarks // marks of pending actions on the rows
	Baseline           Baseline            // compares today with other days; nil: no data of other days
	Forecaster         *widgets.Forecaster // end-of-day forecasts; nil: none
	Shifts             *widgets.ShiftCache // shifts of the agents; nil: none
	Wall               Wall                // the kiosk; nil: the board has an operator
	Layouts            *table.LayoutStore  // the viewer's table layouts; nil: the standard ones
	Requests           *dialog.MsgQueue    // messages for the board
	KeyHints           KeyHints
	// Events returns the times of the actions and notes that charts mark, on the server's clock. It
	// is nil if there are none.
	Events        func() []time.Time
	ComparedWith  *floorview.Reference // the time with which tables are compared; nil: no comparison
	MotionEnabled bool                 // changed values are highlighted for a moment, and long texts scroll
	HasFrames     bool                 // parts of a page have frames, because the screen is large enough
	KeepRowMarks  bool                 // a page that replaces another one copies the marks of its rows
	LargeFigures  bool                 // the screen is read from a distance, so figures have at least three lines
}

// Alarms holds the alert engine and the results of its evaluation.
type Alarms struct {
	Engine        widgets.FigureSource
	CustomKPIs    map[alert.Scope][]alert.KPI // configured KPIs
	CurrentAlerts *render.Alerts              // alerts at the time of the newest snapshot
	ShownAlerts   *render.Alerts              // alerts at the time of the shown snapshot
	// Situations are those of the shown snapshot, PresentSituations those of the newest snapshot.
	// Both are nil before the first evaluation.
	Situations, PresentSituations *situation.View
	// EndedSituations lists situations that have ended.
	EndedSituations []situation.PastSituation
	KPIValues       render.KPIValues // values of configured KPIs at the time of the shown snapshot
	Trends          render.Trends    // samples of figures up to the time of the shown snapshot
	// LastHour returns the states of an agent on a channel during the last hour.
	LastHour func(k model.UserStatKey) diagnosis.AgentHour
}

// Wall represents a board without an operator, such as a kiosk. Pages call its methods while
// drawing.
type Wall interface {
	// Scroll scrolls a table with more rows than fit. A kiosk shows the parts of the table in turn.
	Scroll(t *table.Model)
	// TakenOverText returns a message that a viewer has taken a situation over. by is the name of the
	// viewer. The message contains by only if the wall may show names.
	TakenOverText(by string) string
}

// InnerArea returns the area for the content of a part of a page, inside its frame or below its
// heading.
func (sc *Scene) InnerArea(x, y, w, h int) frame.Area {
	sideCells, lines := sc.frameMargins()
	return frame.Area{X: x + sideCells/2, Y: y + 1, W: w - sideCells, H: h - lines}
}

// frameMargins returns the size of the frame or heading around a part: sideCells is the number of
// cells on both sides together, lines is the number of lines above and below.
func (sc *Scene) frameMargins() (sideCells, lines int) {
	if sc.HasFrames {
		return 2, style.PanelFrameLines
	}
	return 0, 1
}

// DrawPart draws a part of a page in a frame or under a heading. lines must fit into the result of
// InnerArea.
func (sc *Scene) DrawPart(w, h int, title string, position style.HeadingStatus, focused bool, lines []string, hints ...style.KeyHint) []string {
	return drawPart(sc, new(style.FrameCache), w, h, title, position, focused, lines, hints...)
}

// drawPart is like [Scene.DrawPart], but reuses the lines of the previous frame that have not changed.
func drawPart(sc *Scene, previous *style.FrameCache, w, h int, title string, position style.HeadingStatus, focused bool, lines []string, hints ...style.KeyHint) []string {
	p := style.PartFrame{Key: sc.KeyHints.Pages[title], Title: title, Status: position, Focused: focused && sc.Wall == nil}
	if !sc.HasFrames {
		return append([]string{sc.Look.PartHeading(w, p)}, lines...)
	}
	if p.Focused {
		p.Hints = hints
	}
	return previous.DrawFramed(sc.Look, w, h, p, lines)
}

// translate returns a text in the language of the viewer.
func (sc *Scene) translate(text words.Text) string { return text.In(sc.Look.Format.Words) }

// takenOverText returns a message that a viewer has taken a situation over. by is the name of the
// viewer.
func takenOverText(wall Wall, by string) words.Text {
	if wall != nil {
		return words.Name(wall.TakenOverText(by))
	}
	return words.PaneHasIt(by)
}

// withKey returns the sentence that remark makes by adding a remark about a key to text. On a wall, which
// has no keyboard, it returns text as a sentence without the remark.
func withKey(wall Wall, text words.Text, remark func(words.Text) words.Text) words.Text {
	if wall != nil {
		return words.PaneSentence(text)
	}
	return remark(text)
}

// renderView returns the data that package render needs to draw the rows of tables. If service or
// group is not "", the data covers only agents assigned to it.
func (sc *Scene) renderView(service, group string) render.View {
	return render.View{
		Options:         sc.Look.Render,
		Scope:           render.Scope{Channel: sc.Floor.Channel, Service: service, Group: group, Presumed: sc.presumedTimeUnits()},
		Now:             sc.Floor.Now(),
		CacheKey:        sc.Look.ViewKey(sc.Floor.FrozenAt.IsZero() && !sc.Floor.Replay, sc.Floor.Channel, service, group),
		Marks:           sc.PendingActionMarks,
		Alerts:          sc.Alarms.ShownAlerts,
		Situations:      sc.Alarms.Situations,
		EndedSituations: sc.Alarms.EndedSituations,
		KPIValues:       sc.Alarms.KPIValues,
		Trends:          sc.Alarms.Trends,
		ForecastSentences: func(r *model.Service) []string {
			f, ok := sc.Forecast(r.Key().Code, r.Channel, &r.ChannelStats)
			if !ok {
				return nil
			}
			return words.AllIn(f.Lines(), sc.Look.Format.Words)
		},
		DrawRestOfDay: func(r *model.Service, p *textlayout.Pen) {
			widgets.DrawRestOfDay(p, sc.RestOfDay(r.Key().Code, r.Channel, &r.ChannelStats), sc.Look.Format.Words)
		},
		SpareAgentSentences: sc.spareAgentSentences,
		BreakSentences:      sc.breakSentences,
	}
}

// presumedTimeUnits returns the kinds of durations in the shown snapshot whose time unit is presumed.
func (sc *Scene) presumedTimeUnits() model.Presumed {
	if sc.Floor.Shown == nil {
		return 0
	}
	return sc.Floor.Shown.Health.Presumed
}

// spareAgentSentences describes in sentences how many agents of a service can leave before its
// calls have to wait.
func (sc *Scene) spareAgentSentences(r *model.Service) []string {
	var plan *diagnosis.ReleasePlan
	if sc.Floor.FrozenAt.IsZero() && !sc.Floor.Replay {
		plan = sc.Forecaster.Observations().ReleasePlan(sc.Floor.Now(), r.Channel)
	}
	var lines []string
	for _, text := range situation.SpareLines(sc.Floor.Shown, sc.Floor.Names, r.Key(), sc.Floor.Now(), plan) {
		lines = append(lines, widgets.TerminalText(sc.Look, sc.translate(text)))
	}
	return lines
}

// SpareAgents returns the sentences of spareAgentSentences for the service with the key k. It
// returns nil for other keys and unknown services.
func (sc *Scene) SpareAgents(k alert.Key) []string {
	if sc.Floor.Shown == nil || k.Scope != alert.Service {
		return nil
	}
	r := sc.Floor.Shown.Services.Get(model.ServiceKey{Code: k.Code, Channel: k.Channel})
	if r == nil {
		return nil
	}
	return sc.spareAgentSentences(r)
}

// Charts returns the source of the data for charts.
func (sc *Scene) Charts() *widgets.Source {
	return &widgets.Source{
		Look: sc.Look, Floor: sc.Floor, Engine: sc.Alarms.Engine, CustomKPIs: sc.Alarms.CustomKPIs, Trends: sc.Alarms.Trends,
		Alerts: sc.Alarms.ShownAlerts, Events: sc.Events,
	}
}

// LiveRenderView returns the data that package render needs to draw parts that show the newest
// snapshot, even while the snapshot on the screen is frozen.
func (sc *Scene) LiveRenderView() render.View {
	v := sc.renderView("", "")
	v.Situations = sc.Alarms.PresentSituations
	v.Now, v.Alerts, v.KPIValues = sc.Floor.ToServerTime(sc.Floor.LocalNow), sc.Alarms.CurrentAlerts, sc.Alarms.Engine
	return v
}
