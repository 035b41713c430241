package widgets

import (
	"math"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/ui/render"
)

// FloorDescriber describes figures of the floor on their tiles.
type FloorDescriber struct {
	*Source
	Figures *model.Floor // figures of the floor on the channel of the source
	// Forecast returns the end-of-day forecast for the floor. ok is false if there is none.
	Forecast func() (f forecast.Forecast, ok bool)
}

// Describe sets the second line of the tile t of a figure of the floor, and may raise the tile's
// level. f is the value of the figure. Describe does nothing for figures without a description.
func (d *FloorDescriber) Describe(figure string, f model.Figure, t *Tile) {
	if describe := tileDescribers[figure]; describe != nil {
		describe(d, f, t)
	}
}

// tileDescribers maps figures of the floor to functions that set the second line of the figure's
// tile and may raise the tile's level. For other figures, the level depends only on alerts about
// the figure.
var tileDescribers = map[string]func(*FloorDescriber, model.Figure, *Tile){
	"queuedCalls":  (*FloorDescriber).describeWaiting,
	"longestWait":  (*FloorDescriber).describeLongestWait,
	"serviceLevel": (*FloorDescriber).describeServiceLevel,
	"abandonRate":  (*FloorDescriber).describeAbandonRate,
	"asa": func(d *FloorDescriber, _ model.Figure, t *Tile) {
		t.Reference = d.Look.Translate(words.PlotAnswered(d.countText(d.Figures.Calls.AnsweredCalls)))
	},
	"aht":       (*FloorDescriber).describeAgentFigure,
	"occupancy": (*FloorDescriber).describeAgentFigure,
	"busyOnServUsers": func(d *FloorDescriber, f model.Figure, t *Tile) {
		t.Label = words.BusyWord(d.Floor.Channel).In(d.Look.Format.Words)
		d.describeHeadCount(f, t)
	},
	"readyUsers":    (*FloorDescriber).describeHeadCount,
	"postCallUsers": (*FloorDescriber).describeHeadCount,
	"notReadyUsers": (*FloorDescriber).describeHeadCount,
	"loggedUsers": func(d *FloorDescriber, _ model.Figure, t *Tile) {
		t.Reference = d.Look.Translate(words.CountServices(d.Figures.Services))
	},
}

// describeAgentFigure adds the number of logged-in agents to the tile. The figure is computed from
// the counters of these agents only, so it may fall when an agent logs out.
func (d *FloorDescriber) describeAgentFigure(_ model.Figure, t *Tile) {
	if logged := d.Figures.LoggedIn(); logged.Known() {
		t.Reference = d.Look.Translate(words.PlotLoggedIn(d.countText(logged)))
	}
}

func (d *FloorDescriber) countText(v model.Int) string { return string(d.Look.Format.Int(nil, v)) }

func (d *FloorDescriber) describeWaiting(f model.Figure, t *Tile) {
	if v, ok := f.Get(); ok && v > 0 && d.Figures.Users > 0 && d.Figures.States[model.Ready] == 0 {
		t.Level, t.Reference = max(t.Level, d.Alerts.UnderstaffingLevel(d.Floor.Channel)), d.Look.Translate(words.PlotNoAgentReady())
		return
	}
	t.Reference = d.Look.Translate(words.PlotInProgress(d.countText(d.Figures.Calls.CurrentCalls)))
}

// describeLongestWait adds to the tile the number of services with a wait over their limit. It
// raises the level of the tile to the highest level of the open alerts about these waits.
func (d *FloorDescriber) describeLongestWait(f model.Figure, t *Tile) {
	lateCount, worst := d.Alerts.CountWaitAlerts(d.Floor.Channel)
	t.Level = max(t.Level, worst)
	wait, known := f.Seconds()
	switch {
	case lateCount > 0:
		t.Reference = d.Look.Translate(words.PlotOverLimit(lateCount))
	case known && !d.Floor.DoubtAbout(model.OpServices).Stale:
		t.Dim, t.Reference = wait == 0, d.Look.Translate(words.PlotNoneOverLimit())
	}
	t.Reference = render.WaitContext(d.Look.Format, t.Reference, &d.Figures.Calls)
}

func (d *FloorDescriber) describeServiceLevel(f model.Figure, t *Tile) {
	goal := d.Engine.Goal("")
	if target, ok := goal.ServiceLevel.Get(); ok {
		if sl, known := f.Get(); known && alert.IsSignificant(d.Figures.Calls.ReceivedCalls, goal.WithTolerance().ServiceLevel.Or(target)-sl) {
			t.MissedMark = d.Look.Render.MissedGlyph(kpi.HigherIsBetter)
		}
		t.Wide, t.Reference = true, d.Look.Translate(words.PlotTarget(d.Look.PercentText(target)))
		t.ForecastRange = d.Look.Translate(d.lateBudgetText())
		t.ShortForecast = t.ForecastRange
		if day, ok := d.Forecast(); ok && day.IsLevelRangeNarrow() {
			band, likely := day.LevelBand(), d.Look.FormatCount(int(math.Round(100*day.Level.Likely)))+" %"
			full, short := words.PlotForecast(band), words.PlotForecast(words.Name(likely))
			if !day.MissedFrom.IsZero() {
				short = words.PlotMissedFrom(day.MissedAt())
				full = words.PlotForecastMissed(band, short)
			}
			t.ForecastRange, t.ShortForecast = d.Look.Translate(full), d.Look.Translate(short)
		}
	}
}

// lateBudgetText returns how many late contacts the target of the floor still allows. If the target is
// missed, it returns how many contacts must be answered in time to reach it again, or that it is
// out of reach today. It returns the zero Text if neither is known.
func (d *FloorDescriber) lateBudgetText() words.Text {
	goal := d.Engine.Goal("")
	value := func(figure string) int {
		v, _ := kpi.FigureNamed(figure).FormFor(model.ScopeFloor).FloorValue(d.Figures, goal).Get()
		return int(v)
	}
	if left := value("missesLeft"); left > 0 {
		return allowedLateText(left, d.Floor.Channel)
	}
	if needed := value("toRecover"); needed > 0 {
		received, known := d.Figures.Calls.ReceivedCalls.Get()
		if day, ok := d.Forecast(); ok && known && day.ContactsKnown && float64(needed) > day.Contacts.High-float64(received) {
			return words.PlotOutOfReach()
		}
		return words.PlotNeedsInTime(needed)
	}
	return words.Text{}
}

// allowedLateText returns a phrase for n contacts that may still be answered late.
func allowedLateText(n int, ch model.Channel) words.Text {
	switch ch {
	case model.Call:
		return words.PlotLateCallsLeft(n)
	case model.Chat, model.LiveHelp:
		return words.PlotLateChatsLeft(n)
	case model.MailACD:
		return words.PlotLateMailsLeft(n)
	case model.Custom1, model.Custom2, model.Custom3, model.Video, model.OmniDesk:
	}
	return words.PlotLateContactsLeft(n)
}

func (d *FloorDescriber) describeAbandonRate(f model.Figure, t *Tile) {
	goal, c := d.Engine.Goal("").WithTolerance(), &d.Figures.Calls
	if rate, known := f.Get(); known && goal.Abandon.Known() && alert.IsSignificant(c.ReceivedCalls, rate-goal.Abandon.Or(1)) {
		t.MissedMark = d.Look.Render.MissedGlyph(kpi.LowerIsBetter)
	}
	t.Reference = d.Look.Translate(words.PlotOf(d.countText(c.HangupCalls), d.countText(c.ReceivedCalls)))
}

// describeHeadCount adds to the tile of a number of agents its share of all logged-in agents.
func (d *FloorDescriber) describeHeadCount(f model.Figure, t *Tile) {
	if logged, ok := d.Figures.LoggedIn().Figure().Get(); ok && logged > 0 {
		v, _ := f.Get()
		t.Reference = d.Look.Translate(words.PlotOf(d.Look.PercentText(v/logged), string(d.Look.Format.Decimal(nil, logged))))
	}
}
