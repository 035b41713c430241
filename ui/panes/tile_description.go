package panes

import (
	"math"

	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/ui/plots"
	"wallboard/ui/render"
)

// tileDescribers maps figures of the floor to functions that describe them. A function sets the
// second line of the figure's tile and may raise the level of the tile. For all other figures, the
// level depends only on alerts about the figure.
var tileDescribers = map[string]func(*floorFigures, *Scene, model.Figure, *plots.Tile){
	figureWaiting:      (*floorFigures).describeWaiting,
	"longestWait":      (*floorFigures).describeLongestWait,
	figureServiceLevel: (*floorFigures).describeServiceLevel,
	"abandonRate":      (*floorFigures).describeAbandonRate,
	"asa": func(o *floorFigures, sc *Scene, _ model.Figure, t *plots.Tile) {
		t.Reference = countText(sc.Look.Format, o.floor.Calls.AnsweredCalls) + " answered"
	},
	"aht":       (*floorFigures).describeAgentFigure,
	"occupancy": (*floorFigures).describeAgentFigure,
	"busyOnServUsers": func(o *floorFigures, sc *Scene, f model.Figure, t *plots.Tile) {
		t.Label = render.StateOf(model.Busy, sc.Floor.Channel).Word
		o.describeHeadCount(sc, f, t)
	},
	"readyUsers":    (*floorFigures).describeHeadCount,
	figureWrapUp:    (*floorFigures).describeHeadCount,
	"notReadyUsers": (*floorFigures).describeHeadCount,
	figureLoggedIn: func(o *floorFigures, _ *Scene, _ model.Figure, t *plots.Tile) {
		t.Reference = phrases.Count(o.floor.Services, "service", "services")
	},
}

// describeAgentFigure adds the number of logged-in agents to the tile. The platform sends only the
// counters of these agents, so the sum from which the figure is computed decreases when an agent
// logs out.
func (o *floorFigures) describeAgentFigure(sc *Scene, _ model.Figure, t *plots.Tile) {
	if logged := o.floor.Logged(); logged.Known() {
		t.Reference = countText(sc.Look.Format, logged) + " logged in"
	}
}

func countText(f phrases.Format, v model.Int) string { return string(f.Int(nil, v)) }

func (o *floorFigures) describeWaiting(sc *Scene, f model.Figure, t *plots.Tile) {
	if v, ok := f.Get(); ok && v > 0 && o.floor.Users > 0 && o.floor.States[model.Ready] == 0 {
		t.Level, t.Reference = max(t.Level, sc.Alarms.ShownAlerts.UnderstaffingLevel(sc.Floor.Channel)), "no agent ready"
		return
	}
	t.Reference = countText(sc.Look.Format, o.floor.Calls.CurrentCalls) + " in system"
}

// describeLongestWait adds to the tile how many services have a wait over their limit. It raises
// the level of the tile to the highest level of the alerts about these waits.
func (o *floorFigures) describeLongestWait(sc *Scene, f model.Figure, t *plots.Tile) {
	lateCount, worst := sc.Alarms.ShownAlerts.CountWaitAlerts(sc.Floor.Channel)
	t.Level = max(t.Level, worst)
	d, known := f.Seconds()
	switch {
	case lateCount > 0:
		t.Reference = sc.Look.Count(lateCount) + " over limit"
	case known && !sc.Floor.DoubtAbout(model.OpServices).Stale:
		t.Dim, t.Reference = d == 0, "none over limit"
	}
	t.Reference = render.WaitContext(sc.Look.Format, t.Reference, &o.floor.Calls)
}

func (o *floorFigures) describeServiceLevel(sc *Scene, f model.Figure, t *plots.Tile) {
	goal := sc.Alarms.Engine.Goal("")
	if target, ok := goal.ServiceLevel.Get(); ok {
		if sl, known := f.Get(); known && alert.IsSignificant(o.floor.Calls.ReceivedCalls, goal.Judged().ServiceLevel.Or(target)-sl) {
			t.Missed = sc.Look.Render.MissedGlyph(kpi.Higher)
		}
		t.Wide, t.Reference = true, "target "+sc.Look.Share(target)
		t.ForecastRange = o.budgetText(sc)
		t.ShortForecast = t.ForecastRange
		if day, ok := sc.Forecast("", sc.Floor.Channel, &o.floor.Calls); ok && day.HasNarrowLevel() {
			t.ForecastRange, t.ShortForecast = "forecast "+day.LevelBand(), "forecast "+sc.Look.Count(int(math.Round(100*day.Level.Likely)))+" %"
			if !day.MissedFrom.IsZero() {
				t.ShortForecast = "missed from " + day.MissedAt()
				t.ForecastRange += ", " + t.ShortForecast
			}
		}
	}
}

// budgetText returns how many late calls the target of the floor still allows. If the target is
// missed, it returns how many calls must be answered in time to reach it, or that it is out of
// reach today. It returns "" if neither is known.
func (o *floorFigures) budgetText(sc *Scene) string {
	goal := sc.Alarms.Engine.Goal("")
	value := func(figure string) int {
		v, _ := kpi.Named(figure).FormFor(model.ScopeFloor).OfFloor(&o.floor, goal).Get()
		return int(v)
	}
	if left := value("missesLeft"); left > 0 {
		return phrases.Count(left, "late call left", "late calls left")
	}
	if needed := value("toRecover"); needed > 0 {
		received, known := o.floor.Calls.ReceivedCalls.Get()
		if day, ok := sc.Forecast("", sc.Floor.Channel, &o.floor.Calls); ok && known && day.ContactsKnown && float64(needed) > day.Contacts.High-float64(received) {
			return "out of reach today"
		}
		return "needs " + sc.Look.Count(needed) + " in time"
	}
	return ""
}

func (o *floorFigures) describeAbandonRate(sc *Scene, f model.Figure, t *plots.Tile) {
	goal, c := sc.Alarms.Engine.Goal("").Judged(), &o.floor.Calls
	if rate, known := f.Get(); known && goal.Abandon.Known() && alert.IsSignificant(c.ReceivedCalls, rate-goal.Abandon.Or(1)) {
		t.Missed = sc.Look.Render.MissedGlyph(kpi.Lower)
	}
	t.Reference = countText(sc.Look.Format, c.HangupCalls) + " of " + countText(sc.Look.Format, c.ReceivedCalls)
}

// describeHeadCount adds to the tile of a number of agents their share of all logged-in agents.
func (o *floorFigures) describeHeadCount(sc *Scene, f model.Figure, t *plots.Tile) {
	if logged, ok := o.floor.Logged().Figure().Get(); ok && logged > 0 {
		v, _ := f.Get()
		t.Reference = sc.Look.Share(v/logged) + " of " + string(sc.Look.Format.Decimal(nil, logged))
	}
}
