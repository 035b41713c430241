package forecast

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/phrases"
	"wallboard/model"
)

// Accuracy holds how often the forecasts of the service level were right on the recorded days.
type Accuracy struct {
	Days            int // days on which forecasts could be checked
	Forecasts       int // forecasts whose range was narrow enough to be shown
	Within          int // how many of the Forecasts the day ended within
	Verdicts, Right int // number of verdicts other than "too close to call", and how many of them were right
}

// String describes the accuracy in one sentence.
func (a Accuracy) String() string {
	if a.Forecasts == 0 {
		return "Forecasts of the service level cannot be checked yet: that takes three recorded days of one kind."
	}
	text := fmt.Sprintf("Forecasts of the service level: %d of %d within the range, %s", a.Within, a.Forecasts, phrases.Count(a.Days, "recorded day", "recorded days"))
	if a.Verdicts > 0 {
		text += fmt.Sprintf("; %d of %d verdicts right", a.Right, a.Verdicts)
	}
	return text + "."
}

// Limits of what is checked.
const (
	checkedDays     = 14
	checkedServices = 20 // number of services that are checked per day
)

// CheckAccuracy computes the forecasts for each full hour of the recorded days before now, and
// compares them with how the days ended. Each forecast uses only the days before its own. On a
// large floor, CheckAccuracy checks only a sample of the services. It stops early when ctx ends.
func (l *CourseLog) CheckAccuracy(ctx context.Context, now time.Time, goal func(service string) alert.Goal) (a Accuracy) {
	days := l.Days()
	today := l.Local(now)
	for _, d := range days {
		date, err := time.ParseInLocation(time.DateOnly, d.Date, today.Location())
		if err != nil || d.Date >= today.Format(time.DateOnly) || today.Sub(date) > (checkedDays+1)*24*time.Hour {
			continue
		}
		before := a.Forecasts
		for _, k := range d.sampleOfServices() {
			if ctx.Err() != nil {
				return a
			}
			for hour := 1; hour < 24; hour++ {
				a.checkAt(l, d.Services[k], k, date.Add(time.Duration(hour)*time.Hour), goal(k.Code))
			}
		}
		if a.Forecasts > before {
			a.Days++
		}
	}
	return a
}

// sampleOfServices returns the services of a day or, if there are more than checkedServices, a
// sample of them.
func (d *CourseDay) sampleOfServices() []model.ServiceKey {
	keys := make([]model.ServiceKey, 0, len(d.Services))
	for k := range d.Services {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b model.ServiceKey) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Channel, b.Channel))
	})
	every := (len(keys) + checkedServices - 1) / checkedServices
	out := keys[:0]
	for i := 0; i < len(keys); i += max(every, 1) {
		out = append(out, keys[i])
	}
	return out
}

// checkAt checks the forecast for a service at a time of a recorded day, and adds the result to a.
func (a *Accuracy) checkAt(l *CourseLog, c *Course, k model.ServiceKey, at time.Time, goal alert.Goal) {
	closing, _ := goal.ClosingTime(at)
	end := sinceMidnight(closing)
	if end == 0 {
		end = 24 * time.Hour
	}
	p, ok := c.pastDayAt(sinceMidnight(at), end)
	if !ok || !at.Before(closing) || p.end.counted <= 0 {
		return
	}
	f := Compute(Input{
		Now: at, Close: closing, Target: goal.ServiceLevel,
		Contacts: model.FigureOf(p.now.received), InTime: model.FigureOf(p.now.counted - p.now.missed), Counted: model.FigureOf(p.now.counted),
		Recent:  RecentCalls{Missed: p.now.missed - p.halfHourAgo.missed, Counted: p.now.counted - p.halfHourAgo.counted, Period: recentPeriod},
		Earlier: l.EarlierDays(at, closing, k.Channel, []string{k.Code}),
	})
	if !f.HasNarrowLevel() {
		return
	}
	truth := 1 - p.end.missed/p.end.counted
	a.Forecasts++
	if truth >= f.Level.Low && truth <= f.Level.High {
		a.Within++
	}
	target, ok := f.Target.Get()
	if !ok || f.Verdict == TooClose || f.Verdict == NoVerdict {
		return
	}
	a.Verdicts++
	if (truth >= target) == (f.Verdict >= Probably) {
		a.Right++
	}
}
