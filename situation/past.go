package situation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation/plainly"
)

// Past is what was wrong at a place and is over, however often it came.
type Past struct {
	Place        Place
	Day          bool   // figures of the day said it
	Headline     string // in a sentence, as it was the last time
	Worst        alert.Level
	Times        int
	Total        time.Duration
	First, Ended time.Time // when the first of them began, and the last was over
	FromStart    bool      // nobody saw the first begin
	Vanished     bool      // the last was over as the platform sent it no more
	Ack          alert.Ack // the last
	Alerts       []alert.Alert
}

// spell is one time that something was wrong at a place.
type spell struct {
	from, to time.Time
	alerts   []alert.Alert
}

// PastOf makes of alerts that are over what came and went, the gravest first, of what is
// as grave what lasted longest: the alerts of a place that touch each other are one time.
// What goes on in a view is not over, and what nobody had to act on is left out.
func PastOf(s *model.Snapshot, names model.Names, over []alert.Alert, v *View) []Past {
	w := &Watch{names: names}
	if s == nil {
		s = &model.Snapshot{}
	}
	byPlace := make(map[lifeKey][]alert.Alert)
	var places []lifeKey
	for i := range over {
		a := over[i]
		if a.Ended.IsZero() {
			continue
		}
		k := lifeKey{w.placeOver(s, &a, over), a.Day}
		if byPlace[k] == nil {
			places = append(places, k)
		}
		byPlace[k] = append(byPlace[k], a)
	}
	var out []Past
	for _, k := range places {
		spells := slices.DeleteFunc(spellsOf(byPlace[k]), func(one spell) bool { return !one.toldOf(k) || goesOn(k, one, v) })
		if len(spells) > 0 {
			out = append(out, w.pastOf(s, k, spells))
		}
	}
	slices.SortStableFunc(out, func(a, b Past) int {
		return cmp.Or(cmp.Compare(b.Worst, a.Worst), cmp.Compare(b.Total, a.Total), cmp.Compare(a.Place.Key.String(), b.Place.Key.String()))
	})
	return out
}

// placeOver is the place of an alert that is over: the service whose alert was there at the
// same time, of a group that serves it; a person on one channel; the record.
func (w *Watch) placeOver(s *model.Snapshot, a *alert.Alert, over []alert.Alert) alert.Key {
	switch a.Key.Scope {
	case alert.Feed:
		return alert.Key{Scope: alert.Feed}
	case alert.User:
		return w.personal(w.keepPeople(), a)
	case alert.Group:
		if a.Day {
			return a.Key
		}
		open := make(map[alert.Key]bool)
		for i := range over {
			b := &over[i]
			if b.Key.Scope == alert.Service && !b.Day && !b.Since.After(a.Ended) && !b.Ended.Before(a.Since) {
				open[b.Key] = true
			}
		}
		w.served.follow(s, true, w.served.at)
		if place, is := w.served.ofGroup(a.Key, open); is {
			return place
		}
	case alert.Service, alert.Campaign, alert.Floor:
	}
	return a.Key
}

func (w *Watch) keepPeople() map[lifeKey]alert.Key {
	if w.people == nil {
		w.people = make(map[lifeKey]alert.Key)
	}
	return w.people
}

// spellsOf puts alerts of a place together that touch each other, in the order of time.
func spellsOf(alerts []alert.Alert) []spell {
	slices.SortStableFunc(alerts, func(a, b alert.Alert) int { return a.Since.Compare(b.Since) })
	var out []spell
	for _, a := range alerts {
		if n := len(out); n > 0 && a.Since.Sub(out[n-1].to) <= sameFor {
			last := &out[n-1]
			last.alerts = append(last.alerts, a)
			if a.Ended.After(last.to) {
				last.to = a.Ended
			}
			continue
		}
		out = append(out, spell{a.Since, a.Ended, []alert.Alert{a}})
	}
	return out
}

// toldOf reports whether somebody had to know of it, by what a board holds back.
func (p *spell) toldOf(k lifeKey) bool {
	const hold = time.Minute
	if k.day || p.alerts[0].FromStart || ownRule(p.alerts) || worstOf(p.alerts) == alert.Critical {
		return true
	}
	lasted := p.to.Sub(p.from)
	switch k.place.Scope {
	case alert.Service, alert.Group:
		return lasted >= hold
	case alert.User:
		return lasted >= heldFor(p.alerts)*hold
	case alert.Campaign, alert.Floor, alert.Feed:
	}
	return true
}

// goesOn reports whether it is part of what a view says of the place.
func goesOn(k lifeKey, one spell, v *View) bool {
	return v.Find(func(sit *Situation) bool {
		return sit.Place.Key == k.place && allOfDay(sit.Alerts) == k.day && !one.to.Add(sameFor).Before(sit.Since)
	}) != nil
}

func worstOf(alerts []alert.Alert) (worst alert.Level) {
	for i := range alerts {
		worst = max(worst, alerts[i].Worst)
	}
	return worst
}

// pastOf puts the times together that something was wrong at a place.
func (w *Watch) pastOf(s *model.Snapshot, k lifeKey, spells []spell) Past {
	last := &spells[len(spells)-1]
	p := Past{
		Place: Place{k.place, w.title(s, k.place)}, Day: k.day, Times: len(spells),
		First: spells[0].from, Ended: last.to, FromStart: spells[0].alerts[0].FromStart,
	}
	if k.place.Scope == alert.Feed {
		p.Headline = feedHeadline(last.alerts)
	} else if gravest := last.gravest(); gravest != nil {
		p.Headline, p.Vanished = says(gravest), gravest.Vanished
		if name, _, is := strings.Cut(gravest.Text, ": "); is && p.Place.Title == k.place.Code { // it may be there no more
			p.Place.Title = name
		}
	}
	for i := range spells {
		one := &spells[i]
		p.Total += max(one.to.Sub(one.from), 0)
		p.Worst = max(p.Worst, worstOf(one.alerts))
		p.Alerts = append(p.Alerts, one.alerts...)
		for j := range one.alerts {
			if a := &one.alerts[j]; a.Ack.At.After(p.Ack.At) {
				p.Ack = a.Ack
			}
		}
	}
	return p
}

// gravest is the alert that says most of what was wrong: of a queue how long somebody
// waited says more than that nobody was ready.
func (p *spell) gravest() *alert.Alert {
	var out *alert.Alert
	for i := range p.alerts {
		a := &p.alerts[i]
		if out == nil || a.Worst > out.Worst || a.Worst == out.Worst && a.Rule == "longest wait" {
			out = a
		}
	}
	return out
}

// About is what is shown where it is opened, as of a situation.
func (p *Past) About() alert.Key {
	sit := Situation{Place: p.Place, Alerts: p.Alerts}
	return sit.About()
}

// Rules names the rules of alerts, each once.
func Rules(alerts []alert.Alert) []string {
	var out []string
	for i := range alerts {
		if rule := alerts[i].Rule; !slices.Contains(out, rule) {
			out = append(out, rule)
		}
	}
	return out
}

// Well is what has just become well at a place, nil for nothing.
func (v *View) Well(place alert.Key) *Recovered {
	if v == nil {
		return nil
	}
	if i := slices.IndexFunc(v.Recovered, func(r Recovered) bool { return r.Place.Key == place }); i >= 0 {
		return &v.Recovered[i]
	}
	return nil
}

// Words say how often it was there, and how long in all: "6 times since 9:00, 4:10 in
// all"; of what was there once from when to when. clock writes a time of day.
func (p *Past) Words(clock func(time.Time) string) string {
	from := clock(p.First)
	if p.Times > 1 {
		return fmt.Sprintf("%d times since %s, %s in all, the last until %s", p.Times, from, plainly.Span(p.Total), clock(p.Ended))
	}
	if p.FromStart {
		return fmt.Sprintf("seen from %s on, until %s (%s)", from, clock(p.Ended), plainly.Span(p.Total))
	}
	return fmt.Sprintf("%s to %s (%s)", from, clock(p.Ended), plainly.Span(p.Total))
}
