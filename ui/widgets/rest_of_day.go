package widgets

import (
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/themes"
	"wallboard/ui/floorview"
	"wallboard/ui/textlayout"
)

// cachedRestOfDay is the last computed forecast of half hours.
type cachedRestOfDay struct {
	forecast.RestOfDay

	service    model.ServiceKey // service of the forecast; its code is "" for the floor
	computedAt time.Time
}

// restOfDayLifetime is how long a forecast of half hours is reused, because computing it takes
// long.
const restOfDayLifetime = 20 * time.Second

// RestOfDay returns the forecast for each remaining half hour of the day. c are the calls of a
// service so far, or of the floor if service is "". For a frozen snapshot and during a replay, the
// result contains only the reason why there is no forecast.
func (o *Forecaster) RestOfDay(
	f *floorview.View, day contact.Comparison, goal alert.Goal, service string, ch model.Channel, c *model.ServiceCalls,
) *forecast.RestOfDay {
	if !f.FrozenAt.IsZero() || f.Replay {
		return &forecast.RestOfDay{MissingReason: words.ForecastNeedsLive()}
	}
	now, key := f.Now().In(zoneOf(day)), model.ServiceKey{Code: service, Channel: ch}
	if age := now.Sub(o.restOfDay.computedAt); o.restOfDay.service == key && age >= 0 && age < restOfDayLifetime {
		return &o.restOfDay.RestOfDay
	}
	in := forecast.InputOf(now, nil, goal, c)
	o.restOfDay = cachedRestOfDay{o.observations.RestOfDay(&in, ch, serviceCodes(f.Shown, service, ch)), key, now}
	return &o.restOfDay.RestOfDay
}

// AccuracyText says how often the forecasts of recorded days, and the statements about queues since
// the start, were right, in the language l. It returns "" if neither is known.
func (o *Forecaster) AccuracyText(l *words.Language) string {
	var parts []string
	if a := o.observations.Accuracy(); a != nil {
		parts = append(parts, a.Text().In(l))
	}
	e := o.observations.QueueEstimates()
	if e.Clears > 0 {
		parts = append(parts, words.ForecastClearsRight(e.ClearsRight, e.Clears).In(l))
	}
	if e.Causes > 0 {
		parts = append(parts, words.ForecastCausesRight(e.CausesRight, e.Causes).In(l))
	}
	return strings.Join(parts, " ")
}

// DrawRestOfDay appends the half hours of a forecast to p, in the language l and in two columns if
// they fit. It also appends lines about the basis of the forecast.
func DrawRestOfDay(p *textlayout.Pen, r *forecast.RestOfDay, l *words.Language) {
	if r == nil {
		return
	}
	rows := make([]textlayout.LabeledValue, 0, len(r.HalfHours))
	for i := range r.HalfHours {
		h := &r.HalfHours[i]
		label := words.NowHalfHour(words.ClockOf(h.From, nil), forecast.FormatEstimate(h.Contacts.Likely)).In(l)
		value := textlayout.NewSpan(h.Range(), themes.Dim)
		if h.NeededAgents > 0 {
			value = textlayout.PlainSpan(words.CountAgents(h.NeededAgents).In(l))
		}
		if r.IsShort(h) { // a plan is not an alarm, because nothing can be done about it now
			value.Token = themes.Accent
		}
		rows = append(rows, textlayout.NewLabeledValue(label, value))
	}
	p.LabeledValues(rows...)
	for _, line := range r.Lines() {
		p.Paragraph(textlayout.NewSpan(line.In(l), themes.Dim))
	}
}
