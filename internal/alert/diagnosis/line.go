package diagnosis

import (
	"math"
	"slices"
	"time"

	"wallboard/model"
)

// keptMinutes is the number of minutes in the history of a service.
const keptMinutes = 120

// HeadCount holds a number for each state of an agent: the mean number of agents or, in a
// minuteTotals, seconds. The sum of all fields is the number for all logged-in agents.
type HeadCount struct {
	Ready         float64
	Handling      float64 // with a contact of the service; a ringing contact counts too
	WrapUp        float64 // in after-call work
	Away          float64 // not ready
	BusyElsewhere float64 // busy with another service or channel
	OnOwnCalls    float64 // on calls outside services
}

// LoggedIn returns the number of logged-in agents: the sum of all states.
func (h *HeadCount) LoggedIn() float64 {
	return h.Ready + h.Handling + h.WrapUp + h.Away + h.BusyElsewhere + h.OnOwnCalls
}

// AtWork returns the number of agents available to the service: those who are ready, with a contact
// of the service, or in after-call work.
func (h *HeadCount) AtWork() float64 { return h.Ready + h.Handling + h.WrapUp }

func (h *HeadCount) add(o *HeadCount, factor float64) {
	h.Ready += o.Ready * factor
	h.Handling += o.Handling * factor
	h.WrapUp += o.WrapUp * factor
	h.Away += o.Away * factor
	h.BusyElsewhere += o.BusyElsewhere * factor
	h.OnOwnCalls += o.OnOwnCalls * factor
}

// PeriodTotals holds the totals of a service in a period.
type PeriodTotals struct {
	Seconds                        float64 // observed time; 0: nothing is known
	Arrived, Answered, Abandoned   float64 // numbers of contacts
	AnsweredInTime, ShortAbandoned float64 // AnsweredInTime is part of Answered, ShortAbandoned is part of Abandoned
	HeadCounts                     HeadCount
	Talks, WrapUps                 float64 // talks and after-call work that ended
	TalkSeconds, WrapUpSeconds     float64 // total time of all agents
	OwnCalls, OwnCallSeconds       float64 // calls of the service's agents outside services: number of ended calls, total time
	WaitSeconds                    float64 // total waiting time of all contacts
	ArrivalsUnknown                bool    // arrivals were unknown for a time
	LossesUnknown                  bool    // abandoned or waiting contacts were unknown for a time
	InTimeUnknown                  bool    // contacts answered in time were unknown for a time
	HeadCountsUnknown              bool    // agents were unknown for a time
}

// MeanTalk returns the mean talk time in seconds, estimated from ended and ongoing talks. If usual
// is known, it counts as the length of one more talk. Otherwise the result is unknown if no talk has ended.
func (s *PeriodTotals) MeanTalk(usual model.Figure) model.Figure {
	return meanLength(s.TalkSeconds, s.Talks, usual)
}

// MeanWrapUp is like [PeriodTotals.MeanTalk] but for after-call work.
func (s *PeriodTotals) MeanWrapUp(usual model.Figure) model.Figure {
	return meanLength(s.WrapUpSeconds, s.WrapUps, usual)
}

// MeanOwnCall is like [PeriodTotals.MeanTalk] but for calls of the service's agents outside
// services.
func (s *PeriodTotals) MeanOwnCall(usual model.Figure) model.Figure {
	return meanLength(s.OwnCallSeconds, s.OwnCalls, usual)
}

// Calls returns the totals of the period as call counters. A counter is unknown if it was unknown
// for a part of the period.
func (s *PeriodTotals) Calls() model.ServiceCalls {
	of := func(n float64, unknown bool) model.Int {
		if unknown {
			return model.Int{}
		}
		return model.IntOf(int64(n))
	}
	return model.ServiceCalls{
		ReceivedCalls: of(s.Arrived, s.ArrivalsUnknown), AnsweredCalls: of(s.Answered, s.ArrivalsUnknown), HangupCalls: of(s.Abandoned, s.LossesUnknown),
		ShortCalls: of(s.ShortAbandoned, s.LossesUnknown), AnsweredCallsUnderSpeedLimit: of(s.AnsweredInTime, s.InTimeUnknown),
	}
}

func meanLength(seconds, ended float64, usual model.Figure) model.Figure {
	if u, ok := usual.Get(); ok {
		return model.FigureOf((seconds + u) / (max(ended, 0) + 1))
	}
	if ended <= 0 {
		return model.Figure{}
	}
	return model.FigureOf(seconds / ended)
}

// numbers returns the numbers of the period and, as the last one, its unknown figures as bits.
func (s *PeriodTotals) numbers() [numTotals]float64 {
	bits := 0.0
	for i, unknown := range [...]bool{s.ArrivalsUnknown, s.LossesUnknown, s.InTimeUnknown, s.HeadCountsUnknown} {
		if unknown {
			bits += math.Exp2(float64(i))
		}
	}
	return [...]float64{
		s.Seconds, s.Arrived, s.Answered, s.Abandoned, s.AnsweredInTime, s.ShortAbandoned,
		s.HeadCounts.Ready, s.HeadCounts.Handling, s.HeadCounts.WrapUp, s.HeadCounts.Away, s.HeadCounts.BusyElsewhere, s.HeadCounts.OnOwnCalls,
		s.Talks, s.WrapUps, s.TalkSeconds, s.WrapUpSeconds, s.OwnCalls, s.OwnCallSeconds, s.WaitSeconds, bits,
	}
}

// Positions of single numbers of a period in the result of numbers, and how many there are.
const (
	totalSeconds = 0
	totalUnknown = numTotals - 1
	numTotals    = 20
)

// periodTotals is the inverse of [PeriodTotals.numbers].
func periodTotals(n *[numTotals]float64) PeriodTotals {
	unknown := int(n[totalUnknown])
	return PeriodTotals{
		Seconds: n[0], Arrived: n[1], Answered: n[2], Abandoned: n[3], AnsweredInTime: n[4], ShortAbandoned: n[5],
		HeadCounts: HeadCount{n[6], n[7], n[8], n[9], n[10], n[11]},
		Talks:      n[12], WrapUps: n[13], TalkSeconds: n[14], WrapUpSeconds: n[15], OwnCalls: n[16], OwnCallSeconds: n[17], WaitSeconds: n[18],
		ArrivalsUnknown: unknown&1 != 0, LossesUnknown: unknown&2 != 0, InTimeUnknown: unknown&4 != 0, HeadCountsUnknown: unknown&8 != 0,
	}
}

func (s *PeriodTotals) add(m *PeriodTotals) {
	sum, more := s.numbers(), m.numbers()
	for i := range totalUnknown {
		sum[i] += more[i]
	}
	sum[totalUnknown] = float64(int(sum[totalUnknown]) | int(more[totalUnknown]))
	*s = periodTotals(&sum)
}

// minuteTotals holds the totals of a service in one minute. The fields of HeadCounts are the seconds
// that agents spent in each state, not numbers of agents.
type minuteTotals struct {
	number int64 // number of the minute since 1970; 0: unused
	PeriodTotals
}

// serviceHistory is the history of a service on a channel.
type serviceHistory struct {
	key           model.ServiceKey
	current       minuteTotals      // the latest minute, which is not in minutes yet
	minutes       model.SeriesStore // numbers of the earlier minutes
	arrivalSlots  model.SeriesStore // number of arrivals in the latest slots
	processedTo   time.Time         // time up to which accumulate has counted
	observedSince time.Time         // start of uninterrupted observation

	agents  map[*agent]struct{} // agents who serve the service
	present HeadCount           // numbers of the service's agents by current state

	arrived, answered, abandoned counter
	inTime, shortAbandoned       counter
	talking, inWrapUp            gaugeChange
	record                       *model.Service
	noReadySince                 time.Time // since when no agent has been ready; zero: an agent is ready, or unknown
	readySince                   time.Time // since when an agent has been ready; zero: no agent is ready, or unknown
	waitingSince                 time.Time // since when contacts have been waiting; zero: none is waiting, or unknown
	burst                        lastBurst
	surge                        surge

	// The last results about periods that had ended.
	pastTotals               memo[PeriodTotals]
	pastStaff, pastElsewhere memo[quartile]
}

// memo holds the last results of a computation over periods of minutes that have ended. The explanation of a
// situation needs the totals of several periods. Until the next minute begins, later explanations need the
// totals of the same periods.
type memo[T any] struct {
	entries [memoEntries]memoEntry[T]
	next    int // index of the entry to replace
}

// memoEntries is the number of results that a memo holds. The causes of a situation and the
// suggestions about it need the totals of seven periods.
const memoEntries = 8

type memoEntry[T any] struct {
	first, last, current int64 // the period, and the minute in which the result was computed
	result               T
}

// quartile is a quartile of a number of agents. ok is false if the number is unknown.
type quartile struct {
	n  float64
	ok bool
}

// forgetResults drops the results about periods whose minutes have changed.
func (l *serviceHistory) forgetResults() {
	l.pastTotals, l.pastStaff, l.pastElsewhere = memo[PeriodTotals]{}, memo[quartile]{}, memo[quartile]{}
}

// get returns the result of compute for a period. current is the current minute. The result for a period that
// includes the current minute is not stored.
func (m *memo[T]) get(first, last, current int64, compute func() T) T {
	if last >= current {
		return compute()
	}
	for i := range m.entries {
		if e := &m.entries[i]; e.first == first && e.last == last && e.current == current {
			return e.result
		}
	}
	e := &m.entries[m.next]
	m.next = (m.next + 1) % memoEntries
	*e = memoEntry[T]{first, last, current, compute()}
	return e.result
}

// counter computes by how much a counter of the day has grown since its last value.
type counter struct {
	last    int64
	started bool
}

func (c *counter) increase(v model.Int) (n float64, ok bool) {
	now, ok := v.Get()
	if !ok {
		c.started = false
		return 0, false
	}
	if c.started && now > c.last { // a lower value means that the counter was reset for a new day
		n = float64(now - c.last)
	}
	c.last, c.started = now, true
	return n, true
}

// gaugeChange computes the change of a figure since its last value.
type gaugeChange struct {
	last    float64
	started bool
}

func (g *gaugeChange) change(v model.Int) (by float64, ok bool) {
	now, ok := v.Float().Get()
	if ok && g.started {
		by = now - g.last
	}
	known := ok && g.started
	g.last, g.started = now, ok
	return by, known
}

// restart begins to count again after a period without observation. Changes in that period do not
// count.
func (l *serviceHistory) restart(now time.Time) {
	l.processedTo, l.observedSince, l.record, l.arrivalSlots = now, now, nil, newArrivalSlots()
	l.arrived, l.answered, l.abandoned = counter{}, counter{}, counter{}
	l.inTime, l.shortAbandoned = counter{}, counter{}
	l.talking, l.inWrapUp = gaugeChange{}, gaugeChange{}
	l.noReadySince, l.readySince, l.waitingSince = time.Time{}, time.Time{}, time.Time{}
}

// newServiceHistory returns the empty history of a service.
func newServiceHistory(k model.ServiceKey, now time.Time) *serviceHistory {
	return &serviceHistory{
		key: k, minutes: model.NewSeriesStore(numTotals, time.Minute, keptMinutes*time.Minute), arrivalSlots: newArrivalSlots(),
		processedTo: now, observedSince: now, agents: make(map[*agent]struct{}),
	}
}

// dropFuture drops the minutes after now, which exist if the clock was set back.
func (l *serviceHistory) dropFuture(now time.Time) {
	l.forgetResults()
	at := now.Unix() / 60
	if l.minutes.Truncate(at); l.current.number >= at {
		l.current = minuteTotals{}
	}
}

// minuteAt returns the entry for the minute that contains now, which must not be before the current
// one. It stores the entry of the minute before.
func (l *serviceHistory) minuteAt(now time.Time) *minuteTotals {
	if at := now.Unix() / 60; l.current.number != at {
		l.store(&l.current)
		l.current = minuteTotals{number: at}
	}
	return &l.current
}

// store puts an entry, which must not be before the latest one, into minutes unless it is unused.
func (l *serviceHistory) store(m *minuteTotals) {
	if m.number == 0 {
		return
	}
	l.minutes.AdvanceTo(m.number)
	for i, v := range m.numbers() {
		l.minutes.Put(i, float32(v))
	}
}

// minute returns the totals of the minute with the given number. ok is false if they are unknown.
func (l *serviceHistory) minute(number int64) (m PeriodTotals, ok bool) {
	if number == l.current.number {
		return l.current.PeriodTotals, true
	}
	if model.IsGap(l.minutes.Get(totalSeconds, number)) {
		return m, false
	}
	var n [numTotals]float64
	for i := range n {
		n[i] = float64(l.minutes.Get(i, number))
	}
	return periodTotals(&n), true
}

// accumulate adds the time from processedTo until now to the figures. It assumes that agents have
// been in their current states throughout.
func (l *serviceHistory) accumulate(now time.Time) {
	heads, known := l.headCount()
	waiting, queue := 0.0, false
	if l.record != nil {
		waiting, queue = l.record.ChannelStats.QueuedCalls.Float().Get()
	}
	for l.processedTo.Before(now) {
		end := l.processedTo.Truncate(time.Minute).Add(time.Minute)
		if end.After(now) {
			end = now
		}
		m, d := l.minuteAt(l.processedTo), end.Sub(l.processedTo).Seconds()
		m.Seconds += d
		m.HeadCounts.add(&heads, d)
		m.TalkSeconds += heads.Handling * d
		m.WrapUpSeconds += heads.WrapUp * d
		m.OwnCallSeconds += heads.OnOwnCalls * d
		m.WaitSeconds += waiting * d
		m.HeadCountsUnknown = m.HeadCountsUnknown || !known
		m.LossesUnknown = m.LossesUnknown || !queue
		l.processedTo = end
	}
}

// headCount returns how many of the service's agents are in each state. It counts the records of
// the agents or, if they are unknown, uses the totals of the service. If both are unknown, known is
// false.
func (l *serviceHistory) headCount() (h HeadCount, known bool) {
	if len(l.agents) > 0 || l.record == nil {
		return l.present, len(l.agents) > 0
	}
	u := &l.record.UserStats
	get := func(p *model.ProfilesInStatus) float64 {
		n, ok := p.Count.Float().Get()
		known = known && ok
		return n
	}
	known = true
	h.Ready, h.Handling, h.WrapUp = get(&u.ReadyUsers), get(&u.BusyOnServUsers), get(&u.PostCallUsers)
	h.Away, h.BusyElsewhere = get(&u.NotReadyUsers), max(get(&u.BusyUsers)-h.Handling, 0)
	if !known {
		return HeadCount{}, false
	}
	return h, true
}

// update adds the changes from the last record of the service to r to the current minute.
func (l *serviceHistory) update(r *model.Service, now time.Time) {
	l.record = r
	m, c := l.minuteAt(now), &r.ChannelStats
	came, ok := l.arrived.increase(c.ReceivedCalls)
	m.Arrived += came
	l.countArrivals(came, now)
	m.ArrivalsUnknown = m.ArrivalsUnknown || !ok
	gave, ok := l.abandoned.increase(c.HangupCalls)
	m.Abandoned += gave
	m.LossesUnknown = m.LossesUnknown || !ok
	answered, _ := l.answered.increase(c.AnsweredCalls)
	m.Answered += answered
	inTime, ok := l.inTime.increase(c.AnsweredCallsUnderSpeedLimit)
	m.AnsweredInTime += inTime
	m.InTimeUnknown = m.InTimeUnknown || !ok
	short, _ := l.shortAbandoned.increase(c.ShortCalls)
	m.ShortAbandoned += short
	if talks, ok := l.talking.change(c.ConnectedCall); ok && (len(l.agents) == 0 || allowsMultipleContacts(r.Channel)) {
		m.Talks += answered - talks // ended talks are the answered contacts minus the increase in current contacts
	}
	if wraps, ok := l.inWrapUp.change(r.UserStats.PostCallUsers.Count); ok && len(l.agents) == 0 && wraps < 0 {
		m.WrapUps -= wraps
	}
	mark := func(at *time.Time, is bool) {
		switch {
		case !is:
			*at = time.Time{}
		case at.IsZero() || at.After(now):
			*at = now
		}
	}
	ready, known := r.UserStats.ReadyUsers.Count.Get()
	mark(&l.noReadySince, known && ready == 0)
	mark(&l.readySince, known && ready > 0)
	mark(&l.waitingSince, c.QueuedCalls.Or(0) > 0)
}

// allowsMultipleContacts reports whether an agent can have several contacts of a channel at once.
func allowsMultipleContacts(ch model.Channel) bool {
	switch ch {
	case model.Chat, model.LiveHelp, model.MailACD, model.OmniDesk:
		return true
	case model.Call, model.Custom1, model.Custom2, model.Custom3, model.Video:
	}
	return false
}

// totalsBetween returns the totals of the service between two times, rounded to whole minutes. The fields of
// HeadCounts are mean numbers of agents.
func (l *serviceHistory) totalsBetween(from, to time.Time) PeriodTotals {
	last, current := to.Unix()/60, l.current.number
	first := max(from.Unix()/60, last-keptMinutes+1)
	var out PeriodTotals
	if ended := min(last, current-1); first <= ended {
		out = l.pastTotals.get(first, ended, current, func() (sum PeriodTotals) {
			l.addMinutes(&sum, first, ended)
			return sum
		})
	}
	l.addMinutes(&out, max(first, current), last)
	if out.Seconds > 0 {
		var mean HeadCount
		mean.add(&out.HeadCounts, 1/out.Seconds)
		out.HeadCounts = mean
	}
	return out
}

// addMinutes adds the totals of the minutes from first to last to sum.
func (l *serviceHistory) addMinutes(sum *PeriodTotals, first, last int64) {
	for at := first; at <= last; at++ {
		if m, ok := l.minute(at); ok {
			sum.add(&m)
		}
	}
}

// usualStaff returns the upper quartile of the number of agents who were logged in and not away.
// Unlike the mean, it hardly changes when agents have left recently.
func (l *serviceHistory) usualStaff(from, to time.Time) (n float64, ok bool) {
	return l.quartile(&l.pastStaff, from, to, 3, func(h *HeadCount) float64 { return h.LoggedIn() - h.Away })
}

// usualElsewhere returns the median number of agents who were busy elsewhere. Unlike the mean, it
// hardly changes when more agents have been busy elsewhere recently.
func (l *serviceHistory) usualElsewhere(from, to time.Time) (n float64, ok bool) {
	return l.quartile(&l.pastElsewhere, from, to, 2, func(h *HeadCount) float64 { return h.BusyElsewhere + h.OnOwnCalls })
}

// quartile returns a quartile of a number of agents over the minutes of a period. quarters is 1, 2
// or 3. where returns the number of agents in one minute. past holds the last result for the same
// quarters and where. ok is false if the numbers are unknown.
func (l *serviceHistory) quartile(past *memo[quartile], from, to time.Time, quarters int, where func(*HeadCount) float64) (n float64, ok bool) {
	first, last := from.Unix()/60, to.Unix()/60
	out := past.get(first, last, l.current.number, func() quartile {
		var seen [keptMinutes]float64
		count := 0
		for at := max(first, last-keptMinutes+1); at <= last; at++ {
			if m, ok := l.minute(at); ok && m.Seconds >= 20 && !m.HeadCountsUnknown {
				seen[count] = where(&m.HeadCounts) / m.Seconds
				count++
			}
		}
		if count == 0 {
			return quartile{}
		}
		slices.Sort(seen[:count])
		return quartile{seen[count*quarters/4], true}
	})
	return out.n, out.ok
}
