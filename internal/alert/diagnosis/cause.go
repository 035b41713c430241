package diagnosis

import (
	"cmp"
	"slices"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// CauseKind is the kind of a cause.
type CauseKind string

// Kinds of causes.
const (
	MoreContacts          CauseKind = "more contacts"
	FewerAgents           CauseKind = "fewer agents"
	LongerHandling        CauseKind = "longer handling"
	LongerWrapUp          CauseKind = "longer after-call work"
	AgentsBusyElsewhere   CauseKind = "agents busy elsewhere"
	SkillMissing          CauseKind = "nobody with the skill"
	Routing               CauseKind = "routing"
	CampaignOutOfContacts CauseKind = "campaign dry"
	CampaignNoFreeAgent   CauseKind = "campaign without a free agent"
	FeedStale             CauseKind = "feed"
	BeganEarlier          CauseKind = "from before" // the problem began before the last hour; for figures of the day
	StillOngoing          CauseKind = "goes on"     // the problem continues in the last hour; for figures of the day
	DayWorstServices      CauseKind = "places"      // names the services that missed the most contacts; for figures of a floor
)

// Cause is one reason why contacts wait or why a service, a campaign, the floor or the feed has a
// problem.
type Cause struct {
	Kind     CauseKind
	Messages CauseMessages // the texts, for every language; empty if only Text was recorded
	Text     string        // one or more sentences that describe the cause
	// Share is the part of the missing work that the cause accounts for, from 0 to 1. If the cause
	// was not compared with others, it is unknown.
	Share       model.Figure
	Agents      model.Figure // the missing work that the cause accounts for, in agents
	Before, Now model.Figure // values of the figure that changed, before and now
	Unit        CauseUnit    // unit of Before and Now
	Basis       string       // period of Before, such as "in the 30 min before 13:40"
	Departed    []Departure  // agents who left, latest first, or who are in long after-call work, longest first
	Steps       []string     // sentences that explain the arithmetic
	Brief       string       // text for [Cause.ShortText]; "": made from the figures
}

// CauseMessages holds the texts of a cause in the form that can be written in every language.
type CauseMessages struct {
	Text, Brief, Basis words.Text // if Brief is zero, the brief text is made from the figures
	Steps              []words.Text
}

// SetTexts sets the texts of the cause in a language. It does not change a cause without messages.
func (c *Cause) SetTexts(l *words.Language) {
	m := &c.Messages
	if m.Text.IsZero() {
		return
	}
	c.Text, c.Basis, c.Steps = m.Text.In(l), m.Basis.In(l), make([]string, len(m.Steps))
	for i := range m.Steps {
		c.Steps[i] = m.Steps[i].In(l)
	}
	c.Brief = c.BriefMessage().In(l)
}

// setEnglishTexts sets the texts of causes in English, the language of recordings, and returns causes.
func setEnglishTexts(causes ...Cause) []Cause {
	for i := range causes {
		causes[i].SetTexts(nil)
	}
	return causes
}

// MissingAgents returns the total missing work in agents, including causes that are too small to be
// listed. If the causes have no shares, it is unknown.
func MissingAgents(causes []Cause) model.Figure {
	if len(causes) == 0 {
		return model.Figure{}
	}
	n, okAgents := causes[0].Agents.Get()
	share, okShare := causes[0].Share.Get()
	if !okAgents || !okShare || share <= 0 {
		return model.Figure{}
	}
	return model.FigureOf(n / share)
}

// CauseUnit is the unit of the figures in a [Cause].
type CauseUnit uint8

// Units of the figures in a [Cause].
const (
	UnitPerMinute CauseUnit = iota // contacts per minute
	UnitSeconds
	UnitAgents
)

// Periods and thresholds for comparing now with the time before the problem began.
const (
	currentSpan  = 4 * time.Minute
	leadTime     = 2 * time.Minute // a change may precede the start of the problem by this time and be its cause
	baseSpan     = 40 * time.Minute
	agentSpan    = 90 * time.Minute // reference period for agents, who may leave one after the other
	minBase      = 3 * time.Minute
	maxLeaveLead = 10 * time.Minute // an agent who left longer than this before the start of the problem is not its cause
	minShare     = 0.15             // causes with a smaller share of the missing work are not listed
	// minAgents is the smallest number of missing agents that counts as a cause. minRatio is the
	// smallest increase of contacts or handling times that counts as a cause.
	minAgents = 0.6
	minRatio  = 1.2
)

// CauseInput holds the parameters of [ExplainQueue].
type CauseInput struct {
	Key   model.ServiceKey
	Since time.Time // when the problem began
	Now   time.Time
	// Activity and Service return the display names of an activity code and of a service.
	Activity, Service func(code string) string
	Zone              *time.Location // zone of times of day; nil: the zone of the given times
	// Baseline returns the usual number of contacts per minute of a service at a time, and a
	// description of the data behind it. ok is false if there is no data. Baseline may be nil.
	Baseline func(k model.ServiceKey, at time.Time) (perMinute float64, basis words.Text, ok bool)
	// Notes provides the notes and marks that a surge may follow. It may be nil.
	Notes Notes
}

// Notes provides the notes and marks about a floor. Their times are on the server's clock.
type Notes interface {
	// All returns the notes and marks, sorted by time.
	All() []model.Note
	// RecordSurge records that a surge of contacts that began at onset followed the note with the
	// given ID.
	RecordSurge(id string, onset time.Time)
}

// ExplainQueue returns the causes of a service's queue, the largest first. If there are none,
// unexplained is a sentence with the reason.
func ExplainQueue(history *History, s *model.Snapshot, in CauseInput) (causes []Cause, unexplained words.Text) {
	if !IsFresh(&s.Health) {
		return nil, words.CauseStale()
	}
	r := s.Services.Get(in.Key)
	if r == nil {
		return nil, words.CauseNoData()
	}
	if c, ok := noAgentsCause(history, r, in); ok {
		return setEnglishTexts(c), words.Text{}
	}
	if c, ok := notRoutedCause(history, r, in); ok {
		return setEnglishTexts(c), words.Text{}
	}
	causes, unexplained = compareWithBase(history, in)
	return setEnglishTexts(causes...), unexplained
}

// CauseFigure returns the present value of the figure of a cause, in the unit of [Cause.Now].
// before is the value before the problem, see [Cause.Before]. The result is unknown for kinds of causes
// without such a figure, and if figures of the last minutes are unknown.
func CauseFigure(history *History, k model.ServiceKey, kind CauseKind, before float64, now time.Time) model.Figure {
	totals := history.PeriodTotals(k, now.Add(-currentSpan), now)
	mean := func(seconds, ended float64) model.Figure {
		return model.FigureOf((seconds + priorArrivals*before) / (max(ended, 0) + priorArrivals))
	}
	switch {
	case totals.Seconds == 0:
	case kind == MoreContacts && !totals.ArrivalsUnknown:
		return model.FigureOf(arrivalsPerMinute(&totals))
	case totals.HeadCountsUnknown:
	case kind == FewerAgents:
		heads := history.CurrentHeadCount(k)
		return model.FigureOf(heads.LoggedIn() - heads.Away)
	case kind == LongerHandling:
		return mean(totals.TalkSeconds, totals.Talks)
	case kind == LongerWrapUp:
		return mean(totals.WrapUpSeconds, totals.WrapUps)
	}
	return model.Figure{}
}

// noAgentsCause returns the cause of a queue for which no agent is logged in. The bool result is
// false if an agent is logged in or if that is unknown.
func noAgentsCause(history *History, r *model.Service, in CauseInput) (Cause, bool) {
	logged, ok := r.UserStats.LoggedUsers.Count.Get()
	if !ok || logged > 0 {
		return Cause{}, false
	}
	who := history.Departures(in.Key, history.Since())
	// UsualStaff returns the upper quartile, which ignores agents who were logged in only for a
	// moment.
	usually, known := history.UsualStaff(in.Key, in.Since.Add(-baseSpan), in.Since)
	if len(who) > 0 && in.Since.Sub(who[0].At) <= maxLeaveLead && (!known || usually >= minAgents) {
		return Cause{
			Kind: FewerAgents, Share: model.FigureOf(1), Departed: who, Unit: UnitAgents,
			Before: model.FigureOf(float64(len(who))), Now: model.FigureOf(0),
			Messages: CauseMessages{
				Text: words.CauseAllLoggedOut(in.clock(who[0].At)), Basis: words.CauseSinceMonitoring(),
				Steps: []words.Text{words.CauseWereLoggedIn(len(who))},
			},
		}, true
	}
	text := words.CauseNoSkill()
	if ready := history.ReadyAgents(in.Key.Channel); ready > 0 {
		text = words.CauseNoSkillBut(ready)
	}
	c := noSkillCause(text)
	if len(who) > 0 {
		c.Messages.Text = words.JoinSentences(text, words.CauseLastLoggedOut(in.clock(who[0].At)))
		c.Messages.Steps = nil
	}
	return c, true
}

// noSkillCause returns the cause of a queue for which no logged-in agent has the skill.
func noSkillCause(text words.Text) Cause {
	return Cause{
		Kind: SkillMissing, Share: model.FigureOf(1), Unit: UnitAgents, Now: model.FigureOf(0),
		Messages: CauseMessages{Text: text, Steps: []words.Text{words.CauseNeverHadSkill()}},
	}
}

// noSkillSince describes a queue for which no agent with the skill has been at work since the
// history began.
func noSkillSince(history *History, in CauseInput) words.Text {
	since := in.clock(history.Since())
	if ready := history.ReadyAgents(in.Key.Channel); ready > 0 {
		return words.CauseNoSkillSinceBut(since, ready)
	}
	return words.CauseNoSkillSince(since)
}

// clock returns the time of day of t.
func (in *CauseInput) clock(t time.Time) words.Clock { return words.ClockOf(t, in.Zone) }

// minUnrouted is how long contacts must wait and agents be ready at the same time before the
// routing counts as the cause.
const minUnrouted = 20 * time.Second

// notRoutedCause returns the cause of a queue whose contacts are not routed to ready agents. The
// bool result is false if they are routed or have not waited for [minUnrouted].
func notRoutedCause(history *History, r *model.Service, in CauseInput) (Cause, bool) {
	ready, known := r.UserStats.ReadyUsers.Count.Get()
	if !known || ready == 0 || in.Now.Sub(in.Since) < minUnrouted || in.Now.Sub(history.ReadySince(in.Key)) < minUnrouted {
		return Cause{}, false // an agent who has just become ready gets a contact within seconds
	}
	recent := history.PeriodTotals(in.Key, in.Now.Add(-time.Minute), in.Now)
	if recent.Seconds < 30 || recent.HeadCountsUnknown || recent.HeadCounts.Ready < 0.6 || recent.Answered > recent.Arrived/2 {
		return Cause{}, false
	}
	return Cause{
		Kind: Routing, Share: model.FigureOf(1), Unit: UnitAgents, Now: model.FigureOf(float64(ready)),
		Messages: CauseMessages{
			Text:  words.CauseRouting(words.CountAgents(int(ready))),
			Steps: []words.Text{words.CauseRoutingStep(recent.HeadCounts.Ready, words.ContactNouns(in.Key.Channel))},
		},
	}, true
}

// compareWithBase compares now with the reference period before the problem began. It returns the
// causes or, if it finds none, a sentence with the reason.
func compareWithBase(history *History, in CauseInput) ([]Cause, words.Text) {
	nowFrom := in.Now.Add(-currentSpan)
	edge := in.Since.Add(-leadTime)
	if nowFrom.Before(edge) {
		edge = nowFrom
	}
	w := causeFinder{history: history, in: in, present: history.CurrentHeadCount(in.Key), baseFrom: edge.Add(-baseSpan), agentBaselineFrom: edge.Add(-agentSpan), baseTo: edge.Add(-time.Minute)}
	w.baseTotals = history.PeriodTotals(in.Key, w.baseFrom, w.baseTo)
	w.currentTotals = history.PeriodTotals(in.Key, nowFrom, in.Now)
	switch {
	case w.currentTotals.HeadCountsUnknown || w.baseTotals.HeadCountsUnknown:
		return nil, words.CauseNoStates()
	case w.currentTotals.ArrivalsUnknown || w.baseTotals.ArrivalsUnknown:
		return nil, words.JoinSentences(words.CauseNoArrivals(), w.agentStatesText())
	case w.baseTotals.Seconds < minBase.Seconds() && edge.Sub(history.Since()) > baseSpan:
		return nil, words.JoinSentences(words.CauseTooOld(), w.agentStatesText())
	case w.baseTotals.Seconds < minBase.Seconds():
		return nil, w.observedSoFarText()
	case w.present.AtWork() == 0 && w.baseTotals.HeadCounts.AtWork() < 0.1 && w.baseTotals.HeadCounts.Away+w.baseTotals.HeadCounts.BusyElsewhere+w.baseTotals.HeadCounts.OnOwnCalls < 0.1:
		return []Cause{noSkillCause(noSkillSince(history, in))}, words.Text{}
	}
	w.basis = describeBase(&w.baseTotals, in.clock(edge))
	w.addArrivalCause()
	w.addHandlingCauses()
	w.addAgentCauses()
	return w.result()
}

// describeBase returns a phrase about the reference period s, which ends before the time of day
// edge.
func describeBase(s *PeriodTotals, edge words.Clock) words.Text {
	return words.CauseBasis(int(s.Seconds/60+0.5), edge)
}

// causeFinder collects the causes found by comparing now with a reference period.
type causeFinder struct {
	history                   *History
	in                        CauseInput
	baseTotals, currentTotals PeriodTotals
	baseFrom, baseTo          time.Time
	agentBaselineFrom         time.Time // start of the reference period for agents, which ends at baseTo
	present                   HeadCount
	basis                     words.Text
	causes                    []Cause
}

func (w *causeFinder) add(c Cause) {
	if n, ok := c.Agents.Get(); ok && n > 0 {
		if c.Messages.Basis.IsZero() {
			c.Messages.Basis = w.basis
		}
		w.causes = append(w.causes, c)
	}
}

// result returns the causes with their shares, the largest first. It drops causes with a share
// below [minShare]. If no cause remains, it returns a sentence about that.
func (w *causeFinder) result() ([]Cause, words.Text) {
	total := 0.0
	for i := range w.causes {
		n, _ := w.causes[i].Agents.Get()
		total += n
	}
	var out []Cause
	for _, c := range w.causes {
		n, _ := c.Agents.Get()
		if share := n / total; share >= minShare {
			c.Share = model.FigureOf(share)
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Cause) int {
		x, _ := a.Share.Get()
		y, _ := b.Share.Get()
		return cmp.Compare(y, x)
	})
	if len(out) == 0 {
		return nil, words.JoinSentences(words.CauseUnexplained(), w.agentStatesText())
	}
	return out, words.Text{}
}
