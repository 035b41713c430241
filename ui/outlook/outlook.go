// Package outlook knows where the day of a floor ends, and who is likely back from a break.
package outlook

import (
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/model/past"
	"wallboard/situation/breaks"
	"wallboard/situation/forecast"
	"wallboard/ui/floor"
)

// Outlook knows where the day ends, and who is likely back from a break. It belongs to
// one goroutine.
type Outlook struct {
	common Watched // nil: it watches the floor itself
	own    own
	second int64 // of the last look
	made   map[model.ServiceKey]made
}

// Watched is what is remembered of a floor, for all who look at it.
type Watched interface {
	Break(username string, now time.Time) (away breaks.Away, ok bool)
	Recent(k model.ServiceKey) forecast.Recent
}

// own is what a board remembers that has a floor to itself, as a recording is.
type own struct {
	recent forecast.Watch
	breaks breaks.Watch
}

func (w *own) Break(username string, now time.Time) (away breaks.Away, ok bool) {
	return w.breaks.Of(username, now)
}

func (w *own) Recent(k model.ServiceKey) forecast.Recent { return w.recent.Recent(k) }

// watched is what the floor is remembered by.
func (o *Outlook) watched() Watched {
	if o.common != nil {
		return o.common
	}
	return &o.own
}

// made is a forecast and when it was made, from what is usual of a day.
type made struct {
	forecast.Forecast

	at, day time.Time
}

// forecastFor is how long a forecast stands: it costs more than a page, and tells of
// hours.
const forecastFor = 5 * time.Second

// Use goes by what an engine remembers for all who look, if it does, and else by what
// breaks may take.
func (o *Outlook) Use(engine any, limits breaks.Limits) {
	o.common, _ = engine.(Watched)
	o.own.breaks.Limit(limits)
}

// Restart forgets what was watched: the floor is of another platform. What breaks may
// take stays.
func (o *Outlook) Restart() { *o = Outlook{common: o.common, own: own{breaks: o.own.breaks.Anew()}} }

// Look takes in a picture, at a time of the server's clock, once a second.
func (o *Outlook) Look(s *model.Snapshot, now time.Time, goal func(service string) alert.Goal) {
	if s == nil || o.common != nil || now.Unix() == o.second {
		return
	}
	o.second = now.Unix()
	o.own.recent.Look(s, now, func(code string) model.ServiceLevelFormula { return goal(code).Formula })
	o.own.breaks.Look(s, now)
}

// Break is how long an agent is on a break, and when they are likely back; ok is false when
// they are on none.
func (o *Outlook) Break(username string, now time.Time) (away breaks.Away, ok bool) {
	return o.watched().Break(username, now)
}

// Day is where the day of some calls ends, of a service or, for "", of the floor, as what is
// shown of it and what is usual of such a day say. Of a frozen picture it is where the day
// was to end then.
func (o *Outlook) Day(
	f *floor.View, day past.Comparison, goal alert.Goal, service string, ch model.Channel, c *model.ServiceCalls,
) forecast.Forecast {
	now, key := f.Now().In(zoneOf(day)), model.ServiceKey{Code: service, Channel: ch}
	if kept, ok := o.made[key]; ok && now.Sub(kept.at).Abs() < forecastFor && kept.day.Equal(day.Day.At) {
		return kept.Forecast
	}
	in := forecast.Input{
		Now: now, Contacts: c.ReceivedCalls.Figure(), Target: goal.ServiceLevel, Recent: o.Recent(f, service, ch),
	}
	in.Close, _ = goal.Close(in.Now)
	in.Curve = forecast.CurveOf(day.Usual, in.Now.Location())
	if inTime, all, ok := c.Counted(goal.Formula); ok {
		in.InTime, in.Counted = model.FigureOf(float64(inTime)), model.FigureOf(float64(all))
	}
	out := forecast.Of(in)
	if service != "" && out.ContactsKnown {
		out.Basis += "; the curve is that of the whole floor"
	}
	if o.made == nil {
		o.made = make(map[model.ServiceKey]made)
	}
	o.made[key] = made{out, now, day.Day.At}
	return out
}

// zoneOf is the zone of the contact center's days.
func zoneOf(day past.Comparison) *time.Location {
	if day.Day.Date.IsZero() {
		return time.Local
	}
	return day.Day.Date.Location()
}

// Recent is what was missed lately of a service, or for "" of the floor.
func (o *Outlook) Recent(f *floor.View, service string, ch model.Channel) forecast.Recent {
	if service != "" {
		return o.watched().Recent(model.ServiceKey{Code: service, Channel: ch})
	}
	var sum forecast.Recent
	for r := range f.Shown.Services.All() {
		if r.Channel == ch {
			one := o.watched().Recent(r.Key())
			sum.Missed, sum.Counted, sum.Over = sum.Missed+one.Missed, sum.Counted+one.Counted, max(sum.Over, one.Over)
		}
	}
	return sum
}

// Misses is what was missed lately on each channel of a floor; nil where nobody knows, as a
// nil outlook does not.
func (o *Outlook) Misses(f *floor.View) map[model.Channel]forecast.Recent {
	if o == nil || f.Shown == nil {
		return nil
	}
	out := make(map[model.Channel]forecast.Recent)
	for _, ch := range f.Channels() {
		out[ch] = o.Recent(f, "", ch)
	}
	return out
}
