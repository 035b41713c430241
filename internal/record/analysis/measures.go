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

// Countermeasure is a measure taken against a queue. Scope is the service or the channel that it
// concerned.
type Countermeasure struct {
	Name  string // the same for the same measure at all times and in all scopes
	At    time.Time
	Scope Scope
}

// TakeOverName is the name of a [Countermeasure] for a take-over of alerts.
const TakeOverName = "take-over"

// Text returns the name as a text that can be written in every language. Items of playbooks are the
// same in all languages.
func (m *Countermeasure) Text() words.Text {
	if m.Name == TakeOverName {
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

// CountermeasuresOf returns the measures in the marks of a recording: ticked-off items of playbooks,
// confirmed actions that may change how long contacts wait, and take-overs. It leaves out
// ticks that were taken back within two minutes, and measures about agents, campaigns or the
// feed, which have no queue.
func CountermeasuresOf(marks []model.Mark) []Countermeasure {
	const correctionTime = 2 * time.Minute
	ticks := make(map[string]model.Note)
	var out []Countermeasure
	add := func(name string, at time.Time, scope, service string, ch model.Channel) {
		where := Scope{Channel: cmp.Or(ch, model.Call)}
		switch scope {
		case "service":
			where.Service = service
		case "floor", "group":
		default:
			return
		}
		out = append(out, Countermeasure{name, at, where})
	}
	for i := range marks {
		m := &marks[i]
		switch {
		case m.Note != nil && m.Note.Tick.Item != "":
			ticks[m.Note.ID] = *m.Note
		case m.Taken.Rule != "":
			add(TakeOverName, m.At, m.Taken.Scope, m.Taken.Code, m.Taken.Channel)
		case m.Kind == model.MarkAction:
			if name, confirmed := strings.CutSuffix(m.Text, ", "+resource.OutcomeConfirmed.String()); confirmed && affectsWaits(name) {
				add(name, m.At, "floor", "", model.Call)
			}
		}
	}
	for _, n := range ticks {
		if n.Until.Sub(n.At) > correctionTime {
			add(n.Tick.Item, n.At, n.Tick.Scope, n.Tick.Code, n.Tick.Channel)
		}
	}
	slices.SortFunc(out, func(a, b Countermeasure) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Name, b.Name)) })
	return slices.CompactFunc(out, func(a, b Countermeasure) bool { // a take-over of several alerts counts once
		return a.Name == b.Name && a.Scope == b.Scope && b.At.Sub(a.At) < time.Second
	})
}

// affectsWaits reports whether an action described by text may change how long contacts wait.
func affectsWaits(text string) bool {
	verb, _, _ := strings.Cut(text, ": ")
	op, ok := words.OperationOf(verb)
	return ok && op.AffectsWaits()
}

// CountermeasureResult describes whether a measure made queues shorter, compared with similar moments
// without the measure. The comparison is made within a scope. It accounts for the number of waiting
// contacts, the number of contacts to come, the age of the queue, and the number of agents who came
// without a measure.
type CountermeasureResult struct {
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
	HelpUnknown  HelpVerdict = "too few cases"
	HelpShown    HelpVerdict = "helped"
	HelpNotShown HelpVerdict = "no difference shown"
)

// Phrase describes the result: "helped: 4 times; after 5 min about 6 fewer waiting than in similar moments
// without it".
func (r *CountermeasureResult) Phrase() string {
	text := string(r.Verdict) + ": " + textformat.CountWithNoun(r.Times, "time", "times")
	if r.Queues < r.Times {
		text += " in " + textformat.CountWithNoun(r.Queues, "queue", "queues")
	}
	if r.Verdict != HelpShown {
		return text
	}
	return text + "; after 5 min about " + textformat.Number(max(math.Round(r.Effect), 1)) + " fewer waiting than in similar moments without it"
}

const (
	// maxEffectTime is the longest time that a measure has an effect. The effect also ends with the
	// queue.
	maxEffectTime = 30 * time.Minute
	// maxQueueLead is the longest time before the start of a queue at which a measure still counts as
	// taken against the queue. It is shorter than maxPause, so a measure concerns one queue.
	maxQueueLead = 2 * time.Minute
	// maxPause is the longest time without a waiting contact within a queue.
	maxPause = 3 * time.Minute
	// effectWindow is the time over which the change of a queue is measured.
	effectWindow = 5 * time.Minute
	// maxStaffDelay is how long after a measure agents who join the queue count as an effect of the
	// measure.
	maxStaffDelay = 5 * time.Minute
	// A measure gets a verdict only if it was taken in minHelpCases queues, and if
	// minHelpQueues queues were recorded altogether.
	minHelpCases, minHelpQueues = 3, 6
	// minHelpRatio is the smallest effect, in standard errors, for which a measure counts as
	// helpful. A measure after which agents come to the queue, by at least minStaffRatio standard
	// errors, needs only an effect of minStaffedHelpRatio.
	minHelpRatio, minStaffedHelpRatio, minStaffRatio = 2.8, 1, 3
)

// queueMinute is a minute in which contacts waited. It predicts an outcome of the next minutes.
type queueMinute struct {
	queue      int // number of the queue that contains the minute
	predictors []float64
	outcome    float64
}

// Columns of [queueMinute.predictors] before those of the measures.
const (
	predictorWaiting = iota
	predictorArrived
	predictorAge
	predictorStaff
	predictorCount
)

// EvaluateCountermeasures compares the minutes after each measure with similar minutes of queues without
// the measure, by least squares. In each scope it uses the queues that are at least half as
// long as the median queue with a measure. The result is sorted by name.
func EvaluateCountermeasures(ctx context.Context, p Snapshots, measures []Countermeasure, from, to time.Time) ([]CountermeasureResult, error) {
	var names []string
	byScope := make(map[Scope][]Countermeasure)
	for _, m := range measures {
		if !m.At.Before(from) && !m.At.After(to) {
			names, byScope[m.Scope] = append(names, m.Name), append(byScope[m.Scope], m)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	h := countermeasureStudy{names: names, queues: make([]map[int]bool, len(names)), times: make([]int, len(names))}
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
		for s, err := range p.SampledSnapshots(from, to, coarseStep, scope.tables()...) {
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

// countermeasureStudy collects the minutes of the queues in all scopes.
type countermeasureStudy struct {
	names  []string
	queues []map[int]bool // numbers of the queues in which a measure was taken, by measure
	times  []int          // how often a measure was taken in these queues, by measure
	waits  []queueMinute  // the outcome is the number of contacts by which the queue became shorter
	staff  []queueMinute  // the outcome is the number of agents who came to the queue; the predictors are the measures taken
	count  int            // number of queues so far
}

// addScope adds the queues of a scope with the given states. A queue begins when contacts wait, and
// ends when none has waited for maxPause. A measure concerns only the queue in which it was taken.
// The minutes of later queues are left out for maxEffectTime after the measure, because the measure may
// still affect them.
func (h *countermeasureStudy) addScope(states []scopeState, measures []Countermeasure) {
	var queues []helpQueue
	var began, last time.Time
	gained := int64(0)                     // agents who came to the queue without a measure
	counted := make([]bool, len(measures)) // measures that h.times already includes
	for i := 0; i+1 < len(states); i++ {
		s, next := states[i], stateAfter(states[i:], effectWindow)
		if i > 0 && !slices.ContainsFunc(measures, func(m Countermeasure) bool { return m.At.Before(s.at) && s.at.Sub(m.At) <= maxStaffDelay }) {
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
		row := queueMinute{queue: h.count, predictors: make([]float64, predictorCount+len(h.names)), outcome: float64(s.waiting - next.waiting)}
		staff := queueMinute{queue: h.count, predictors: make([]float64, len(h.names)), outcome: float64(next.atWork - s.atWork)}
		row.predictors[predictorWaiting], row.predictors[predictorArrived], row.predictors[predictorAge] = float64(s.waiting), float64(next.received-s.received), min(s.at.Sub(began), time.Hour).Minutes()
		row.predictors[predictorStaff] = float64(gained)
		earlier := false // a measure against an earlier queue may still have an effect
		for n, m := range measures {
			during := min(next.at.Sub(m.At), next.at.Sub(s.at), m.At.Add(maxEffectTime).Sub(s.at))
			if during <= 0 {
				continue
			}
			if began.Sub(m.At) > maxQueueLead {
				earlier = true
				continue
			}
			k, _ := slices.BinarySearch(h.names, m.Name)
			if !m.At.Before(s.at) {
				staff.predictors[k] = 1
			}
			row.predictors[predictorCount+k] = max(row.predictors[predictorCount+k], during.Seconds()/next.at.Sub(s.at).Seconds())
			if m.At.Before(states[i+1].at) && !counted[n] {
				h.queues[k][h.count], q.measured, counted[n] = true, true, true
				h.times[k]++
			}
		}
		if q.maxWaiting = max(q.maxWaiting, s.waiting); !earlier {
			q.waits, q.staff = append(q.waits, row), append(q.staff, staff)
		}
	}
	var waits, staff []queueMinute
	for _, q := range comparableQueues(queues) {
		waits, staff = append(waits, q.waits...), append(staff, q.staff...)
	}
	centerRows(waits)
	centerRows(staff)
	h.waits, h.staff = append(h.waits, waits...), append(h.staff, staff...)
}

// helpQueue holds the minutes of one queue, from the first waiting contact until none has waited
// for maxPause.
type helpQueue struct {
	waits      []queueMinute // see countermeasureStudy
	staff      []queueMinute
	maxWaiting int64 // largest number of waiting contacts
	measured   bool  // a measure was taken
}

// comparableQueues returns the queues that were, at their maximum, at least half as long as the median
// queue with a measure. It returns none if no queue has a measure.
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

// stateAfter returns the first of states that is later than states[0] by at least after. It returns
// the zero state if states has a gap before that time or ends earlier.
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

// centerRows subtracts the means of the rows from their values, to make scopes with different
// traffic comparable.
func centerRows(rows []queueMinute) {
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
func (h *countermeasureStudy) results() []CountermeasureResult {
	out := make([]CountermeasureResult, len(h.names))
	for k, name := range h.names {
		out[k] = CountermeasureResult{Name: name, Times: h.times[k], Queues: len(h.queues[k]), Verdict: HelpUnknown}
	}
	effect, deviation := fitLeastSquares(h.waits)
	joined, joinedDeviation := fitLeastSquares(h.staff)
	for k := range out {
		if effect == nil {
			break
		}
		r, ratio := &out[k], minHelpRatio
		r.Effect = effect[predictorCount+k]
		if r.Queues < minHelpCases {
			continue
		}
		if joined[k] > minStaffRatio*joinedDeviation[k] {
			ratio = minStaffedHelpRatio
		}
		if r.Verdict = HelpNotShown; r.Effect > ratio*deviation[predictorCount+k] {
			r.Verdict = HelpShown
		}
	}
	return out
}

// fitLeastSquares returns the least-squares effect of each predictor and its standard error. The errors
// allow for minutes of the same queue that resemble each other. The results are nil if there are too few rows.
func fitLeastSquares(rows []queueMinute) (effect, deviation []float64) {
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
	inverse := invertMatrix(normal)
	effect = multiplyMatrix(inverse, right)
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

// invertMatrix returns the inverse of a symmetric positive definite matrix, by elimination.
func invertMatrix(m [][]float64) [][]float64 {
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

func multiplyMatrix(m [][]float64, v []float64) []float64 {
	out := make([]float64, len(v))
	for i := range m {
		for j, x := range v {
			out[i] += m[i][j] * x
		}
	}
	return out
}
