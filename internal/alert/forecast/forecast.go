// Package forecast estimates the number of contacts and the service level at closing time, with 80
// % ranges. It compares a working day with earlier working days, and any other day with the same
// day of the week. The package also computes the usual range of figures at a time of day from
// recordings of earlier days, if possible only of the same day of the week.
//
// The package uses no goroutine, no clock and no I/O. Its results must be labelled as forecasts.
// With too little data, it returns the reason instead of a number.
package forecast

import (
	"math"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/contact"
)

// Band is an estimate with its 80 % range.
type Band struct{ Likely, Low, High float64 }

// Input holds the data for a forecast.
type Input struct {
	Now         time.Time // server time
	ClosingTime time.Time // end of the forecast
	Curve       Curve     // distribution of contacts over a usual day; nil: unknown
	// Contacts is the number of contacts so far today.
	Contacts model.Figure
	// InTime and Counted are today's results of [model.ServiceCalls.ServiceLevelCounts]: the calls
	// answered in time, and all calls that count for the service level. Target is the target
	// service level, or unknown if there is none.
	InTime, Counted model.Figure
	Target          model.Float
	// Unstaffed is true if no agent of the service is logged in. The service level then depends on
	// when an agent logs in and is not forecast.
	Unstaffed bool
	IsHoliday bool // the day is not comparable with other days
	// Recent holds the missed and counted calls of the last half hour.
	Recent RecentCalls
	// Earlier holds the data of earlier days. If it has no days, Curve is used.
	Earlier EarlierDays
}

// RecentCalls holds the numbers of missed and counted calls in the last period.
type RecentCalls struct {
	Missed, Counted float64
	Period          time.Duration // length of the period; 0: unknown
}

// Forecast is the result of [Compute].
type Forecast struct {
	ClosingTime time.Time

	Contacts      Band // number of contacts at closing time, including those so far
	ContactsKnown bool

	Level      Band // service level at closing time, 0 to 1
	LevelKnown bool
	// Target is the target service level. NeededShare is the share of the calls to come that must be
	// answered in time to meet the target. MaxNeededShare is this share if the number of calls to come
	// is at the upper end of its range: if it is above 1, the target is out of reach. Verdict tells
	// how likely it is that the target is met. Without a target, all four are unknown.
	Target, NeededShare, MaxNeededShare model.Float
	Verdict                             Verdict
	isBelow                             bool // the current service level is below the target
	// RecentLevel is the service level of the last half hour, or unknown if there were few calls.
	RecentLevel model.Float
	// MissedFrom is the time at which the service level will fall below the target. ReachedFrom is
	// the time at which it will reach the target again. A zero time means that this is not expected
	// before closing time.
	MissedFrom, ReachedFrom time.Time

	Basis           words.Text // description of the data behind the forecast
	UsesEarlierDays bool       // the forecast is computed from earlier days of the service or floor
	MissingReason   words.Text // why there is no forecast, or no forecast of the service level; zero: nothing is missing
}

// Minimum data for a forecast.
const (
	MinContacts     = 20   // minimum number of contacts today
	MinDayShare     = 0.10 // minimum share of a usual day's contacts that must have arrived
	MinCurveDays    = 2    // minimum number of days behind the curve, and minimum number of earlier days
	MinCountedCalls = 20   // minimum number of calls behind the current service level
)

// Compute computes a forecast. If there is too little data, MissingReason says why.
func Compute(in Input) Forecast {
	f := Forecast{ClosingTime: in.ClosingTime}
	v, why := estimateVolume(&in)
	if !why.IsZero() {
		f.MissingReason = why
		return f
	}
	f.ContactsKnown, f.Contacts = true, v.total
	f.Basis = words.ForecastSoFar(roundToInt(v.soFar), roundToInt(100*v.dayShare), in.basis())
	f.UsesEarlierDays = in.Earlier.Days() > 0
	f.addLevel(&in, v)
	return f
}

func (in *Input) basis() words.Text {
	if n := in.Earlier.Days(); n > 0 {
		return words.ForecastLastDays(n)
	}
	return in.Curve.Basis()
}

// volumeEstimate holds the number of contacts so far, their share of the day's contacts, the
// expected total, and the contacts to come.
type volumeEstimate struct {
	soFar, dayShare float64
	total           Band
	remaining       Band
}

// estimateVolume estimates the number of contacts of the day. If there is too little data, why is a
// sentence with the reason, otherwise zero.
func estimateVolume(in *Input) (v volumeEstimate, why words.Text) {
	n, ok := in.Contacts.Get()
	switch {
	case !ok:
		return v, words.ForecastContactsUnknown()
	case !in.Now.Before(in.ClosingTime):
		return v, words.ForecastDayOver()
	case in.IsHoliday:
		return v, words.ForecastHoliday()
	case in.Earlier.Days() == 0 && (in.Curve == nil || in.Curve.Days() < MinCurveDays):
		return v, words.ForecastNoHistory()
	case n < MinContacts:
		return v, words.ForecastTooFew(roundToInt(n), MinContacts)
	}
	var likely, half float64
	if in.Earlier.Days() > 0 {
		likely, half = in.Earlier.expectedContacts(n)
		half *= quantile90
		v.dayShare = n / (n + likely)
	} else {
		if now, all := in.Curve.ContactsUntil(in.Now), usualContactsByClose(in); all > 0 {
			v.dayShare = min(now/all, 1)
		}
		likely = n * (1/max(v.dayShare, MinDayShare) - 1)
		half = likely * in.Curve.Spread(in.Now, in.ClosingTime) / quantile75
		// The estimate is proportional to the contacts so far, whose number is itself random.
		half = studentT90(in.Curve.Days()) * math.Hypot(half, math.Sqrt(likely+likely*likely/n))
	}
	if v.dayShare < MinDayShare {
		return v, words.ForecastTooEarly(roundToInt(100 * v.dayShare))
	}
	v.soFar = n
	v.remaining = Band{likely, max(likely-half, 0), likely + half}
	v.total = Band{n + v.remaining.Likely, n + v.remaining.Low, n + v.remaining.High}
	return v, words.Text{}
}

// usualContactsByClose returns the usual number of contacts until closing time.
func usualContactsByClose(in *Input) float64 {
	if before := in.ClosingTime.Add(-time.Second); !in.ClosingTime.Before(contact.StartOfDay(in.Now.In(in.ClosingTime.Location()), 1)) {
		return in.Curve.ContactsUntil(before) // midnight belongs to the next day
	}
	return in.Curve.ContactsUntil(in.ClosingTime)
}

// quantile75 and quantile90 are the 75 % and 90 % quantiles of the standard normal distribution.
const quantile75, quantile90 = 0.6745, 1.2816

// studentT90 returns the 90 % quantile of Student's t distribution. days is the number of days
// behind the estimated standard deviation.
func studentT90(days int) float64 {
	t := [...]float64{3.08, 3.08, 3.08, 1.89, 1.64, 1.53, 1.48, 1.44}
	if days < len(t) {
		return t[max(days, 0)]
	}
	return quantile90 + 1/float64(days)
}

// Parameters of the estimate of the miss rate. Within about fadeTime, the estimate moves from the
// rate of the last half hour to the rate of the day.
const (
	fadeTime = 90 * time.Minute
	// priorCalls is the weight of the day's rate in the recent rate, as a number of calls.
	priorCalls = 20
	// maxWeight limits the number of calls that count as the weight of a rate, because the next
	// hour may differ.
	maxWeight = 200
	// minRecentCalls is the minimum number of calls in the last half hour for setting RecentLevel.
	minRecentCalls = 10
	// clusteringFactor is the factor by which the standard deviation of the number of misses is higher
	// than for independent events.
	clusteringFactor = 2
	// dayDeviation is the standard deviation of the miss rate between whole days. For a part of a
	// day it is larger, because the rate is a mean over fewer hours.
	dayDeviation = 0.08
	// minRemaining is a lower limit of the remaining share of the day for computing the deviation.
	minRemaining = 0.05
)

// addLevel adds the forecast of the service level at closing time.
func (f *Forecast) addLevel(in *Input, v volumeEstimate) {
	inTime, ok := in.InTime.Get()
	counted, okCounted := in.Counted.Get()
	switch {
	case in.Unstaffed:
		f.MissingReason = words.ForecastUnstaffed()
		return
	case !ok || !okCounted:
		f.MissingReason = words.ForecastLevelUnknown()
		return
	case counted < MinCountedCalls:
		f.MissingReason = words.ForecastTooFewCalls(roundToInt(counted), MinCountedCalls)
		return
	}
	missed := counted - inTime
	day := missed / counted
	remaining := in.ClosingTime.Sub(in.Now)
	if in.Recent.Period > 0 && in.Recent.Counted >= minRecentCalls {
		f.RecentLevel = model.FloatOf(1 - in.Recent.Missed/in.Recent.Counted)
	}
	ratio := counted / v.soFar // only a part of the contacts counts for the service level
	toCome := v.remaining.Likely * ratio
	shift := in.Earlier.expectedShift()
	rate := clampShare(missRate(missed, counted, in.Recent, remaining) + shift)
	at := func(rate, toCome float64) float64 {
		return 1 - (missed+clampShare(rate)*toCome)/(counted+toCome)
	}
	f.LevelKnown = true
	f.Level.Likely = at(rate, toCome)
	if deviation := in.rateDeviation(rate, toCome, counted, v.dayShare); in.Earlier.Days() > 0 {
		part := toCome / (counted + toCome)
		spread := (v.remaining.High - v.remaining.Low) / 2 / max(v.remaining.Likely, 1) // half the width of the range of contacts to come, relative to the likely number
		half := math.Hypot(quantile90*deviation, (rate-day)*(1-part)*spread) * part
		f.Level.Low, f.Level.High = clampShare(f.Level.Likely-half), clampShare(f.Level.Likely+half)
	} else {
		good, bad, low, high := rate-quantile90*deviation, rate+quantile90*deviation, v.remaining.Low*ratio, v.remaining.High*ratio
		f.Level.High = max(at(good, high), at(good, low))
		f.Level.Low = min(at(bad, high), at(bad, low))
	}
	f.addTarget(in, missed, counted, toCome, v.remaining.High*ratio)
	f.findCrossing(in, func(t time.Time) float64 {
		passed := t.Sub(in.Now)
		rate := missRate(missed, counted, in.Recent, passed) + shift
		return at(rate, toCome*in.arrivedShare(t, passed, remaining))
	})
}

// arrivedShare returns the share of the contacts to come that arrives until t. passed is the time
// from now until t, and remaining the time from now until closing.
func (in *Input) arrivedShare(t time.Time, passed, remaining time.Duration) float64 {
	if in.Curve == nil || in.Curve.Days() == 0 {
		return passed.Seconds() / remaining.Seconds()
	}
	now := in.Curve.ContactsUntil(in.Now)
	return clampShare((in.Curve.ContactsUntil(t) - now) / max(usualContactsByClose(in)-now, 1e-9))
}

// rateDeviation returns the standard deviation of the miss rate of the rest of the day. rate is the
// expected miss rate. toCome is the expected number of calls, and counted the number of calls so
// far. share is the part of the day that has passed.
func (in *Input) rateDeviation(rate, toCome, counted, share float64) float64 {
	if in.Earlier.Days() > 0 {
		return in.Earlier.deviationScale * in.Earlier.rateDeviation(rate, toCome)
	}
	weight := min(counted, maxWeight)
	if in.Recent.Period > 0 && in.Recent.Counted > 0 {
		weight = min(in.Recent.Counted, maxWeight)
	}
	return math.Hypot(clusteringFactor*math.Sqrt(max(rate*(1-rate), 0.01)/(weight+priorCalls)), dayDeviation/math.Sqrt(max(1-share, minRemaining)))
}

// missRate estimates the miss rate of the rest of a day from the rate so far and the rate of the
// last half hour. The longer the remaining time, the less the last half hour counts.
func missRate(missed, counted float64, r RecentCalls, remaining time.Duration) float64 {
	day := missed / counted
	if r.Period <= 0 || r.Counted <= 0 {
		return day
	}
	recent := (r.Missed + priorCalls*day) / (r.Counted + priorCalls)
	return day + (recent-day)*fadedWeight(remaining)
}

// fadedWeight returns the mean weight of the recent rate over a period of length span that begins
// now.
func fadedWeight(span time.Duration) float64 {
	x := span.Hours() / fadeTime.Hours()
	if x <= 0 {
		return 1
	}
	return (1 - math.Exp(-x)) / x
}

// findCrossing sets MissedFrom or ReachedFrom to the first time at which the service level crosses
// the target, in steps of five minutes. levelAt returns the expected service level at a time.
func (f *Forecast) findCrossing(in *Input, levelAt func(time.Time) float64) {
	target, ok := in.Target.Get()
	if !ok {
		return
	}
	const step = 5 * time.Minute
	meets := levelAt(in.Now) >= target
	for t := in.Now.Add(step); t.Before(in.ClosingTime); t = t.Add(step) {
		if (levelAt(t) >= target) == meets {
			continue
		}
		if when := t.Truncate(step); meets {
			f.MissedFrom = when
		} else {
			f.ReachedFrom = when
		}
		return
	}
}

func clampShare(x float64) float64 { return min(max(x, 0), 1) }

func roundToInt(x float64) int { return int(math.Round(x)) }
