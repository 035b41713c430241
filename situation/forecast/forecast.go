// Package forecast says where the day ends: how many contacts have come by closing
// time, and what the service level is then, as a band.
//
// It is pure: no goroutine, no clock, no I/O. What it says is a forecast and is to be
// called one; where there is too little to go by, it says so and gives no number.
package forecast

import (
	"math"
	"strconv"
	"time"

	"wallboard/model"
)

// Band is a number that is to come: in four of five days it is between Low and High.
type Band struct{ Likely, Low, High float64 }

// Input is what a forecast is made of.
type Input struct {
	Now   time.Time // on the server's clock
	Close time.Time // when the day ends for whom it is about
	Curve Curve     // of a usual day; nil: there is none
	// Contacts is how many have come today.
	Contacts model.Figure
	// InTime of Counted calls were answered in time today: see
	// [model.ServiceCalls.Counted]. Target is the share that should be; not known:
	// there is no target.
	InTime, Counted model.Figure
	Target          model.Float
	// Recent are the last calls of those: how many were missed of how many.
	Recent Recent
}

// Recent is how many calls were missed lately.
type Recent struct {
	Missed, Counted float64
	Over            time.Duration // the span in which they came; 0: nothing is known
}

// Forecast is where the day ends.
type Forecast struct {
	Close time.Time

	Contacts      Band // by closing time; those that have come already included
	ContactsKnown bool

	Level      Band // the service level at closing time, 0 to 1
	LevelKnown bool
	// Missed is from when on the target is missed, Reached from when on it is met
	// again; zero: it stays as it is now.
	Missed, Reached time.Time

	Basis string // what it was made from, in words
	Why   string // why there is no number, or none of the level; "" where all are known
}

// The least that a forecast is made of.
const (
	LeastContacts = 20   // that have come today
	LeastShare    = 0.10 // of a usual day that is over by now
	LeastDays     = 2    // that the usual curve is made of
	LeastCounted  = 20   // that the service level of now is made of
)

// Of makes a forecast.
func Of(in Input) Forecast {
	f := Forecast{Close: in.Close}
	v, why := volumeOf(&in)
	if why != "" {
		f.Why = why
		return f
	}
	f.ContactsKnown, f.Contacts = true, v.total
	f.Basis = number(v.soFar) + " so far, which is " + strconv.Itoa(int(math.Round(100*v.share))) + " % of the day by " + in.Curve.Basis()
	f.level(&in, v)
	return f
}

// volume is what has come and what is to come.
type volume struct {
	soFar, share float64
	total        Band
	toCome       Band
}

// volumeOf returns the volume of the day, or why there is none.
func volumeOf(in *Input) (v volume, why string) {
	n, ok := in.Contacts.Get()
	switch {
	case !ok:
		return v, "How many contacts have come is not known."
	case !in.Now.Before(in.Close):
		return v, "The day is over."
	case in.Curve == nil || in.Curve.Days() < LeastDays:
		return v, "There is no history to tell how much of a day has come by now."
	case n < LeastContacts:
		return v, "Too few contacts so far: " + number(n) + ", " + number(LeastContacts) + " are needed."
	}
	now, all := in.Curve.Until(in.Now), until(in)
	if all > 0 {
		v.share = min(now/all, 1)
	}
	if v.share < LeastShare {
		return v, "Too early in the day: by now " + strconv.Itoa(int(math.Round(100*v.share))) + " % of the contacts are in as a rule."
	}
	v.soFar = n
	likely := n * (1/v.share - 1)
	half := likely * in.Curve.Spread(in.Now, in.Close) / quartile
	// What is to come is scaled by what has come, which is a matter of chance itself.
	chance := math.Sqrt(likely + likely*likely/n)
	half = tail(in.Curve.Days()) * math.Hypot(half, chance)
	v.toCome = Band{likely, max(likely-half, 0), likely + half}
	v.total = Band{n + v.toCome.Likely, n + v.toCome.Low, n + v.toCome.High}
	return v, ""
}

// until is how many contacts a usual day has had at closing time.
func until(in *Input) float64 {
	if before := in.Close.Add(-time.Second); !in.Close.Before(startOfNext(in.Now, in.Close)) {
		return in.Curve.Until(before) // midnight is the end of this day and no time of it
	}
	return in.Curve.Until(in.Close)
}

// startOfNext is the midnight after a time, in the zone of closing time.
func startOfNext(now, closing time.Time) time.Time {
	y, m, d := now.In(closing.Location()).Date()
	return time.Date(y, m, d+1, 0, 0, 0, 0, closing.Location())
}

// quartile is where the upper quarter of a normal distribution begins, in standard
// deviations.
const quartile = 0.6745

// tail is where the upper tenth begins, in standard deviations that were estimated
// from so many days (Student's t).
func tail(days int) float64 {
	t := [...]float64{3.08, 3.08, 3.08, 1.89, 1.64, 1.53, 1.48, 1.44}
	if days < len(t) {
		return t[max(days, 0)]
	}
	const normal = 1.2816
	return normal + 1/float64(days)
}

// How the rate of misses goes on: what was lately fades into what is usual for the
// day within a while.
const (
	fades = 90 * time.Minute
	// prior is how many calls the day's own rate counts for beside the recent ones.
	prior = 20
	// most is for how many calls their rate counts at most: the next hour is another.
	most = 200
	// worthTelling is how many calls of late there have to be for a share of them to say something.
	worthTelling = 10
	// bursts is by how much misses come together more than by chance.
	bursts = 2
	// differ is by how much the rate of a whole day differs from that of another, as a
	// standard deviation. Of a part of a day it is more, as of any mean of fewer hours:
	// shifts end, lunch comes, and the last hours make up for nothing.
	differ = 0.08
	// leastLeft is the least part of a day that this is said of.
	leastLeft = 0.05
)

// level adds the service level at closing time.
func (f *Forecast) level(in *Input, v volume) {
	inTime, ok := in.InTime.Get()
	counted, okCounted := in.Counted.Get()
	switch {
	case !ok || !okCounted:
		f.Why = "The service level of now is not known."
		return
	case counted < LeastCounted:
		f.Why = "Too few calls for a service level: " + number(counted) + ", " + number(LeastCounted) + " are needed."
		return
	}
	missed := counted - inTime
	day := missed / counted
	recent, weight := day, min(counted, most)
	if in.Recent.Over > 0 && in.Recent.Counted > 0 {
		weight = min(in.Recent.Counted, most)
		recent = (in.Recent.Missed + prior*day) / (in.Recent.Counted + prior)
		if in.Recent.Counted >= worthTelling {
			f.Basis += "; " + number(in.Recent.Missed) + " of the last " + number(in.Recent.Counted) + " calls missed"
		}
	}
	left := in.Close.Sub(in.Now)
	rate := day + (recent-day)*faded(left)
	sd := math.Hypot(bursts*math.Sqrt(max(rate*(1-rate), 0.01)/(weight+prior)), differ/math.Sqrt(max(1-v.share, leastLeft)))
	ratio := counted / v.soFar // not every contact counts
	at := func(rate, toCome float64) float64 {
		n := toCome * ratio
		return 1 - (missed+clamp(rate)*n)/(counted+n)
	}
	const tenth = 1.2816
	good, bad := rate-tenth*sd, rate+tenth*sd
	f.LevelKnown = true
	f.Level.Likely = at(rate, v.toCome.Likely)
	f.Level.High = max(at(good, v.toCome.High), at(good, v.toCome.Low))
	f.Level.Low = min(at(bad, v.toCome.High), at(bad, v.toCome.Low))
	f.cross(in, func(t time.Time) float64 {
		share := (in.Curve.Until(t) - in.Curve.Until(in.Now)) / max(until(in)-in.Curve.Until(in.Now), 1e-9)
		return at(day+(recent-day)*faded(t.Sub(in.Now)), v.toCome.Likely*clamp(share))
	})
}

// faded is how much of the rate of now is in that of all that comes within a span.
func faded(span time.Duration) float64 {
	x := span.Hours() / fades.Hours()
	if x <= 0 {
		return 1
	}
	return (1 - math.Exp(-x)) / x
}

// cross finds when the target is missed or reached, to five minutes.
func (f *Forecast) cross(in *Input, at func(time.Time) float64) {
	target, ok := in.Target.Get()
	if !ok {
		return
	}
	const step = 5 * time.Minute
	meets := at(in.Now) >= target
	for t := in.Now.Add(step); t.Before(in.Close); t = t.Add(step) {
		if (at(t) >= target) == meets {
			continue
		}
		if when := t.Truncate(step); meets {
			f.Missed = when
		} else {
			f.Reached = when
		}
		return
	}
}

func clamp(x float64) float64 { return min(max(x, 0), 1) }

func number(x float64) string { return strconv.Itoa(int(math.Round(x))) }
