package alert

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"wallboard/model"
)

// maxRuleDuration limits [Rule.For] to the time for which samples are kept.
const maxRuleDuration = coarseSpan

// rule is a compiled [Rule].
type rule struct {
	Rule
	index            int // position of the rule in [Options]
	when, recover    *program
	value            *program
	base, calls      *program // nil if the rule has none
	kpi              *KPI     // the KPI that Rule.KPI names, or nil
	format           Format
	recoveryDistance float64 // distance from a threshold to the recovery level
	message          *message
	dependsOnTime    bool
	everySecond      bool // the rule must be judged every second
	usesSamples      bool
}

// compileRule compiles a rule and reports its problems. If there are any, it returns nil.
func (l *expressionLibrary) compileRule(def Rule, index int) *rule {
	r := &rule{Rule: def, index: index}
	sound := true
	problem := func(field, message string) {
		sound = false
		l.reportProblem(&Problem{Section: "alert", Index: index, Name: def.Name, Field: field, Message: message})
	}
	compile := func(field, source string, want valueKind) *program {
		p, f := l.compileForRule(source, want)
		if f != nil {
			sound = false
			l.reportExpressionError(&Problem{Section: "alert", Index: index, Name: def.Name, Field: field}, source, f)
			return nil
		}
		r.dependsOnTime = r.dependsOnTime || p.dependsOnTime
		r.everySecond = r.everySecond || p.everySecond
		r.usesSamples = r.usesSamples || p.usesSamples
		return p
	}
	if strings.TrimSpace(def.Name) == "" || len(def.Name) > 80 || model.CleanText(def.Name, 80) != def.Name {
		problem("name", "a name has 1 to 80 printable characters")
	}
	if len(def.Message) > maxSourceLength {
		problem("message", "the message is too long")
	}
	if def.For < 0 || def.For > maxRuleDuration {
		problem("for", "the duration is between 0 and "+maxRuleDuration.String())
	}
	switch {
	case (def.When == "") == (def.KPI == ""):
		problem("when", "a rule has either when or kpi")
		return nil
	case def.When != "":
		if def.Severity != Warning && def.Severity != Critical {
			problem("severity", "the severity is warning or critical")
		}
		r.when = compile("when", def.When, truthKind)
		if def.Recover != "" {
			r.recover = compile("recover", def.Recover, truthKind)
		}
	default:
		if def.Recover != "" {
			problem("recover", "a rule with kpi has a recovery level, not a condition")
		}
		r.compileFigure(l, compile, problem)
	}
	m, f := r.compileText(l)
	if f != nil {
		sound = false
		l.reportExpressionError(&Problem{Section: "alert", Index: index, Name: def.Name, Field: "message"}, def.Message, f)
	}
	if r.message = m; !sound {
		return nil
	}
	r.everySecond = r.needsEverySecond()
	return r
}

// isDaily reports whether the rule judges only figures of the day and is not marked as
// ActionableNow.
func (r *rule) isDaily() bool {
	return !r.ActionableNow && (r.when.usesOnlyDaily() || r.value.usesOnlyDaily())
}

// usesOnlyDaily reports whether a program uses only figures counted since the start of the day. It
// is false for a nil program.
func (p *program) usesOnlyDaily() bool { return p != nil && p.usesDaily && !p.usesCurrent }

// compileFigure compiles the expressions of a rule with thresholds. compile compiles the expression
// of a field and reports its errors. problem reports any other error in a field.
func (r *rule) compileFigure(l *expressionLibrary, compile func(field, source string, want valueKind) *program, problem func(field, message string)) {
	if r.value = compile("kpi", r.KPI, numberKind); r.value != nil {
		r.checkThresholds(l, problem)
	}
	if r.Base != "" {
		r.base = compile("base", r.Base, numberKind)
	}
	if source := r.callsSource(problem); source != "" {
		r.calls = compile("calls", source, numberKind)
	}
}

// checkThresholds checks the thresholds and sets the format, the direction and the recovery
// distance of the rule.
func (r *rule) checkThresholds(l *expressionLibrary, problem func(field, message string)) {
	r.kpi, _ = l.findKPI(strings.TrimSpace(r.KPI))
	if r.format = r.value.format; r.kpi != nil {
		r.format = r.kpi.Format
	}
	t := &r.Thresholds
	warning, hasWarning := t.Warning.Get()
	critical, hasCritical := t.Critical.Get()
	if !hasWarning && !hasCritical {
		problem("warning", "a rule with kpi needs a warning or a critical level")
		return
	}
	if r.Direction == "" && r.kpi != nil {
		r.Direction = r.kpi.Direction
	}
	if r.Direction == "" && hasWarning && hasCritical && warning != critical {
		r.Direction = LowerIsBetter
		if critical < warning {
			r.Direction = HigherIsBetter
		}
	}
	switch {
	case !slices.Contains(Directions(), r.Direction):
		problem("direction", "say which values are better: lower or higher")
		return
	case hasWarning && hasCritical && r.isWorse(warning, critical):
		problem("critical", "the critical level is worse than the warning level")
		return
	}
	nearest := warning
	if !hasWarning {
		nearest = critical
	}
	if back, ok := t.Recovery.Get(); ok {
		if r.isWorse(back, nearest) {
			problem("recovery", "the recovery level is better than the level that it belongs to")
		}
		r.recoveryDistance = math.Abs(nearest - back)
	}
}

// isWorse reports whether value a is worse than value b.
func (r *rule) isWorse(a, b float64) bool {
	if r.Direction == HigherIsBetter {
		return a < b
	}
	return a > b
}

// compileText compiles the message of the rule.
func (r *rule) compileText(l *expressionLibrary) (*message, *expressionError) {
	extra := messageFields(r.format, r.value != nil)
	if r.Message == "" && r.Text != nil {
		return l.compileText(r.Text, extra)
	}
	return l.compileMessage(r.messageTemplate(), extra)
}

// messageTemplate returns the template of the rule's message, or a default with the name and the
// value.
func (r *rule) messageTemplate() string {
	name := r.Name
	if name == r.KPI { // the rule is named after its figure
		name = model.SplitCamelCase(name)
	}
	name = strings.NewReplacer("{", "{{", "}", "}}").Replace(name)
	if r.value != nil {
		name += " {value}"
	}
	return cmp.Or(r.Message, titlePrefix+name)
}

// matches reports whether the rule applies to a record, and whether it lists the record's code.
func (r *rule) matches(k Key) (applies, named bool) {
	if len(r.Channels) > 0 && !slices.Contains(r.Channels, k.Channel) {
		return false, false
	}
	named = slices.Contains(r.Codes, k.Code)
	return named || len(r.Codes) == 0, named
}

func (r *rule) violates(v float64, threshold model.Float) bool {
	t, ok := threshold.Get()
	if r.Direction == HigherIsBetter {
		return ok && v < t
	}
	return ok && v >= t
}

// hasRecovered reports whether the value v no longer violates the threshold and is better by at
// least the recovery distance of the rule. It returns true for an unknown threshold.
func (r *rule) hasRecovered(v float64, threshold model.Float) bool {
	t, ok := threshold.Get()
	switch {
	case !ok:
		return true
	case r.recoveryDistance == 0:
		return !r.violates(v, threshold)
	case r.Direction == HigherIsBetter:
		return v >= t+r.recoveryDistance
	}
	return v <= t-r.recoveryDistance
}

// callsSource returns the expression for the number of calls, or "" if the rule does not depend on
// one.
func (r *rule) callsSource(problem func(field, message string)) string {
	switch {
	case r.MinCalls < 0 || r.MinExcessMisses < 0:
		problem("min_calls", "the number of calls is at least 0")
		return ""
	case r.MinCalls == 0 && r.MinExcessMisses == 0:
		return ""
	case r.Calls != "":
		return r.Calls
	}
	source := map[Scope]string{
		Service: "receivedCalls", Group: "receivedCalls", Floor: "receivedCalls",
		User: "numberCallFromService", Campaign: "startedCalls",
	}[r.Scope]
	if source == "" {
		problem("min_calls", "the scope "+string(r.Scope)+" has no calls")
	}
	return source
}

// levelFor returns the level that a record should have. present is its current level. certain is false
// if values are unknown, so that the level cannot be determined.
func (r *rule) levelFor(f *evalEnv, present Level) (level Level, certain bool) {
	if r.when != nil {
		return r.judgeCondition(f, present)
	}
	f.value = r.value.number(f)
	v, ok := f.value.Get()
	if !ok {
		return Normal, f.value.IsNotApplicable()
	}
	if r.base != nil {
		base := r.base.number(f)
		b, ok := base.Get()
		if !ok {
			return Normal, base.IsNotApplicable()
		}
		v -= b
	}
	v += r.toleratedShift(f.goal.Tolerance)
	n := math.Inf(1)
	if r.calls != nil {
		calls := r.calls.number(f)
		if n, ok = calls.Get(); !ok || n < float64(r.MinCalls) {
			return Normal, ok || calls.IsNotApplicable()
		}
	}
	r.recordCrossings(f, v, n)
	for l := Critical; l > Normal; l-- {
		t := r.Thresholds.level(l)
		if r.violates(v, t) && (present >= l || r.isSignificant(v, t, n)) || present >= l && !r.hasRecovered(v, t) {
			return l, true
		}
	}
	return Normal, true
}

// isSignificant reports whether a share of n calls differs from a threshold by at least MinExcessMisses
// calls.
func (r *rule) isSignificant(v float64, threshold model.Float, n float64) bool {
	const whole = 1e-9 // tolerance for rounding: 0.15 * 20 is slightly less than 3
	t, _ := threshold.Get()
	return r.MinExcessMisses == 0 || math.Abs(v-t)*n >= float64(r.MinExcessMisses)-whole
}

func (r *rule) judgeCondition(f *evalEnv, present Level) (level Level, certain bool) {
	f.value = model.Figure{}
	switch r.when.truth(f) {
	case yes:
		return r.Severity, true
	case unknown:
		return Normal, false
	case notApplicable:
		return Normal, true
	case no:
	}
	if present == Normal || r.recover == nil {
		return Normal, true
	}
	switch r.recover.truth(f) {
	case no:
		return present, true
	case unknown:
		return Normal, false
	case yes, notApplicable:
	}
	return Normal, true
}

// laterTime returns the later of two times.
func laterTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
