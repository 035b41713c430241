package breaks

import (
	"cmp"
	"math"
	"slices"
	"time"

	"wallboard/internal/words"
	"wallboard/model"
)

// Limit holds the limits of an activity code. 0 means no limit.
type Limit struct {
	Code     string
	PerDay   time.Duration // limit per day; the platform counts the day's total (timeInActivityCode)
	PerBreak time.Duration // limit for each break
	// Kind and Source are the origin of PerBreak. Both are "" if the limit is set for the code
	// itself.
	Kind   Kind
	Source Source
}

// Limits holds the limits for breaks and for other states of agents.
type Limits struct {
	Codes  []Limit
	Kinds  *Allowances                        // limits of kinds, for codes without a PerBreak limit; nil: none
	States map[model.UserStatus]time.Duration // limits of states, except for breaks with a limit of their own
}

// LimitFor returns the limit for the current state of an agent. If the state has no limit, ok is
// false.
func (l *Limits) LimitFor(a *model.AgentFigures) (d time.Duration, ok bool) {
	if a.Status == model.NotReady {
		if c := l.limitOf(a.ActivityCode.String()); c.PerBreak > 0 {
			return c.PerBreak, true
		}
	}
	d, ok = l.States[a.Status]
	return d, ok
}

// limitOf returns the limits of a code. Without its own limit per break, the code has the limit of
// its kind.
func (l *Limits) limitOf(code string) Limit {
	out := Limit{Code: code}
	for i := range l.Codes {
		if l.Codes[i].Code == code {
			out = l.Codes[i]
		}
	}
	if out.PerBreak > 0 {
		return out
	}
	if a, ok := l.Kinds.ForCode(code); ok {
		out.PerBreak, out.Kind, out.Source = a.Limit, a.Kind, a.Source
	}
	return out
}

// Tracker observes the breaks of agents and their lengths. It is not safe for concurrent use. The
// zero value is ready to use.
type Tracker struct {
	limits    Limits
	agents    map[string]*agent
	durations map[string][]time.Duration // lengths of breaks by activity code, newest last
	days      map[string]*agentDay
	startedAt time.Time // time of the first call of Update with current figures
	updatedAt time.Time // time of the last call of Update with current figures
}

// agent holds the current state and break of an agent.
type agent struct {
	record *model.UserStat
	seenAt time.Time // when an update last had the agent in its snapshot
	code   string    // activity code of the current break; "": not on a break
	since  time.Time // start of the current break; zero: unknown
	status model.UserStatus
	// workingSince is the end of the last break or the login. It is zero if that is unknown or the
	// agent is on a break.
	workingSince time.Time
}

const (
	maxDurations = 200              // lengths of breaks that are kept per code
	minDurations = 3                // lengths of breaks that an estimate needs
	maxGap       = 30 * time.Second // after a longer gap, the time of a change is not exact
	maxStateGap  = 90 * time.Second // like maxGap but for a change to a state whose start the platform reports
	unknownGap   = time.Duration(math.MaxInt64)
)

// SetLimits sets the limits for breaks and other states.
func (w *Tracker) SetLimits(limits Limits) { w.limits = limits }

// WithoutObservations returns a new tracker with the limits of w and without observations.
func (w *Tracker) WithoutObservations() Tracker { return Tracker{limits: w.limits} }

// Update processes a snapshot at a server time. It ignores a snapshot whose agent figures are not
// current.
func (w *Tracker) Update(s *model.Snapshot, now time.Time) {
	if !s.Health.IsCurrent(model.OpUserStats) {
		return
	}
	if w.agents == nil {
		w.agents, w.durations = make(map[string]*agent), make(map[string][]time.Duration)
		if w.startedAt.IsZero() {
			w.startedAt = now.Round(0)
		}
	}
	now = now.Round(0)
	gap := now.Sub(w.updatedAt)
	if w.updatedAt.IsZero() || gap < 0 {
		gap = unknownGap
	}
	if !w.updatedAt.IsZero() && !sameDay(w.updatedAt, now) {
		clear(w.days)
	}
	w.updatedAt = now
	for r := range s.UserStats.All() {
		if name := r.Key().Username; name != "" {
			w.observe(name, r, now, gap)
		}
	}
	for name, a := range w.agents {
		if !a.seenAt.Equal(now) {
			w.logout(name, a) // the length of the break is unknown
		}
	}
}

// observe processes one record of an agent. For an agent with several channels, it uses the record
// for calls or, if there is none, the first record. gap is the time since the previous update.
func (w *Tracker) observe(name string, r *model.UserStat, now time.Time, gap time.Duration) {
	a := w.agents[name]
	switch {
	case a == nil:
		a = &agent{}
		if gap <= maxStateGap {
			a.workingSince = now // the agent has just logged in
		}
		w.agents[name] = a
		gap = unknownGap
	case a.seenAt.Equal(now) && r.Channel != model.Call, a.record.Channel == model.Call && r.Channel != model.Call:
		return
	}
	a.seenAt = now
	if a.record == r {
		return
	}
	w.dropOldDay(name, r)
	a.record = r
	code := currentBreakCode(r)
	if code == a.code {
		if a.code != "" && a.since.IsZero() {
			a.since = stateStart(r, now)
		}
		a.status = r.Status
		return
	}
	if a.code != "" && !a.since.IsZero() {
		if end, ok := breakEnd(a, r, now, gap); ok && end.After(a.since) {
			w.addBreak(name, a.code, end.Sub(a.since))
		}
	}
	a.workingSince = workStart(a, r, code, now, gap)
	from := a.code != "" && a.status == r.Status // if the code changed within one state, the break began after the state did
	a.code, a.status, a.since = code, r.Status, time.Time{}
	switch {
	case code == "":
	case !from:
		a.since = stateStart(r, now)
	case gap <= maxGap:
		a.since = now
	}
}

// workStart returns since when an agent has had no break, or the zero time if that is unknown. code
// is the activity code of a break that begins, or "" if a break ends.
func workStart(a *agent, r *model.UserStat, code string, now time.Time, gap time.Duration) time.Time {
	if code != "" {
		return time.Time{}
	}
	end, ok := breakEnd(a, r, now, gap)
	if !ok {
		return time.Time{}
	}
	return end
}

// WorkingAgent is an agent who is not on a break.
type WorkingAgent struct {
	Username string
	Since    time.Time // end of the last break, or login
}

// LongestWorking returns the agents for whom counts returns true, sorted by the time without a
// break, longest first. It leaves out agents whose last break or login was not observed; unknown is
// their number.
func (w *Tracker) LongestWorking(counts func(username string) bool) (out []WorkingAgent, unknown int) {
	for name, a := range w.agents {
		switch {
		case a.code != "" || !counts(name):
		case a.workingSince.IsZero():
			unknown++
		default:
			out = append(out, WorkingAgent{name, a.workingSince})
		}
	}
	slices.SortFunc(out, func(a, b WorkingAgent) int {
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Username, b.Username))
	})
	return out, unknown
}

// addBreak records a break that has ended, and its length.
func (w *Tracker) addBreak(name, code string, length time.Duration) {
	w.durations[code] = append(w.durations[code], length)
	w.durations[code] = w.durations[code][max(0, len(w.durations[code])-maxDurations):]
	w.dayEntry(name, code).addBreak(length, w.limits.limitOf(code).PerBreak)
}

// currentBreakCode returns the activity code of the current break, or "" if the agent is not on a
// break. An agent in the state [model.NotReadyBusy] is on a call, and the break begins after the
// call.
func currentBreakCode(r *model.UserStat) string {
	if r.Status != model.NotReady {
		return ""
	}
	return r.ActivityCode.String()
}

// stateStart returns the start of the current state, or the zero time if it is unknown. A start
// after now becomes now, so that no duration is negative.
func stateStart(r *model.UserStat, now time.Time) time.Time {
	at, ok := r.TimeInState.Get()
	switch {
	case !ok:
		return time.Time{}
	case at.After(now):
		return now
	}
	return at
}

// breakEnd returns when an agent's break ended: the start of the state in r, the first record after
// the break, if it is plausible, otherwise now. If that is not exact enough, ok is false. gap is
// the time since the previous update.
func breakEnd(a *agent, r *model.UserStat, now time.Time, gap time.Duration) (end time.Time, ok bool) {
	if at := stateStart(r, now); r.Status != a.status && now.Sub(at) <= max(gap, maxGap) {
		return at, gap <= maxStateGap
	}
	return now, gap <= maxGap
}

// AgentOnBreak describes an agent on a break.
type AgentOnBreak struct {
	Username, Code string
	Since          time.Time // start of the break; zero: unknown
	// UsedToday is the total time with the code today in seconds, as the platform counts it. Document 2
	// does not define whether the total includes the current break. If the total is clearly shorter
	// than the current break, the break is added.
	UsedToday model.Figure
	Limit     Limit
	// OverBreakLimit and OverDayLimit are by how much the limit per break and the limit per day are
	// exceeded. They are 0 if the limit is not exceeded or the excess is unknown.
	OverBreakLimit, OverDayLimit time.Duration
	Return                       ExpectedReturn
}

// ExceedsLimit reports whether the agent exceeds the limit per break or the limit per day.
func (a *AgentOnBreak) ExceedsLimit() bool { return a.OverBreakLimit > 0 || a.OverDayLimit > 0 }

// ExpectedReturn is an estimate of when an agent returns from a break.
type ExpectedReturn struct {
	// Likely is the median of the estimate. In half of the cases, the break ends between From and
	// To. If the time is unknown, all three are zero.
	Likely, From, To time.Time
	IsOverdue        bool       // the break has lasted longer than all breaks with which it is compared
	Basis            words.Text // description of the data behind the estimate; zero: none
	fromAllowance    bool       // only the limit is known, because too few breaks were observed
}

// IsOneMinute reports whether From and To are the same time of day in hours and minutes.
func (b *ExpectedReturn) IsOneMinute() bool {
	return b.From.Truncate(time.Minute).Equal(b.To.Truncate(time.Minute))
}

// AgentsOnBreak returns the agents on a break, sorted by expected return. Agents whose return is unknown
// come last.
func (w *Tracker) AgentsOnBreak(now time.Time) []AgentOnBreak {
	var out []AgentOnBreak
	for name := range w.agents {
		if a, ok := w.BreakOf(name, now); ok {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b AgentOnBreak) int {
		return cmp.Or(cmp.Compare(sortRank(a.Return), sortRank(b.Return)), a.Return.Likely.Compare(b.Return.Likely),
			a.Since.Compare(b.Since), cmp.Compare(a.Username, b.Username))
	})
	return out
}

func sortRank(b ExpectedReturn) int {
	if b.Likely.IsZero() {
		return 1
	}
	return 0
}

// BreakOf returns the current break of an agent. If the agent is not on a break, ok is false.
func (w *Tracker) BreakOf(username string, now time.Time) (out AgentOnBreak, ok bool) {
	a := w.agents[username]
	if a == nil || a.code == "" {
		return out, false
	}
	out = AgentOnBreak{Username: username, Code: a.code, Since: a.since, UsedToday: usedToday(a.record, a.code), Limit: w.limits.limitOf(a.code)}
	if !out.Since.IsZero() {
		out.UsedToday = addCurrentBreak(out.UsedToday, max(now.Sub(out.Since), 0))
	}
	if s, ok := out.UsedToday.Seconds(); ok && out.Limit.PerDay > 0 {
		out.OverDayLimit = max(s-out.Limit.PerDay, 0)
	}
	if out.Since.IsZero() || now.Before(out.Since) {
		return out, true
	}
	elapsed := now.Sub(out.Since)
	if out.Limit.PerBreak > 0 {
		out.OverBreakLimit = max(elapsed-out.Limit.PerBreak, 0)
	}
	lengths, basis, fromAllowance := w.comparableLengths(a.code, out.Limit)
	out.Return = estimateReturn(lengths, basis, out.Since, elapsed)
	out.Return.fromAllowance = fromAllowance
	return out, true
}

// addCurrentBreak adds a running break of the given length to the platform's total for its code. If the
// total is about as long as the break or longer, it may already include the break, and addCurrentBreak
// returns it unchanged.
func addCurrentBreak(total model.Figure, length time.Duration) model.Figure {
	if s, ok := total.Seconds(); ok && (s+maxStateGap < length || s == 0) {
		return model.FigureOf((s + length).Seconds())
	}
	return total
}

// usedToday returns the total time of an agent with a code today. If the platform lists only other
// codes, the total is 0.
func usedToday(r *model.UserStat, code string) model.Figure {
	for _, t := range r.TimeInActivityCode {
		if t.ActivityCode == code {
			return t.TotalTime.Figure()
		}
	}
	if len(r.TimeInActivityCode) > 0 {
		return model.FigureOf(0)
	}
	return model.Figure{}
}

// comparableLengths returns the lengths that a current break is compared with, sorted, and a
// description of them. It uses the observed breaks with the code or, if there are too few, the
// daily totals of agents who are not on such a break now or, if there are too few totals, only the
// limit.
func (w *Tracker) comparableLengths(code string, limit Limit) (lengths []time.Duration, basis words.Text, fromAllowance bool) {
	if seen := w.durations[code]; len(seen) >= minDurations {
		return sortedCopy(seen), words.BreakBasedOnLast(len(seen)), false
	}
	var totals []time.Duration
	for _, a := range w.agents {
		if s, ok := usedToday(a.record, code).Seconds(); ok && s > 0 && a.code != code {
			totals = append(totals, s)
		}
	}
	if len(totals) >= minDurations {
		return sortedCopy(totals), words.BreakBasedOnTotals(len(totals)), false
	}
	if limit.PerBreak > 0 {
		return []time.Duration{limit.PerBreak}, words.BreakBasedOnAllowance(), true
	}
	return nil, words.Text{}, false
}

func sortedCopy(list []time.Duration) []time.Duration {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// estimateReturn estimates when a break ends that began at since and has lasted for elapsed. It
// uses only the lengths that exceed elapsed. basis describes the lengths.
func estimateReturn(lengths []time.Duration, basis words.Text, since time.Time, elapsed time.Duration) ExpectedReturn {
	if len(lengths) == 0 {
		return ExpectedReturn{}
	}
	at, _ := slices.BinarySearch(lengths, elapsed+1)
	longer := lengths[at:]
	if len(longer) == 0 {
		return ExpectedReturn{IsOverdue: true, Basis: basis}
	}
	quantile := func(share float64) time.Time {
		return since.Add(longer[int(share*float64(len(longer)-1)+0.5)])
	}
	return ExpectedReturn{Likely: quantile(0.5), From: quantile(0.25), To: quantile(0.75), Basis: basis}
}
