package alert

import (
	"math"
	"time"

	"wallboard/model"
)

// TimeToEmpty is the name of a figure of campaigns: the time until all contacts of the campaign are done.
const TimeToEmpty = "timeToEmpty"

// Limits for estimating when a campaign runs out of contacts.
const (
	paceSpan       = 30 * time.Minute
	minPaceSpan    = 10 * time.Minute
	minPaceFall    = 5               // contacts; a smaller fall counts as none
	minPause       = 5 * time.Minute // a pause that is longer than this and than usual for three contacts is a stop
	minRefill      = 0.05            // a rise by more than this share of the number before is a refill
	maxTimeToEmpty = 24 * time.Hour
)

// timeToEmptyField returns the field TimeToEmpty, which [Trend.timeToZero] computes.
func timeToEmptyField() field {
	return field{
		name: TimeToEmpty, format: Duration,
		kpi: &KPI{Name: TimeToEmpty, Title: "Time to empty", Scope: Campaign, Expr: `toDoContacts / -rate(toDoContacts, "30m") * 60`, Format: Duration, BuiltIn: true},
		number: func(f *evalEnv) model.Figure {
			if f.row == nil || f.row.samples == nil {
				return model.Figure{}
			}
			left := f.row.samples.trend(nil, f.library, "toDoContacts", f.now, paceSpan)
			return left.timeToZero()
		},
	}
}

// timeToZero returns the seconds until a falling number reaches 0 at its pace since the last
// refill. The result is unknown while the pace is unknown. It is n/a if the number does not fall or has stopped
// falling, has reached 0, or would take longer than a day to reach 0.
func (t *Trend) timeToZero() model.Figure {
	from, to, fell, first, last := -1, 0, 0, 0.0, math.NaN()
	for i, v := range t.Samples {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		if from < 0 || v > last*(1+minRefill) {
			from, first = i, v
		}
		if v < last {
			fell = i
		}
		to, last = i, v
	}
	passed := time.Duration(to-from) * t.Step
	if from < 0 || passed < minPaceSpan {
		return model.Figure{}
	}
	pace := (first - last) / passed.Seconds()
	pause := time.Duration(to-fell) * t.Step
	if first-last < minPaceFall || last <= 0 || pause > minPause && pause.Seconds()*pace > 3 {
		return model.NotApplicable()
	}
	if left := last / pace; left <= maxTimeToEmpty.Seconds() {
		return model.FigureOf(left).AsEstimate()
	}
	return model.NotApplicable()
}
