package backtest

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/textformat"
	"wallboard/model"
)

const (
	// Step is the interval between the snapshots that [Evaluate] expects. It is short because the
	// duration of a rule must be observed without gaps.
	Step = 10 * time.Second
	// missInterval is the length of the intervals whose service level is judged. Intervals with
	// fewer than minMissContacts contacts are not judged.
	missInterval    = 15 * time.Minute
	minMissContacts = 10
	// maxMissDelay is the longest time from an alert to a missed interval for which the alert
	// counts as preceding the miss.
	maxMissDelay = 30 * time.Minute
	// QuickEnd is the duration up to which an alert counts as ended before a person could act.
	QuickEnd = 2 * time.Minute
)

// RuleStats holds the results for one rule.
type RuleStats struct {
	Name  string
	Scope alert.Scope

	Fired      int // alerts that boards would have shown
	HeldBack   int `json:"Held"` // alerts that boards would have held back, because they ended before action was needed
	TakenOver  int
	WithoutAck int `json:"ByItself"` // alerts that ended without an acknowledgement
	Quick      int // those of WithoutAck that ended within [QuickEnd]
	Open       int // alerts that had not ended by the last snapshot
	// BeforeMiss counts the alerts that preceded an interval with a missed service level. If the
	// rule is about neither services nor the floor, Judged is false and BeforeMiss is unknown.
	BeforeMiss int
	Judged     bool
	Proposal   Proposal
}

// RuleReport holds the results of all rules.
type RuleReport struct {
	From, To  time.Time // times of the first and last snapshot; zero: there were no snapshots
	Misses    int       // intervals in which a service missed its service level
	Estimates EstimateStats
	Rules     []RuleStats // sorted by number of alerts, the most first
}

// Table returns a heading and a row for each rule, in English.
func (r *RuleReport) Table() [][]string {
	out := [][]string{{"rule", "about", "fired", "held back", "taken over", "by itself", "within 2 min", "before a miss"}}
	for i := range r.Rules {
		s := &r.Rules[i]
		misses := "–"
		if s.Judged {
			misses = strconv.Itoa(s.BeforeMiss)
		}
		out = append(out, []string{
			s.Name, string(s.Scope), strconv.Itoa(s.Fired), strconv.Itoa(s.HeldBack), strconv.Itoa(s.TakenOver), strconv.Itoa(s.WithoutAck), strconv.Itoa(s.Quick), misses,
		})
	}
	return out
}

// Conclusions returns the proposals for rules and the quality of the estimates, as lines of English
// text. levelText formats the threshold of a rule.
func (r *RuleReport) Conclusions(levelText func(float64, alert.Format) string) string {
	out, heading := "", "\nProposals:\n"
	for i := range r.Rules {
		if text := r.Rules[i].Proposal.Text(levelText).In(nil); text != "" {
			out += fmt.Sprintf("%s  %s (%s): %s\n", heading, r.Rules[i].Name, r.Rules[i].Scope, text)
			heading = ""
		}
	}
	if text := r.Estimates.Phrase(); text != "" {
		out += "\n" + textformat.Capitalize(text) + "\n"
	}
	return out
}

// EvaluateOptions holds the sources of acknowledgements and tolerances.
type EvaluateOptions struct {
	// TakenAlerts holds alerts stored by a board, some of them acknowledged.
	TakenAlerts []alert.Alert
	// Marks holds the marks of the recording, among them acknowledgements on any board and tolerances.
	Marks []model.Mark
}

// judgedAlert is an alert with the facts that decide whether it mattered.
type judgedAlert struct {
	alert.Alert
	direction    alert.Direction // which values of the alert's figure are better
	peak         float64
	hasPeak      bool // peak is set
	acknowledged bool
	missEnd      time.Time // end of the missed interval that the alert preceded; zero: none
}

// duration returns how long the alert lasted. If the alert has not ended, it returns the time from
// its start to until.
func (f *judgedAlert) duration(until time.Time) time.Duration {
	if f.Ended.IsZero() {
		return until.Sub(f.Raised)
	}
	return f.Ended.Sub(f.Raised)
}

// mattered reports whether the alert was acknowledged or preceded a missed interval.
func (f *judgedAlert) mattered() bool { return f.acknowledged || !f.missEnd.IsZero() }

// Evaluate evaluates the rules of an engine on snapshots, which must be sorted by time and [Step]
// apart. The engine must not be used for anything else. Evaluate returns the first error of
// snapshots or the error of ctx.
func Evaluate(ctx context.Context, snapshots iter.Seq2[*model.Snapshot, error], e *alert.Engine, o EvaluateOptions) (RuleReport, error) {
	j := reportCollector{engine: e, situations: situation.New(situation.Options{Hold: time.Minute, Goal: e.Goal}), alertsByID: make(map[string]*judgedAlert), shown: make(map[string]bool), startCounts: make(map[serviceChannel]answerCount)}
	tolerances := statefile.RecordedTolerances(o.Marks)
	for s, err := range snapshots {
		if err != nil {
			return RuleReport{}, err
		}
		if err := ctx.Err(); err != nil {
			return RuleReport{}, fmt.Errorf("judge the rules: %w", err)
		}
		e.ApplyNotes(tolerances, s.At)
		j.evaluate(s)
	}
	j.markAcknowledged(o.TakenAlerts)
	j.markAcknowledgedInRecording(o.Marks)
	return j.report(), nil
}

// reportCollector collects the alerts and missed intervals for a report.
type reportCollector struct {
	engine     *alert.Engine
	situations *situation.Tracker // decides which alerts boards would show
	from       time.Time
	to         time.Time
	alertsByID map[string]*judgedAlert // by ID of the alert
	shown      map[string]bool         // IDs of the alerts that boards would have shown
	alerts     []*judgedAlert
	misses     []missedInterval
	estimates  EstimateJudge

	interval      time.Time // start of the current interval
	countedAt     time.Time // time of the last snapshot
	startCounts   map[serviceChannel]answerCount
	currentCounts map[serviceChannel]answerCount
}

// serviceChannel is a service on a channel. If code is empty, it is all services of the channel.
type serviceChannel struct {
	code    string
	channel model.Channel
}

// answerCount holds the number of contacts answered in time and the number of all contacts that
// count for the service level.
type answerCount struct{ inTime, all int64 }

// missedInterval is an interval in which a service missed its service level.
type missedInterval struct {
	serviceChannel
	from, to time.Time
}

// evaluate evaluates the rules on a snapshot, and updates the alerts and the numbers of contacts.
func (j *reportCollector) evaluate(s *model.Snapshot) {
	if s.At.Before(j.to) {
		return // the clock was set back: this time was already evaluated
	}
	if j.from.IsZero() {
		j.from = s.At
	}
	j.to = s.At
	changes := j.engine.Evaluate(s, s.At)
	for _, c := range changes {
		switch c.Kind {
		case alert.ChangeRaised:
			if !c.Alert.FromStart { // for an alert from the start, the time of raising is unknown
				f := &judgedAlert{Alert: c.Alert, direction: j.figureDirection(&c.Alert)}
				j.alertsByID[c.Alert.ID], j.alerts = f, append(j.alerts, f)
			}
		case alert.ChangeCleared, alert.ChangeVanished:
			if f := j.alertsByID[c.Alert.ID]; f != nil {
				f.Ended = c.Alert.Ended
			}
		case alert.ChangeEscalated, alert.ChangeEased, alert.ChangeResumed:
		}
	}
	active := j.engine.Active()
	for _, a := range active {
		if f := j.alertsByID[a.ID]; f != nil {
			f.updatePeak(a.Value)
		}
	}
	view := j.situations.Update(s, active, changes, s.At)
	j.markShown(view.Live)
	j.markShown(view.Today)
	j.estimates.Update(view.Live, j.situations.History(), s.At)
	j.countContacts(s)
}

// markShown marks the alerts of situations as shown by boards.
func (j *reportCollector) markShown(situations []situation.Situation) {
	for i := range situations {
		for k := range situations[i].Alerts {
			j.shown[situations[i].Alerts[k].ID] = true
		}
	}
}

// updatePeak replaces the peak if value is a worse value of the alert's figure.
func (f *judgedAlert) updatePeak(value model.Figure) {
	v, ok := value.Get()
	if !ok {
		return
	}
	if !f.hasPeak || isWorse(f.direction, v, f.peak) {
		f.peak, f.hasPeak = v, true
	}
}

// figureDirection returns which values of the figure of an alert are better.
func (j *reportCollector) figureDirection(a *alert.Alert) alert.Direction {
	for _, r := range alert.RulesOf(j.engine) {
		if r.Name == a.Rule && r.Scope == a.Key.Scope {
			return r.Direction
		}
	}
	return alert.LowerIsBetter
}

// isWorse reports whether value a is worse than value b.
func isWorse(d alert.Direction, a, b float64) bool {
	if d == alert.HigherIsBetter {
		return a < b
	}
	return a > b
}

// countContacts updates the number of contacts of each service in the current interval. When a new
// interval begins, it finishes the previous interval.
func (j *reportCollector) countContacts(s *model.Snapshot) {
	if at := s.At.Truncate(missInterval); !at.Equal(j.interval) {
		unbroken := s.At.Sub(j.countedAt) <= time.Minute
		if unbroken {
			j.finishInterval()
		}
		if j.interval, j.startCounts = at, j.currentCounts; !unbroken { // the counters at the start of the interval are unknown
			j.startCounts = nil
		}
	}
	j.countedAt = s.At
	before := j.currentCounts
	j.currentCounts = make(map[serviceChannel]answerCount)
	for r := range s.Services.All() {
		inTime, all, ok := r.ChannelStats.ServiceLevelCounts(j.engine.Goal(r.Key().Code).Formula)
		if !ok {
			continue
		}
		for _, p := range []serviceChannel{{r.Key().Code, r.Channel}, {"", r.Channel}} {
			c := j.currentCounts[p]
			j.currentCounts[p] = answerCount{c.inTime + inTime, c.all + all}
		}
	}
	for p, was := range before {
		if now, there := j.currentCounts[p]; there && now.all < was.all { // the counters or the clock were reset
			j.startCounts = nil
		}
	}
}

// finishInterval records the services that missed their service level in the interval that has just
// ended.
func (j *reportCollector) finishInterval() {
	for p, was := range j.startCounts {
		now, there := j.currentCounts[p]
		inTime, all := now.inTime-was.inTime, now.all-was.all
		target, measured := j.engine.Goal(p.code).ServiceLevel.Get()
		if !there || !measured || inTime < 0 || all < minMissContacts {
			continue
		}
		if float64(inTime) <= target*float64(all)-1 { // missed by at least one contact
			j.misses = append(j.misses, missedInterval{p, j.interval, j.interval.Add(missInterval)})
		}
	}
}

// markAcknowledged marks the alerts that a viewer has acknowledged. list holds the alerts of a
// board. An alert of the board and an alert of j count as the same if they have the same rule and
// record and were raised at about the same time.
func (j *reportCollector) markAcknowledged(list []alert.Alert) {
	const near = 2 * time.Minute
	for i := range list {
		a := &list[i]
		if a.Ack == (alert.Ack{}) {
			continue
		}
		for _, f := range j.alerts {
			if f.Rule == a.Rule && f.Key == a.Key && f.Raised.Sub(a.Raised).Abs() <= near {
				f.acknowledged = true
			}
		}
	}
}

// markAcknowledgedInRecording marks the alerts that a viewer acknowledged while the recording was
// made. marks holds the marks of the recording.
func (j *reportCollector) markAcknowledgedInRecording(marks []model.Mark) {
	for i := range marks {
		t, at := &marks[i].Taken, marks[i].At
		if at.After(j.to) { // the mark is later than the evaluated period
			continue
		}
		key := alert.Key{Scope: alert.Scope(t.Scope), Code: t.Code, Channel: t.Channel}
		for _, f := range j.alerts {
			// Raised may be too late by the interval between two snapshots.
			open := !at.Before(f.Raised.Add(-Step)) && (f.Ended.IsZero() || !at.After(f.Ended))
			if open && f.Rule == t.Rule && f.Key == key {
				f.acknowledged = true
			}
		}
	}
}

// report returns the report with the totals of the alerts of each rule.
func (j *reportCollector) report() RuleReport {
	out := RuleReport{From: j.from, To: j.to, Estimates: j.estimates.stats}
	for _, m := range j.misses {
		if m.code != "" {
			out.Misses++
		}
	}
	by := make(map[string]*RuleStats)
	of := make(map[string][]*judgedAlert)
	var ids []string
	for _, r := range alert.RulesOf(j.engine) {
		id := string(r.Scope) + "\x00" + r.Name
		if by[id] == nil {
			ids = append(ids, id)
			by[id] = &RuleStats{Name: r.Name, Scope: r.Scope, Judged: r.Scope == alert.Service || r.Scope == alert.Floor}
		}
	}
	for _, f := range j.alerts {
		id := string(f.Key.Scope) + "\x00" + f.Rule
		r := by[id]
		if r == nil {
			continue
		}
		if !j.shown[f.ID] && !f.acknowledged {
			r.HeldBack++
			continue
		}
		if r.Judged {
			f.missEnd = j.missAfterAlert(f)
		}
		of[id] = append(of[id], f)
		r.Fired++
		switch {
		case f.acknowledged:
			r.TakenOver++
		case f.Ended.IsZero():
			r.Open++
		default:
			r.WithoutAck++
			if f.duration(j.to) <= QuickEnd {
				r.Quick++
			}
		}
		if !f.missEnd.IsZero() {
			r.BeforeMiss++
		}
	}
	for _, id := range ids {
		by[id].Proposal = propose(j.engine, by[id], of[id], j.to)
		out.Rules = append(out.Rules, *by[id])
	}
	slices.SortStableFunc(out.Rules, func(a, b RuleStats) int { return cmp.Compare(b.Fired, a.Fired) })
	return out
}

// missAfterAlert returns the end of the first missed interval that the alert preceded, or the zero
// time if there is none.
func (j *reportCollector) missAfterAlert(f *judgedAlert) time.Time {
	p := serviceChannel{channel: f.Key.Channel}
	if f.Key.Scope == alert.Service {
		p.code = f.Key.Code
	}
	if p.channel == "" {
		p.channel = model.Call
	}
	for _, m := range j.misses {
		if m.serviceChannel == p && f.Raised.Before(m.to) && m.from.Sub(f.Raised) <= maxMissDelay {
			return m.to
		}
	}
	return time.Time{}
}
