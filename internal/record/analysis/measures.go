package analysis

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
)

// Measure is a measure taken against a queue. Scope is the service or the channel that it
// concerned.
type Measure struct {
	Name  string // the same for the same measure at all times and in all scopes
	At    time.Time
	Scope Scope
}

// TakenOver is the name of a [Measure] for a take-over of alerts.
const TakenOver = "take-over"

// Text returns the name in the form that can be written in every language. Items of playbooks are the same in
// all languages.
func (m *Measure) Text() words.Text {
	if m.Name == TakenOver {
		return words.ReplayTakeOver()
	}
	verb, target, _ := strings.Cut(m.Name, ": ")
	op, ok := words.OperationOf(verb)
	switch {
	case !ok:
		return words.Name(m.Name)
	case target == "":
		return words.OperationTitle(op)
	}
	return words.RuleMessage(words.OperationTitle(op), words.Name(target))
}

// MeasuresOf returns the measures in the marks of a recording: ticked-off items of playbooks,
// confirmed actions that may change how long contacts wait, and take-overs. It leaves out
// ticks that were taken back within two minutes, and measures about agents, campaigns or the
// feed, which have no queue.
func MeasuresOf(marks []model.Mark) []Measure {
	const correctionTime = 2 * time.Minute
	ticks := make(map[string]model.Note)
	var out []Measure
	add := func(name string, at time.Time, scope, service string, ch model.Channel) {
		where := Scope{Channel: cmp.Or(ch, model.Call)}
		switch scope {
		case "service":
			where.Service = service
		case "floor", "group":
		default:
			return
		}
		out = append(out, Measure{name, at, where})
	}
	for i := range marks {
		m := &marks[i]
		switch {
		case m.Note != nil && m.Note.Tick.Item != "":
			ticks[m.Note.ID] = *m.Note
		case m.Taken.Rule != "":
			add(TakenOver, m.At, m.Taken.Scope, m.Taken.Code, m.Taken.Channel)
		case m.Kind == model.MarkAction:
			if name, confirmed := strings.CutSuffix(m.Text, ", "+resource.Confirmed.String()); confirmed && affectsWaits(name) {
				add(name, m.At, "floor", "", model.Call)
			}
		}
	}
	for _, n := range ticks {
		if n.Until.Sub(n.At) > correctionTime {
			add(n.Tick.Item, n.At, n.Tick.Scope, n.Tick.Code, n.Tick.Channel)
		}
	}
	slices.SortFunc(out, func(a, b Measure) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Name, b.Name)) })
	return slices.CompactFunc(out, func(a, b Measure) bool { // a take-over of several alerts counts once
		return a.Name == b.Name && a.Scope == b.Scope && b.At.Sub(a.At) < time.Second
	})
}

// affectsWaits reports whether an action described by text may change how long contacts wait.
func affectsWaits(text string) bool {
	verb, _, _ := strings.Cut(text, ": ")
	op, ok := words.OperationOf(verb)
	return ok && op.AffectsWaits()
}

// MeasureResult describes whether a measure made queues shorter, compared with similar moments
// without the measure. The comparison is made within a scope. It accounts for the number of waiting
// contacts, the number of contacts to come, the age of the queue, and the number of agents who came
// without a measure.
type MeasureResult struct {
	Name    string      `json:"name"`
	Times   int         `json:"times"`  // how often it was taken while contacts waited, or shortly before
	Queues  int         `json:"queues"` // number of queues in which it was taken
	Effect  float64     `json:"effect"` // number of contacts by which the queue was shorter after five minutes
	Verdict HelpVerdict `json:"verdict"`
}

// HelpVerdict says whether a measure helped.
type HelpVerdict string

// Values of [HelpVerdict].
const (
	HelpUnknown HelpVerdict = "too few cases"
	Helped      HelpVerdict = "helped"
	NoHelp      HelpVerdict = "no difference shown"
)

// Words describes the result: "helped: 4 times; after 5 min about 6 fewer waiting than in similar moments
// without it".
func (r *MeasureResult) Words() string {
	text := string(r.Verdict) + ": " + textformat.Count(r.Times, "time", "times")
	if r.Queues < r.Times {
		text += " in " + textformat.Count(r.Queues, "queue", "queues")
	}
	if r.Verdict != Helped {
		return text
	}
	return text + "; after 5 min about " + textformat.Number(max(math.Round(r.Effect), 1)) + " fewer waiting than in similar moments without it"
}

const (
	// helpSpan is the longest time that a measure has an effect. The effect also ends with the
	// queue.
	helpSpan = 30 * time.Minute
	// helpLead is the longest time before the start of a queue at which a measure still counts as
	// taken against the queue. It is shorter than maxPause, so a measure concerns one queue.
	helpLead = 2 * time.Minute
	// maxPause is the longest time without a waiting contact within a queue.
	maxPause = 3 * time.Minute
	// helpWindow is the time over which the change of a queue is measured.
	helpWindow = 5 * time.Minute
	// staffSpan is how long after a measure agents who join the queue count as an effect of the
	// measure.
	staffSpan = 5 * time.Minute
	// A measure gets a verdict only if it was taken in minHelpCases queues, and if
	// minHelpQueues queues were recorded altogether.
	minHelpCases, minHelpQueues = 3, 6
	// minHelpRatio is the smallest effect, in standard errors, for which a measure counts as
	// helpful. A measure after which agents come to the queue, by at least minStaffRatio standard
	// errors, needs only an effect of minStaffedHelpRatio.
	minHelpRatio, minStaffedHelpRatio, minStaffRatio = 2.8, 1, 3
)

// helpRow is a minute in which contacts waited. It predicts an outcome of the next minutes.
type helpRow struct {
	queue      int // number of the queue that contains the minute
	predictors []float64
	outcome    float64
}

// Columns of [helpRow.predictors] before those of the measures.
const (
	helpWaiting = iota
	helpArrived
	helpAge
	helpStaff
	helpColumns
)

// WhatHelped compares the minutes after each measure with similar minutes of queues without
// the measure, by least squares. In each scope it uses the queues that are at least half as
// long as the median queue with a measure. The result is sorted by name.
func WhatHelped(ctx context.Context, p Snapshots, measures []Measure, from, to time.Time) ([]MeasureResult, error) {
	var names []string
	byScope := make(map[Scope][]Measure)
	for _, m := range measures {
		if !m.At.Before(from) && !m.At.After(to) {
			names, byScope[m.Scope] = append(names, m.Name), append(byScope[m.Scope], m)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	h := helpStudy{names: names, queues: make([]map[int]bool, len(names)), times: make([]int, len(names))}
	for i := range h.queues {
		h.queues[i] = make(map[int]bool)
	}
	scopes := make([]Scope, 0, len(byScope))
	for s := range byScope {
		scopes = append(scopes, s)
	}
	slices.SortFunc(scopes, func(a, b Scope) int {
		return cmp.Or(strings.Compare(string(a.Channel), string(b.Channel)), strings.Compare(a.Service, b.Service))
	})
	for _, scope := range scopes {
		var states []scopeState
		for s, err := range p.Through(from, to, cheapStep, scope.tables()...) {
			if err == nil {
				err = contextError(ctx)
			}
			if err != nil {
				return nil, err
			}
			if now, known := stateOf(s, scope); known && (len(states) == 0 || now.at.After(states[len(states)-1].at)) {
				states = append(states, now)
			}
		}
		h.addScope(states, byScope[scope])
	}
	return h.results(), nil
}

// helpStudy collects the minutes of the queues in all scopes.
type helpStudy struct {
	names  []string
	queues []map[int]bool // numbers of the queues in which a measure was taken, by measure
	times  []int          // how often a measure was taken in these queues, by measure
	waits  []helpRow      // the outcome is the number of contacts by which the queue became shorter
	staff  []helpRow      // the outcome is the number of agents who came to the queue; the predictors are the measures taken
	count  int            // number of queues so far
}

// addScope adds the queues of a scope with the given states. A queue begins when contacts wait, and
// ends when none has waited for maxPause. A measure concerns only the queue in which it was taken.
// The minutes of later queues are left out for helpSpan after the measure, because the measure may
// still affect them.
func (h *helpStudy) addScope(states []scopeState, measures []Measure) {
	var queues []helpQueue
	var began, last time.Time
	gained := int64(0)                     // agents who came to the queue without a measure
	counted := make([]bool, len(measures)) // measures that h.times already includes
	for i := 0; i+1 < len(states); i++ {
		s, next := states[i], stateAfter(states[i:], helpWindow)
		if i > 0 && !slices.ContainsFunc(measures, func(m Measure) bool { return m.At.Before(s.at) && s.at.Sub(m.At) <= staffSpan }) {
			gained += s.atWork - states[i-1].atWork
		}
		if s.waiting == 0 || next.at.IsZero() || next.received < s.received {
			continue
		}
		if len(queues) == 0 || s.at.Sub(last) > maxPause {
			queues, began, gained = append(queues, helpQueue{}), s.at, 0
			h.count++
		}
		last = s.at
		q := &queues[len(queues)-1]
		row := helpRow{queue: h.count, predictors: make([]float64, helpColumns+len(h.names)), outcome: float64(s.waiting - next.waiting)}
		staff := helpRow{queue: h.count, predictors: make([]float64, len(h.names)), outcome: float64(next.atWork - s.atWork)}
		row.predictors[helpWaiting], row.predictors[helpArrived], row.predictors[helpAge] = float64(s.waiting), float64(next.received-s.received), min(s.at.Sub(began), time.Hour).Minutes()
		row.predictors[helpStaff] = float64(gained)
		earlier := false // a measure against an earlier queue may still have an effect
		for n, m := range measures {
			during := min(next.at.Sub(m.At), next.at.Sub(s.at), m.At.Add(helpSpan).Sub(s.at))
			if during <= 0 {
				continue
			}
			if began.Sub(m.At) > helpLead {
				earlier = true
				continue
			}
			k, _ := slices.BinarySearch(h.names, m.Name)
			if !m.At.Before(s.at) {
				staff.predictors[k] = 1
			}
			row.predictors[helpColumns+k] = max(row.predictors[helpColumns+k], during.Seconds()/next.at.Sub(s.at).Seconds())
			if m.At.Before(states[i+1].at) && !counted[n] {
				h.queues[k][h.count], q.measured, counted[n] = true, true, true
				h.times[k]++
			}
		}
		if q.maxWaiting = max(q.maxWaiting, s.waiting); !earlier {
			q.waits, q.staff = append(q.waits, row), append(q.staff, staff)
		}
	}
	var waits, staff []helpRow
	for _, q := range comparableQueues(queues) {
		waits, staff = append(waits, q.waits...), append(staff, q.staff...)
	}
	center(waits)
	center(staff)
	h.waits, h.staff = append(h.waits, waits...), append(h.staff, staff...)
}

// helpQueue holds the minutes of one queue, from the first waiting contact until none has waited
// for maxPause.
type helpQueue struct {
	waits      []helpRow // see helpStudy
	staff      []helpRow
	maxWaiting int64 // largest number of waiting contacts
	measured   bool  // a measure was taken
}

// comparableQueues returns the queues that are at least half as long as the median queue with a
// measure. It returns nil if no queue has a measure.
func comparableQueues(queues []helpQueue) []helpQueue {
	var most []int64
	for i := range queues {
		if queues[i].measured {
			most = append(most, queues[i].maxWaiting)
		}
	}
	slices.Sort(most)
	return slices.DeleteFunc(queues, func(q helpQueue) bool { return len(most) == 0 || 2*q.maxWaiting < most[len(most)/2] })
}

// stateAfter returns the first of states that is at least the duration after later than states[0].
// It returns the zero state if states has a gap before that time or ends earlier.
func stateAfter(states []scopeState, after time.Duration) scopeState {
	for i, s := range states[1:] {
		if s.at.Sub(states[i].at) > maxGap {
			break
		}
		if s.at.Sub(states[0].at) >= after {
			return s
		}
	}
	return scopeState{}
}

// center subtracts the means of the rows from their values, to make scopes with different
// traffic comparable.
func center(rows []helpRow) {
	if len(rows) == 0 {
		return
	}
	meanY, mean := 0.0, make([]float64, len(rows[0].predictors))
	for i := range rows {
		meanY += rows[i].outcome / float64(len(rows))
		for c, v := range rows[i].predictors {
			mean[c] += v / float64(len(rows))
		}
	}
	for i := range rows {
		rows[i].outcome -= meanY
		for c := range rows[i].predictors {
			rows[i].predictors[c] -= mean[c]
		}
	}
}

// results computes the results by least squares.
func (h *helpStudy) results() []MeasureResult {
	out := make([]MeasureResult, len(h.names))
	for k, name := range h.names {
		out[k] = MeasureResult{Name: name, Times: h.times[k], Queues: len(h.queues[k]), Verdict: HelpUnknown}
	}
	effect, deviation := fit(h.waits)
	joined, joinedDeviation := fit(h.staff)
	for k := range out {
		if effect == nil {
			break
		}
		r, ratio := &out[k], minHelpRatio
		r.Effect = effect[helpColumns+k]
		if r.Queues < minHelpCases {
			continue
		}
		if joined[k] > minStaffRatio*joinedDeviation[k] {
			ratio = minStaffedHelpRatio
		}
		if r.Verdict = NoHelp; r.Effect > ratio*deviation[helpColumns+k] {
			r.Verdict = Helped
		}
	}
	return out
}

// fit returns the effect of each predictor and its standard error, by least squares. The errors allow
// for minutes of the same queue that resemble each other. The results are nil if there are too few rows.
func fit(rows []helpRow) (effect, deviation []float64) {
	used := make(map[int][]float64) // sums of the residuals times the predictors, by queue
	for i := range rows {
		used[rows[i].queue] = nil
	}
	if len(used) < minHelpQueues || len(rows) < 5*len(rows[0].predictors) {
		return nil, nil
	}
	n := len(rows[0].predictors)
	normal, right := make([][]float64, n), make([]float64, n)
	for a := range normal {
		normal[a] = make([]float64, n)
		normal[a][a] = 1e-6 * float64(len(rows)) // keeps the matrix invertible if measures were always taken together
	}
	for i := range rows {
		for a, v := range rows[i].predictors {
			right[a] += v * rows[i].outcome
			for b, w := range rows[i].predictors {
				normal[a][b] += v * w
			}
		}
	}
	inverse := invert(normal)
	effect = multiply(inverse, right)
	for i := range rows {
		row := &rows[i]
		residual := row.outcome
		for a, v := range row.predictors {
			residual -= effect[a] * v
		}
		if used[row.queue] == nil {
			used[row.queue] = make([]float64, n)
		}
		for a, v := range row.predictors {
			used[row.queue][a] += v * residual
		}
	}
	deviation = make([]float64, n)
	for k := range deviation {
		for _, score := range used {
			d := 0.0
			for a := range score {
				d += inverse[k][a] * score[a]
			}
			deviation[k] += d * d
		}
		deviation[k] = math.Sqrt(deviation[k] * float64(len(used)) / float64(len(used)-1))
	}
	return effect, deviation
}

// invert returns the inverse of a symmetric positive definite matrix, by elimination.
func invert(m [][]float64) [][]float64 {
	n := len(m)
	a := make([][]float64, n)
	for i := range m {
		a[i] = append(slices.Clone(m[i]), make([]float64, n)...)
		a[i][n+i] = 1
	}
	for i := range n {
		scale := 1 / a[i][i]
		for c := range a[i] {
			a[i][c] *= scale
		}
		for j := range n {
			if factor := a[j][i]; j != i && factor != 0 {
				for c := range a[j] {
					a[j][c] -= factor * a[i][c]
				}
			}
		}
	}
	for i := range a {
		a[i] = a[i][n:]
	}
	return a
}

func multiply(m [][]float64, v []float64) []float64 {
	out := make([]float64, len(v))
	for i := range m {
		for j, x := range v {
			out[i] += m[i][j] * x
		}
	}
	return out
}
