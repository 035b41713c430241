package alert

import (
	"errors"
	"slices"

	"wallboard/internal/words"
	"wallboard/model"
)

// Explanation shows how a figure is computed.
type Explanation struct {
	Name  string // name of the KPI or rule
	Key   Key
	Title string // display name of the record
	// Formula is the expression. FormulaName names the way in which a service level treats
	// abandoned calls, and is "" for other figures.
	Formula, FormulaName string
	Inputs               []Input // values that the formula uses
	Result               model.Figure
	ConditionResult      string // result of a condition: "yes", "no", "unknown" or "n/a"
	Format               Format
	Target               model.Float
	Direction            Direction
	Thresholds           Thresholds // for an alert: the thresholds, with the rule's Base or the tolerance added
	Volume               *Volume    // for an alert about a share; otherwise nil
	Budget               *Budget    // for a service level or abandon rate with a target; otherwise nil
}

// Volume is the number of calls behind a percentage, with the minimum numbers from the rule; see
// MinCalls and MinExcessMisses of [Rule].
type Volume struct {
	Calls                     model.Figure
	MinCalls, MinExcessMisses int
}

// IsEnough reports whether there are at least MinCalls calls.
func (v *Volume) IsEnough() bool {
	n, ok := v.Calls.Get()
	return ok && n >= float64(v.MinCalls)
}

// Input is a value that a figure was computed from.
type Input struct {
	Name   string
	Value  model.Figure
	Format Format
	Text   string // value of a text or a condition; numbers are in Value
}

// Budget says how far a figure of the day is from its target, in calls.
type Budget struct {
	Abandoned      bool  // a missed call is an abandoned call, not a late one
	MissesLeft     int64 // calls that may still be missed
	CallsToRecover int64 // number of consecutive good calls that meets the target again
	// Recoverable is false if no number of calls can meet the target again.
	Recoverable bool
}

// ErrNoKPI means that there is no such KPI or record.
var ErrNoKPI = errors.New("no such figure")

// ExplainKPI explains a KPI or another number of the scope for a record, as of the last evaluation.
// The error is ErrNoKPI.
func (e *Engine) ExplainKPI(name string, k Key) (Explanation, error) {
	p, r := e.findRow(k)
	if r == nil {
		return Explanation{}, ErrNoKPI
	}
	def, prog := p.library.findKPI(name)
	if prog == nil {
		return Explanation{}, ErrNoKPI
	}
	x := Explanation{Name: name, Key: k, Title: e.texts.recordTitle(k, r.record)}
	e.explainFigure(&x, p, r, def, prog)
	return x, nil
}

// ExplainAlert explains an active alert, as of the last evaluation. The error is ErrNotActive.
func (e *Engine) ExplainAlert(id string) (Explanation, error) {
	a := e.active[id]
	if a == nil {
		return Explanation{}, ErrNotActive
	}
	p, r := e.findRow(a.Key)
	if r == nil {
		return Explanation{}, ErrNotActive
	}
	i := slices.IndexFunc(r.states, func(s ruleState) bool { return s.alert == a })
	if i < 0 {
		return Explanation{}, ErrNotActive
	}
	ru := r.rules[i]
	x := Explanation{Name: ru.Name, Key: a.Key, Title: e.texts.recordTitle(a.Key, r.record)}
	f := e.texts.loadJudgingFrame(p, r, e.serverTime)
	x.Thresholds, x.Volume = ru.thresholds(f), ru.volumeOf(f)
	switch {
	case ru.when != nil:
		e.explainProgram(&x, p, r, ru.when)
	case ru.kpi != nil:
		_, prog := p.library.findKPI(ru.kpi.Name)
		e.explainFigure(&x, p, r, ru.kpi, prog)
	default:
		e.explainProgram(&x, p, r, ru.value)
	}
	x.Direction = ru.Direction
	if x.Format = ru.format; x.Format == "" {
		x.Format = Number
	}
	return x, nil
}

// thresholds returns the thresholds of the rule for the record of a frame, with the rule's Base or
// the tolerance added. If Base is unknown, all thresholds are unknown.
func (r *rule) thresholds(f *evalEnv) Thresholds {
	base := model.FigureOf(-r.toleratedShift(f.goal.Tolerance))
	if r.base != nil {
		base = r.base.number(f)
	}
	above := func(distance model.Float) model.Float {
		d, isSet := distance.Get()
		if b, ok := base.Get(); ok && isSet {
			return model.FloatOf(b + d)
		}
		return model.Float{}
	}
	t := r.Thresholds
	return Thresholds{Warning: above(t.Warning), Critical: above(t.Critical), Recovery: above(t.Recovery)}
}

// volumeOf returns the volume for the record of a frame, or nil if the rule does not depend on a
// number of calls.
func (r *rule) volumeOf(f *evalEnv) *Volume {
	if r.calls == nil {
		return nil
	}
	return &Volume{r.calls.number(f), r.MinCalls, r.MinExcessMisses}
}

// SmallSampleViolation is a percentage that would raise an alert if it were based on more calls.
type SmallSampleViolation struct {
	Rule   string
	Value  model.Figure
	Format Format
	Volume
}

// SmallSampleViolations returns the percentages of a record that violate a rule but are based on too few calls
// to be judged, as of the last evaluation. The board must not show such a percentage as good.
func (e *Engine) SmallSampleViolations(k Key) []SmallSampleViolation {
	p, r := e.findRow(k)
	if r == nil {
		return nil
	}
	var out []SmallSampleViolation
	f := e.texts.loadJudgingFrame(p, r, e.serverTime)
	for i, ru := range r.rules {
		if ru.calls == nil || r.state(i).alert != nil {
			continue
		}
		whole := *ru
		whole.calls, whole.MinExcessMisses = nil, 0
		if level, ok := whole.levelFor(f, Normal); ok && level > Normal {
			out = append(out, SmallSampleViolation{ru.Name, f.value, ru.format, *ru.volumeOf(f)})
		}
	}
	return out
}

// findRow returns the row of the record k and the scopeRows that hold it. The row is nil if there
// is no such record.
func (e *Engine) findRow(k Key) (*scopeRows, *row) {
	p := e.rowsByScope[k.Scope]
	if p == nil {
		return nil, nil
	}
	return p, p.rowsByKey[k]
}

// explainFigure adds the explanation of a KPI to x. A built-in KPI is explained by a formula that
// uses the field names of the platform.
func (e *Engine) explainFigure(x *Explanation, p *scopeRows, r *row, def *KPI, prog *program) {
	x.Target, x.Direction = def.Target, def.Direction
	if def.BuiltIn {
		whole := *prog
		whole.source = def.Expr
		if def.Name == "serviceLevel" {
			whole.source = formulaOf(r.goal.Formula)
		}
		for word := range namesIn(whole.source) {
			f := p.library.fields[word]
			known := func(i input) bool { return i.label == word }
			if f != nil && !slices.ContainsFunc(whole.inputs, known) {
				whole.inputs = append(whole.inputs, input{word, expression{
					kind: f.kind, number: f.number, text: f.text, truth: f.truth, format: f.format,
				}})
			}
		}
		prog = &whole
	}
	e.explainProgram(x, p, r, prog)
	x.Format = def.Format
}

// formulaOf returns a service level formula that uses the field names of the platform.
func formulaOf(f model.ServiceLevelFormula) string {
	switch f {
	case model.SLAnsweredOnly:
		return "answeredCallsUnderSpeedLimit / answeredCalls"
	case model.SLShortIgnored:
		return "answeredCallsUnderSpeedLimit / (answeredCalls + hangupCalls - shortCalls)"
	case model.SLAllAbandons:
	}
	return "answeredCallsUnderSpeedLimit / (answeredCalls + hangupCalls)"
}

// explainProgram adds the formula, the result and the inputs of a program to x.
func (e *Engine) explainProgram(x *Explanation, p *scopeRows, r *row, prog *program) {
	f := e.loadFrame(p, r)
	x.Formula, x.Format = prog.source, prog.format
	if prog.kind == truthKind {
		x.ConditionResult = prog.truth(f).String()
	} else {
		x.Result = prog.number(f)
	}
	for _, in := range prog.inputs {
		i := Input{Name: in.label, Format: in.format}
		switch in.kind {
		case numberKind:
			i.Value = in.number(f)
		case textKind:
			i.Text = in.text(f).String()
		case truthKind:
			i.Text = in.truth(f).String()
		}
		x.Inputs = append(x.Inputs, i)
	}
	about := x.goalKind()
	if about == serviceLevelGoal {
		x.FormulaName = words.ServiceLevelFormula(r.goal.Formula).In(nil)
	}
	x.explainBudget(r, about)
}

// goalKind is the goal of a service that a figure is compared with, if any.
type goalKind uint8

const (
	noGoal goalKind = iota
	serviceLevelGoal
	abandonGoal
)

// goalKind returns the goal that the explained figure is compared with. It depends on the name of
// the figure and on the names of its inputs.
func (x *Explanation) goalKind() goalKind {
	has := func(words ...string) bool {
		return slices.Contains(words, x.Name) ||
			slices.ContainsFunc(x.Inputs, func(in Input) bool { return slices.Contains(words, in.Name) })
	}
	switch {
	case has("serviceLevel", "missesLeft", "toRecover", "answeredCallsUnderSpeedLimit"):
		return serviceLevelGoal
	case has("abandonRate", "abandonRateLong", "hangupCalls"):
		return abandonGoal
	}
	return noGoal
}

// explainBudget sets the target and the budget of the explanation.
func (x *Explanation) explainBudget(r *row, about goalKind) {
	var c model.ServiceCalls
	switch rec := r.record.(type) {
	case *model.Service:
		c = rec.ChannelStats
	case *floorRecord:
		c = rec.Calls
	case *model.Group:
		c.ReceivedCalls, c.HangupCalls = rec.ChannelStats.ReceivedCalls, rec.ChannelStats.HangupCalls
	default:
		return
	}
	formula := r.goal.Formula
	var share float64 // required share of good calls, 0 to 1
	var ok bool
	switch about {
	case serviceLevelGoal:
		x.Target = r.goal.ServiceLevel
		share, ok = x.Target.Get()
	case abandonGoal:
		// Convert the abandon rate to a service level: calls that were not abandoned count as
		// answered in time, and received calls as answered.
		x.Target = r.goal.Abandon
		share, ok = x.Target.Get()
		share = 1 - share
		formula = model.SLAnsweredOnly
		c.AnsweredCalls = c.ReceivedCalls
		received, _ := c.ReceivedCalls.Get()
		hungUp, known := c.HangupCalls.Get()
		c.AnsweredCallsUnderSpeedLimit = model.IntOf(received - hungUp)
		ok = ok && known
	case noGoal:
	}
	if !ok || !c.ServiceLevel(formula).Known() {
		return
	}
	b, ok := c.ServiceLevelBudget(formula, share)
	x.Budget = &Budget{Abandoned: about == abandonGoal, MissesLeft: b.MissesLeft, CallsToRecover: b.ToRecover, Recoverable: ok}
}

// String returns the result of a condition as users see it: "yes", "no", "n/a" or "unknown".
func (t truth) String() string {
	switch t {
	case yes:
		return "yes"
	case no:
		return "no"
	case notApplicable:
		return "n/a"
	case unknown:
	}
	return "unknown"
}
