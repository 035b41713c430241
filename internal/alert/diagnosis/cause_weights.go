package diagnosis

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
)

// priorArrivals is the number of contacts of the reference period that are added to the recent
// ones. Without them, a few more or longer contacts would look like a change.
const priorArrivals = 6

// arrivalsPerMinute returns the mean number of contacts that arrived per minute.
func arrivalsPerMinute(s *PeriodTotals) float64 { return s.Arrived / s.Seconds * 60 }

// handlingTimes returns the mean talk time and after-call work in seconds, in the reference period
// (then) and now. If the talk time of the reference period is unknown, ok is false.
func (w *causeFinder) handlingTimes() (talkThen, talkNow, wrapThen, wrapNow float64, ok bool) {
	now := func(seconds, ended, usual float64) float64 {
		return (seconds + priorArrivals*usual) / (max(ended, 0) + priorArrivals)
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

// addArrivalCause adds a cause if more contacts arrive than before.
func (w *causeFinder) addArrivalCause() {
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
	if excess < 1.5*math.Sqrt(expected)+0.5 || (w.currentTotals.Arrived+priorArrivals)/(expected+priorArrivals) < minRatio {
		return
	}
	seen := arrivalsPerMinute(&w.currentTotals)
	more := (seen - then) * w.currentTotals.Arrived / (w.currentTotals.Arrived + priorArrivals)
	work := more * (talk + wrap) / 60
	rate := w.history.ArrivalRate(w.in.Key, w.in.Now)
	text, brief := w.describeArrivals(rate, seen, then)
	step := words.JoinSentences(words.CauseMoreStep(seen-then, words.ContactNouns(w.in.Key.Channel), words.LastPeriod(currentSpan), more),
		words.CauseMoreWork(textformat.DurationFromSeconds(talk+wrap), work))
	c := Cause{
		Kind: MoreContacts, Agents: model.FigureOf(work), Before: model.FigureOf(then), Now: model.FigureOf(seen), Unit: UnitPerMinute,
		Messages: CauseMessages{Text: text, Brief: brief, Steps: append([]words.Text{step}, w.usualArrivalsText()...)},
	}
	w.addSurgeMark(&c, rate)
	w.add(c)
}

// minFactorBase is the smallest number of contacts a minute to which a sentence compares others as a
// multiple. A smaller number would be shown as 0.
const minFactorBase = 0.1

// describeArrivals describes an increase in arrivals, as a sentence and in brief. It describes the
// burst in rate if there is one, else the increase of rate. If rate shows neither, it compares seen
// and then, the contacts per minute now and before.
func (w *causeFinder) describeArrivals(rate ArrivalRate, seen, then float64) (text, brief words.Text) {
	what := words.ContactNouns(w.in.Key.Channel)
	number := func(n float64) words.Text { return words.CountContactsOn(int(n+0.5), w.in.Key.Channel) }
	before := rate.PerSecondBefore * 60
	switch b := rate.Burst; {
	case b.Arrivals > rate.PerSecondBefore*b.To.Sub(b.From).Seconds():
		n, period := number(b.Arrivals), words.ApproxDuration(b.To.Sub(b.From))
		return words.CauseSpikeOver(n, period, w.in.clock(b.To), before), words.CauseSpike(n, period)
	case rate.Changed && rate.PerSecond > rate.PerSecondBefore && rate.Period < currentSpan:
		period := words.LastPeriod(rate.Period)
		if rate.Period < time.Minute { // a rate over less than a minute would be an extrapolation: give the count instead
			n := number(rate.PerSecond * rate.Period.Seconds())
			return words.CauseSuddenNormally(n, period, before), words.CauseSudden(n, period)
		}
		return words.CauseRateSentence(rate.PerSecond*60, what, period, before), words.CauseRate(rate.PerSecond*60, what, period, before)
	case rate.Changed && rate.PerSecond > rate.PerSecondBefore && before >= minFactorBase:
		seen = rate.PerSecond * 60
		return words.CauseTimesSentence(seen/before, what, seen, before), words.CauseTimes(seen/before, what)
	}
	period := words.LastPeriod(currentSpan)
	return words.CauseRateSentence(seen, what, period, then), words.CauseRate(seen, what, period, then)
}

// usualArrivalsText returns a line about the usual arrivals at this time of day, or nil if they are
// unknown.
func (w *causeFinder) usualArrivalsText() []words.Text {
	if w.in.Baseline == nil {
		return nil
	}
	rate, basis, known := w.in.Baseline(w.in.Key, w.in.Now)
	if !known {
		return nil
	}
	return []words.Text{words.CauseTypical(rate, basis)}
}

// addHandlingCauses adds causes if talks or after-call work take longer than before, one for each.
func (w *causeFinder) addHandlingCauses() {
	talkThen, talkNow, wrapThen, wrapNow, ok := w.handlingTimes()
	if !ok {
		return
	}
	rate := max(arrivalsPerMinute(&w.currentTotals), arrivalsPerMinute(&w.baseTotals)) / 60
	longer := func(kind CauseKind, text func(now, before time.Duration) words.Text, then, now float64, who []Departure) {
		if now < minRatio*then || now-then < 10 {
			return
		}
		work := rate * (now - then)
		step := words.CauseLongerStep(rate*60, words.ContactNouns(w.in.Key.Channel), textformat.DurationFromSeconds(now-then), work)
		w.add(Cause{
			Kind: kind, Agents: model.FigureOf(work), Before: model.FigureOf(then), Now: model.FigureOf(now), Unit: UnitSeconds, Departed: who,
			Messages: CauseMessages{
				Text:  words.JoinSentences(text(textformat.DurationFromSeconds(now), textformat.DurationFromSeconds(then)), longWrapUpText(who, then)),
				Steps: []words.Text{words.JoinSentences(step, words.CauseLongerChance(priorArrivals, words.LastPeriod(currentSpan)))},
			},
		})
	}
	longer(LongerHandling, words.CauseTalk, talkThen, talkNow, nil)
	longer(LongerWrapUp, words.CauseWrapUp, wrapThen, wrapNow, w.agentsInLongWrapUp(wrapThen))
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
		out = append(out, Departure{Username: u.Key().Username, Name: textformat.FullName(u.Surname, u.Name, u.Username.String()), At: at, Status: u.Status, Channel: u.Channel})
	}
	slices.SortStableFunc(out, func(a, b Departure) int { return a.At.Compare(b.At) })
	return out
}

func longWrapUpText(who []Departure, usual float64) words.Text {
	if len(who) == 0 {
		return words.Text{}
	}
	return words.CauseInWrapUp(len(who), textformat.DurationFromSeconds(2*usual))
}

// addAgentCauses adds a cause if agents have taken a break or logged out, and another one if agents do
// other work.
func (w *causeFinder) addAgentCauses() {
	p := &w.present
	staffed, ok := w.history.UsualStaff(w.in.Key, w.agentBaselineFrom, w.baseTo)
	usual, okElse := w.history.UsualElsewhere(w.in.Key, w.agentBaselineFrom, w.baseTo)
	if !ok || !okElse {
		return
	}
	span := w.history.PeriodTotals(w.in.Key, w.agentBaselineFrom, w.baseTo)
	basis := describeBase(&span, w.in.clock(w.baseTo.Add(time.Minute)))
	var departed, inAnotherState []Departure
	for _, g := range w.history.Departures(w.in.Key, w.agentBaselineFrom) {
		if g.Status == "" || g.Status == model.NotReady {
			departed = append(departed, g)
		} else {
			inAnotherState = append(inAnotherState, g)
		}
	}
	here := p.LoggedIn() - p.Away
	if fewer := staffed - here; fewer >= max(minAgents, 0.05*staffed) {
		w.add(Cause{
			Kind: FewerAgents, Agents: model.FigureOf(fewer), Before: model.FigureOf(staffed), Now: model.FigureOf(here), Unit: UnitAgents, Departed: departed,
			Messages: CauseMessages{
				Text: w.departureText(departed, staffed, here), Basis: basis,
				Steps: []words.Text{words.CauseFewerAgentsStep(staffed, here, fewer)},
			},
		})
	}
	if bound := (p.BusyElsewhere + p.OnOwnCalls) - usual; bound >= minAgents {
		w.add(Cause{
			Kind: AgentsBusyElsewhere, Agents: model.FigureOf(bound), Before: model.FigureOf(usual), Now: model.FigureOf(p.BusyElsewhere + p.OnOwnCalls), Unit: UnitAgents, Departed: inAnotherState,
			Messages: CauseMessages{
				Text: w.busyElsewhereText(inAnotherState, p), Basis: basis,
				Steps: []words.Text{words.CauseBusyStep(usual, p.BusyElsewhere+p.OnOwnCalls, bound)},
			},
		})
	}
}

// destination is where agents went: an activity such as a break, or other work.
type destination struct {
	name        string                                       // agents are grouped by name; groups of the same size are sorted by name
	firstClause func(n int, all, when words.Text) words.Text // begins a sentence about n of all agents
	nextClause  func(n int) words.Text                       // continues a sentence
}

// departureGroup describes the agents who left for the same destination. earliest and latest are when
// the first and the last agent left.
type departureGroup struct {
	destination

	count            int
	earliest, latest time.Time
}

// groupByDestination groups departed agents by the name of their destination, the largest group first. where
// returns the destination of an agent.
func groupByDestination(who []Departure, where func(*Departure) destination) []departureGroup {
	var out []departureGroup
	for i := range who {
		g := &who[i]
		to := where(g)
		j := slices.IndexFunc(out, func(p departureGroup) bool { return p.name == to.name })
		if j < 0 {
			out = append(out, departureGroup{destination: to, earliest: g.At, latest: g.At})
			j = len(out) - 1
		}
		out[j].count++
		if g.At.Before(out[j].earliest) {
			out[j].earliest = g.At
		}
		if g.At.After(out[j].latest) {
			out[j].latest = g.At
		}
	}
	slices.SortFunc(out, func(a, b departureGroup) int { return cmp.Or(b.count-a.count, strings.Compare(a.name, b.name)) })
	return out
}

// sentenceAbout returns a sentence about the largest groups of agents. all is the number of all agents, when the
// time at which the largest group left.
func sentenceAbout(groups []departureGroup, all, when words.Text) words.Text {
	const named = 3
	parts := []words.Text{groups[0].firstClause(groups[0].count, all, when)}
	for _, g := range groups[1:min(len(groups), named)] {
		parts = append(parts, g.nextClause(g.count))
	}
	return words.CauseSentence(parts)
}

// departureText describes the destinations of the agents who took a break or logged out. then and
// now are the numbers of agents at work before and now.
func (w *causeFinder) departureText(who []Departure, then, now float64) words.Text {
	byDestination := groupByDestination(who, func(g *Departure) destination {
		switch {
		case g.Status == "":
			return destination{"loggedOut", words.CauseLeftLoggedOut, words.CauseMoreLoggedOut}
		case g.Activity != "":
			name := w.in.Activity(g.Activity)
			return destination{
				"wentTo/" + name,
				func(n int, all, when words.Text) words.Text { return words.CauseLeftTo(n, all, name, when) },
				func(n int) words.Text { return words.CauseMoreTo(n, name) },
			}
		}
		return destination{"wentNotReady", words.CauseLeftNotReady, words.CauseMoreNotReady}
	})
	if len(byDestination) == 0 {
		return words.CauseFewerAgents(words.CountAgents(int(now+0.5)), then)
	}
	first := &byDestination[0]
	when := words.CauseAt(w.in.clock(first.latest))
	if first.latest.Sub(first.earliest) > 2*time.Minute {
		when = words.CauseFromTo(w.in.clock(first.earliest), w.in.clock(first.latest))
	}
	return sentenceAbout(byDestination, words.CountAgents(max(int(now+0.5)+len(who), first.count)), when)
}

// busyElsewhereText describes the other work of the agents in who.
func (w *causeFinder) busyElsewhereText(who []Departure, p *HeadCount) words.Text {
	without := func(text func(n int, agents words.Text) words.Text) func(n int, all, when words.Text) words.Text {
		return func(n int, all, _ words.Text) words.Text { return text(n, all) }
	}
	works := groupByDestination(who, func(g *Departure) destination {
		switch {
		case g.Service != "":
			name := w.in.Service(g.Service)
			return destination{
				"with/" + name,
				func(n int, all, _ words.Text) words.Text { return words.CauseBusyWith(n, all, name) },
				func(n int) words.Text { return words.CauseMoreWith(n, name) },
			}
		case g.Status == model.BusyDNCallIn, g.Status == model.BusyDNCallOut, g.Status == model.BusyDNCallOutPrivate:
			return destination{"ownCalls", without(words.CauseBusyOwnCalls), words.CauseMoreOwnCalls}
		}
		return destination{"otherChannel", without(words.CauseBusyOtherChannel), words.CauseMoreOtherChannel}
	})
	agents := words.CountAgents(int(p.LoggedIn() + 0.5))
	if len(works) == 0 {
		return words.CauseBusySomething(p.BusyElsewhere+p.OnOwnCalls, agents)
	}
	return sentenceAbout(works, agents, words.Text{})
}

// agentStatesText describes the current states of the agents. Unlike the other texts, it needs no
// reference period.
func (w *causeFinder) agentStatesText() words.Text {
	p := &w.present
	if p.LoggedIn() < 0.5 {
		return words.Text{}
	}
	var parts []words.Text
	for _, h := range []struct {
		n    float64
		text func(n int) words.Text
	}{
		{p.Ready, words.CauseStateReady},
		{p.Handling, words.CauseStateHandling},
		{p.WrapUp, words.CauseStateWrapUp},
		{p.Away, words.CauseStateNotReady},
		{p.BusyElsewhere, words.CauseStateElsewhere},
		{p.OnOwnCalls, words.CauseStateOwnCalls},
	} {
		if h.n >= 0.5 {
			parts = append(parts, h.text(int(h.n+0.5)))
		}
	}
	return words.CauseStates(words.CountAgents(int(p.LoggedIn()+0.5)), parts)
}

// observedSoFarText describes the current state and the observations since the board started. It is
// used if there are too few observations for a comparison.
func (w *causeFinder) observedSoFarText() words.Text {
	seen := w.history.PeriodTotals(w.in.Key, w.history.Since(), w.in.Now)
	states := w.agentStatesText()
	if seen.Seconds < 1 {
		return words.JoinSentences(states, words.CauseJustBegun())
	}
	period := textformat.DurationFromSeconds(seen.Seconds)
	text := words.CauseMonitored(period, words.CountContactsOn(int(seen.Arrived), w.in.Key.Channel), int(seen.Answered+0.5))
	switch {
	case seen.ArrivalsUnknown:
		text = words.CauseMonitoredUnknown(period)
	case seen.Arrived == 0:
		text = words.CauseMonitoredNone(period, words.ContactNouns(w.in.Key.Channel))
	}
	return words.JoinSentences(states, text, words.CauseNothingToCompare())
}
