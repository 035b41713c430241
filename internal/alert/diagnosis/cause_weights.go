package diagnosis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"wallboard/internal/phrases"
	"wallboard/model"
)

// contactsBefore is the number of contacts of the reference period that are added to the recent
// ones. Without them, a few more or longer contacts would look like a change.
const contactsBefore = 6

// arrivalsPerMinute returns the mean number of contacts that arrived per minute.
func arrivalsPerMinute(s *PeriodTotals) float64 { return s.Arrived / s.Seconds * 60 }

// handlingTimes returns the mean talk time and after-call work in seconds, in the reference period
// (then) and now. If the talk time of the reference period is unknown, ok is false.
func (w *causeFinder) handlingTimes() (talkThen, talkNow, wrapThen, wrapNow float64, ok bool) {
	now := func(seconds, ended, usual float64) float64 {
		return (seconds + contactsBefore*usual) / (max(ended, 0) + contactsBefore)
	}
	talkThen, okTalk := w.baseTotals.MeanTalk(model.Figure{}).Get()
	wrapThen, okWrap := w.baseTotals.MeanWrapUp(model.Figure{}).Get()
	if !okTalk {
		return 0, 0, 0, 0, false
	}
	if talkNow = now(w.currentTotals.TalkSeconds, w.currentTotals.Talks, talkThen); okWrap {
		wrapNow = now(w.currentTotals.WrapUpSeconds, w.currentTotals.WrapUps, wrapThen)
	}
	return talkThen, talkNow, wrapThen, wrapNow, true
}

// weighContacts adds a cause if more contacts arrive than before.
func (w *causeFinder) weighContacts() {
	talk, _, wrap, _, ok := w.handlingTimes()
	if !ok {
		if talk, ok = w.currentTotals.MeanTalk(model.Figure{}).Get(); !ok {
			return
		}
	}
	then := arrivalsPerMinute(&w.baseTotals)
	expected := then / 60 * w.currentTotals.Seconds
	excess := w.currentTotals.Arrived - expected
	// An increase within random fluctuation is not a cause.
	if excess < 1.5*math.Sqrt(expected)+0.5 || (w.currentTotals.Arrived+contactsBefore)/(expected+contactsBefore) < minRatio {
		return
	}
	seen := arrivalsPerMinute(&w.currentTotals)
	more := (seen - then) * w.currentTotals.Arrived / (w.currentTotals.Arrived + contactsBefore)
	work := more * (talk + wrap) / 60
	what := phrases.Contacts(w.in.Key.Channel)
	rate := w.history.ArrivalRate(w.in.Key, w.in.Now)
	text, brief := w.describeArrivals(rate, seen, then)
	c := Cause{
		Kind: MoreContacts, Agents: model.FigureOf(work), Then: model.FigureOf(then), Now: model.FigureOf(seen), Unit: PerMinute, Text: text, Brief: brief,
		Steps: append([]string{fmt.Sprintf("%s more %s a minute in %s, %s beyond normal variation. At %s each, that takes %s agents",
			phrases.Number(seen-then), what, phrases.LastPeriod(currentSpan), phrases.Number(more), phrases.Seconds(talk+wrap), phrases.Number(work))}, w.usualArrivalsText()...),
	}
	w.nameSurge(&c, rate)
	w.add(c)
}

// describeArrivals describes an increase in arrivals, as a sentence and in brief. It describes the
// burst in rate if there is one, else the increase of rate. If rate shows neither, it compares seen
// and then, the contacts per minute now and before.
func (w *causeFinder) describeArrivals(rate ArrivalRate, seen, then float64) (text, brief string) {
	what := phrases.Contacts(w.in.Key.Channel)
	before := phrases.Number(rate.PerSecondBefore * 60)
	switch b := rate.Burst; {
	case b.Arrivals > rate.PerSecondBefore*b.To.Sub(b.From).Seconds():
		brief = fmt.Sprintf("spike of %.0f %s in %s", b.Arrivals, what, phrases.ApproxDuration(b.To.Sub(b.From)))
		return phrases.Capital(fmt.Sprintf("%s, over since %s; otherwise %s a minute.", brief, w.in.Clock(b.To), before)), brief
	case rate.Changed && rate.PerSecond > rate.PerSecondBefore && rate.Period < currentSpan:
		lately := phrases.LastPeriod(rate.Period)
		if rate.Period < time.Minute { // a rate over less than a minute would be an extrapolation: give the count instead
			n := fmt.Sprintf("%.0f %s", rate.PerSecond*rate.Period.Seconds(), what)
			return n + " in " + lately + " (normally " + before + " a minute).", n + " in " + lately
		}
		seen := phrases.Number(rate.PerSecond * 60)
		return fmt.Sprintf("%s %s a minute in %s, up from %s.", seen, what, lately, before),
			fmt.Sprintf("%s %s a minute in %s, up from %s", seen, what, lately, before)
	case rate.Changed && rate.PerSecond > rate.PerSecondBefore && rate.PerSecondBefore > 0:
		seen, then = rate.PerSecond*60, rate.PerSecondBefore*60
		brief = phrases.Number(seen/then) + " times as many " + what + " as before"
		return fmt.Sprintf("%s: %s a minute, up from %s.", brief, phrases.Number(seen), phrases.Number(then)), brief
	}
	brief = fmt.Sprintf("%s %s a minute in %s", phrases.Number(seen), what, phrases.LastPeriod(currentSpan))
	return brief + ", up from " + phrases.Number(then) + ".", brief + ", up from " + phrases.Number(then)
}

// usualArrivalsText returns a line about the usual arrivals at this time of day, or nil if they are
// unknown.
func (w *causeFinder) usualArrivalsText() []string {
	if w.in.Baseline == nil {
		return nil
	}
	rate, basis, known := w.in.Baseline(w.in.Key, w.in.Now)
	if !known {
		return nil
	}
	return []string{fmt.Sprintf("Typical at this time: %s a minute (%s)", phrases.Number(rate), basis)}
}

// weighHandling adds causes if talks or after-call work take longer than before, one for each.
func (w *causeFinder) weighHandling() {
	talkThen, talkNow, wrapThen, wrapNow, ok := w.handlingTimes()
	if !ok {
		return
	}
	rate := max(arrivalsPerMinute(&w.currentTotals), arrivalsPerMinute(&w.baseTotals)) / 60
	longer := func(kind CauseKind, what string, then, now float64, who []Departure) {
		if now < minRatio*then || now-then < 10 {
			return
		}
		work := rate * (now - then)
		w.add(Cause{
			Kind: kind, Agents: model.FigureOf(work), Then: model.FigureOf(then), Now: model.FigureOf(now), Unit: Seconds, Departed: who,
			Text: fmt.Sprintf("%s is %s, up from %s.%s", what, phrases.Seconds(now), phrases.Seconds(then), longWrapUpText(who, then)),
			Steps: []string{fmt.Sprintf("%s %s a minute, each %s longer: that takes %s agents. %d of the earlier duration are added to those of %s, because a few long ones may be chance",
				phrases.Number(rate*60), phrases.Contacts(w.in.Key.Channel), phrases.Seconds(now-then), phrases.Number(work), contactsBefore, phrases.LastPeriod(currentSpan))},
		})
	}
	longer(LongerHandling, "Talk time", talkThen, talkNow, nil)
	longer(LongerWrapUp, "After-call work", wrapThen, wrapNow, w.agentsInLongWrapUp(wrapThen))
}

// agentsInLongWrapUp returns the agents who have been in after-call work for at least twice the
// usual time, the longest first. usual is in seconds.
func (w *causeFinder) agentsInLongWrapUp(usual float64) []Departure {
	var out []Departure
	for _, u := range w.history.Agents(w.in.Key) {
		at, ok := u.TimeInState.Get()
		if u.Status != model.WNR || !ok || w.in.Now.Sub(at).Seconds() < 2*usual {
			continue
		}
		out = append(out, Departure{Username: u.Key().Username, Name: phrases.FullName(u.Surname, u.Name, u.Username.String()), At: at, Status: u.Status, Channel: u.Channel})
	}
	slices.SortStableFunc(out, func(a, b Departure) int { return a.At.Compare(b.At) })
	return out
}

func longWrapUpText(who []Departure, usual float64) string {
	if len(who) == 0 {
		return ""
	}
	return fmt.Sprintf(" %s been in it for over %s.", phrases.Count(len(who), "agent has", "agents have"), phrases.Seconds(2*usual))
}

// weighAgents adds a cause if agents have taken a break or logged out, and another one if agents do
// other work.
func (w *causeFinder) weighAgents() {
	p := &w.present
	staffed, ok := w.history.UsualStaff(w.in.Key, w.agentsFrom, w.baseTo)
	usual, okElse := w.history.UsualElsewhere(w.in.Key, w.agentsFrom, w.baseTo)
	if !ok || !okElse {
		return
	}
	span := w.history.PeriodTotals(w.in.Key, w.agentsFrom, w.baseTo)
	basis := describeBase(&span, w.in.Clock(w.baseTo.Add(time.Minute)))
	var went, other []Departure
	for _, g := range w.history.Departures(w.in.Key, w.agentsFrom) {
		if g.Status == "" || g.Status == model.NotReady {
			went = append(went, g)
		} else {
			other = append(other, g)
		}
	}
	here := p.Logged() - p.Away
	if fewer := staffed - here; fewer >= max(minAgents, 0.05*staffed) {
		w.add(Cause{
			Kind: FewerAgents, Basis: basis, Agents: model.FigureOf(fewer), Then: model.FigureOf(staffed), Now: model.FigureOf(here), Unit: Agents, Departed: went,
			Text:  w.departureText(went, staffed, here),
			Steps: []string{fmt.Sprintf("%s at work then, %s now: %s fewer", phrases.Number(staffed), phrases.Number(here), phrases.Number(fewer))},
		})
	}
	if bound := (p.BusyElsewhere + p.OnOwnCalls) - usual; bound >= minAgents {
		w.add(Cause{
			Kind: BoundElsewhere, Basis: basis, Agents: model.FigureOf(bound), Then: model.FigureOf(usual), Now: model.FigureOf(p.BusyElsewhere + p.OnOwnCalls), Unit: Agents, Departed: other,
			Text:  w.busyElsewhereText(other, p),
			Steps: []string{fmt.Sprintf("%s busy elsewhere then, %s now: %s more", phrases.Number(usual), phrases.Number(p.BusyElsewhere+p.OnOwnCalls), phrases.Number(bound))},
		})
	}
}

// departureGroup describes the agents who left for the same activity, such as a break or another
// service. text names the activity. first and last are when the first and the last agent left.
type departureGroup struct {
	text        string
	count       int
	first, last time.Time
}

// groupByDestination groups departed agents by destination, the largest group first. where returns
// the destination of an agent.
func groupByDestination(who []Departure, where func(*Departure) string) []departureGroup {
	var out []departureGroup
	for i := range who {
		g := &who[i]
		at := where(g)
		j := slices.IndexFunc(out, func(p departureGroup) bool { return p.text == at })
		if j < 0 {
			out = append(out, departureGroup{text: at, first: g.At, last: g.At})
			j = len(out) - 1
		}
		out[j].count++
		if g.At.Before(out[j].first) {
			out[j].first = g.At
		}
		if g.At.After(out[j].last) {
			out[j].last = g.At
		}
	}
	slices.SortFunc(out, func(a, b departureGroup) int { return cmp.Or(b.count-a.count, strings.Compare(a.text, b.text)) })
	return out
}

// departureText describes the destinations of the agents who took a break or logged out. then and
// now are the numbers of agents at work before and now.
func (w *causeFinder) departureText(who []Departure, then, now float64) string {
	went := groupByDestination(who, func(g *Departure) string {
		switch {
		case g.Status == "":
			return "logged out"
		case g.Activity != "":
			return "went to " + w.in.Activity(g.Activity)
		}
		return "went not ready"
	})
	if len(went) == 0 {
		return fmt.Sprintf("%s at work, down from %s.", phrases.Agents(int(now+0.5)), phrases.Number(then))
	}
	first := went[0]
	when := "at " + w.in.Clock(first.last)
	if first.last.Sub(first.first) > 2*time.Minute {
		when = "from " + w.in.Clock(first.first) + " to " + w.in.Clock(first.last)
	}
	all := max(int(now+0.5)+len(who), first.count)
	text := fmt.Sprintf("%d of %s %s %s", first.count, phrases.Agents(all), first.text, when)
	for _, p := range went[1:min(len(went), 3)] {
		text += fmt.Sprintf(", %d %s", p.count, p.text)
	}
	return text + "."
}

// busyElsewhereText describes the other work of the agents in who.
func (w *causeFinder) busyElsewhereText(who []Departure, p *HeadCount) string {
	works := groupByDestination(who, func(g *Departure) string {
		switch {
		case g.Service != "":
			return "with " + w.in.Service(g.Service)
		case g.Status == model.BusyDNCallIn, g.Status == model.BusyDNCallOut, g.Status == model.BusyDNCallOutPrivate:
			return "on calls of their own"
		}
		return "on another channel"
	})
	if len(works) == 0 {
		return fmt.Sprintf("%s of its %s are busy with something else.", phrases.Number(p.BusyElsewhere+p.OnOwnCalls), phrases.Agents(int(p.Logged()+0.5)))
	}
	are := "are"
	if works[0].count == 1 {
		are = "is"
	}
	text := fmt.Sprintf("%d of its %s %s busy %s", works[0].count, phrases.Agents(int(p.Logged()+0.5)), are, works[0].text)
	for _, p := range works[1:min(len(works), 3)] {
		text += fmt.Sprintf(", %d %s", p.count, p.text)
	}
	return text + "."
}

// agentStatesText describes the current states of the agents. Unlike the other texts, it needs no
// reference period.
func (w *causeFinder) agentStatesText() string {
	p := &w.present
	if p.Logged() < 0.5 {
		return ""
	}
	var parts []string
	for _, h := range []struct {
		n    float64
		what string
	}{
		{p.Ready, "ready"},
		{p.Handling, "with its contacts"},
		{p.WrapUp, "in after-call work"},
		{p.Away, "not ready"},
		{p.BusyElsewhere, "busy with something else"},
		{p.OnOwnCalls, "on calls of their own"},
	} {
		if h.n >= 0.5 {
			parts = append(parts, fmt.Sprintf("%.0f %s", h.n, h.what))
		}
	}
	return fmt.Sprintf("Its %s: %s.", phrases.Agents(int(p.Logged()+0.5)), strings.Join(parts, ", "))
}

// observedSoFarText describes the current state and the observations since the board started. It is
// used if there are too few observations for a comparison.
func (w *causeFinder) observedSoFarText() string {
	seen := w.history.PeriodTotals(w.in.Key, w.history.Since(), w.in.Now)
	where := w.agentStatesText()
	if where != "" {
		where += " "
	}
	if seen.Seconds < 1 {
		return where + "Monitoring has just begun: there is nothing to compare with yet."
	}
	what := phrases.Contacts(w.in.Key.Channel)
	text := where + "Monitored for " + phrases.Seconds(seen.Seconds)
	switch {
	case seen.ArrivalsUnknown:
		text += ", arrivals unknown."
	case seen.Arrived == 0:
		text += ": no " + what + "."
	default:
		text += fmt.Sprintf(": %s came in, %s answered.", phrases.Count(int(seen.Arrived), strings.TrimSuffix(what, "s"), what), wereText(seen.Answered))
	}
	return text + " There is nothing to compare with yet."
}

// wereText formats a number with a verb: "none was", "1 was" or "4 were".
func wereText(n float64) string {
	switch {
	case n < 0.5:
		return "none was"
	case n < 1.5:
		return "1 was"
	}
	return fmt.Sprintf("%.0f were", n)
}
