package alert

import (
	"slices"
	"time"

	"wallboard/internal/alert/breaks"
	"wallboard/model"
	"wallboard/model/kpi"
)

// Limits of the number of definitions in one scope. They bound the memory for each record.
const (
	maxKPIs    = 200
	maxRules   = 100
	maxWindows = 100
)

// expressionLibrary holds the data that the expressions of one scope share: the names, the custom KPIs, and
// the series that are sampled for windows.
type expressionLibrary struct {
	scope Scope
	// subscriptions lists the operations from which the records come.
	subscriptions []model.Op

	fields        map[string]*field
	names         []string // keys of fields, in the order of fieldsOf
	customByName  map[string]*customKPI
	customKPIs    []*customKPI
	series        []sampledFigure
	windows       []window
	breaks        *breaks.Allowances // limits for kinds of breaks
	reportProblem func(*Problem)

	forecasts *Forecasts
	charted   []KPI // result of Engine.ChartedKPIs; nil until its first call
}

// sampledFigure is a number that is sampled for each record of a scope.
type sampledFigure struct {
	source    string // text of the expression
	number    numberFunc
	isCounter bool // the number only grows, but may restart at 0
}

// customKPI is a KPI of [Options] with its compiled expression.
type customKPI struct {
	KPI
	index        int // position of the KPI in [Options]
	slot         int // index of the KPI in evalEnv.memo
	compileState compileState
	program      *program // nil until the expression is compiled without errors
}

type compileState uint8

const (
	notCompiled compileState = iota
	compiling
	compiled
)

// format returns the format of the KPI or, if the KPI has none, of its expression.
func (k *customKPI) format() Format {
	if k.Format != "" {
		return k.Format
	}
	if k.program != nil && k.program.format != "" {
		return k.program.format
	}
	return Number
}

func newLibrary(s Scope, report func(*Problem)) *expressionLibrary {
	l := &expressionLibrary{
		scope: s, subscriptions: s.Subscriptions(), reportProblem: report, forecasts: new(Forecasts),
		fields: make(map[string]*field), customByName: make(map[string]*customKPI),
	}
	fs := fieldsOf(s)
	for i := range fs {
		fs[i].markPresumed()
		l.fields[fs[i].name] = &fs[i]
		l.names = append(l.names, fs[i].name)
	}
	return l
}

// addKPI adds a custom KPI and reports its problems. index is the position of the KPI in [Options].
func (l *expressionLibrary) addKPI(k KPI, index int) {
	problem := func(field, message string) {
		l.reportProblem(&Problem{Section: "kpi", Index: index, Name: k.Name, Field: field, Message: message})
	}
	k.BuiltIn, k.Title = false, model.CleanText(k.Title, model.MaxName)
	switch {
	case !isIdentifier(k.Name):
		problem("name", "a name starts with a letter and consists of letters, digits and _, at most 40")
		return
	case l.fields[k.Name] != nil, slices.Contains(functionNames(), k.Name):
		problem("name", "the name is already used by the board")
		return
	case l.customByName[k.Name] != nil:
		problem("name", "there are two KPIs of that name in the scope "+string(l.scope))
		return
	case len(l.customKPIs) == maxKPIs:
		problem("name", "there are too many KPIs in the scope "+string(l.scope))
		return
	}
	if k.Format != "" && !slices.Contains(Formats(), k.Format) {
		problem("format", "the format is number, percent or duration")
	}
	if k.Direction != "" && !slices.Contains(Directions(), k.Direction) {
		problem("direction", "the direction is lower or higher, whichever is better")
	}
	own := &customKPI{KPI: k, index: index, slot: len(l.customKPIs)}
	l.customByName[k.Name] = own
	l.customKPIs = append(l.customKPIs, own)
}

func isIdentifier(s string) bool {
	if s == "" || len(s) > 40 {
		return false
	}
	for i, r := range s {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	switch s {
	case "true", "false", "nil", "in", "and", "or", "not", "let", "if", "else",
		"matches", "contains", "startsWith", "endsWith":
		return false
	}
	return true
}

// compileKPI compiles the expression of a custom KPI and reports an error in it. It does nothing if
// the KPI is already compiled or being compiled.
func (l *expressionLibrary) compileKPI(k *customKPI) {
	if k.compileState != notCompiled {
		return
	}
	k.compileState = compiling
	p, f := l.compile(k.Expr, numberKind)
	k.compileState = compiled
	if f != nil {
		l.reportExpressionError(&Problem{Section: "kpi", Index: k.index, Name: k.Name, Field: "expr"}, k.Expr, f)
		return
	}
	k.program = p
}

// reportExpressionError adds the message and the position of the error f in an expression to p, and reports
// p.
func (l *expressionLibrary) reportExpressionError(p *Problem, source string, f *expressionError) {
	p.Message, p.Suggestion = f.message, f.suggestion
	p.Line, p.Column = lineAndColumn(source, f.offset)
	l.reportProblem(p)
}

// usableNames returns all names that an expression may use.
func (l *expressionLibrary) usableNames(extra []field) []string {
	out := slices.Clone(l.names)
	for _, k := range l.customKPIs {
		out = append(out, k.Name)
	}
	for i := range extra {
		out = append(out, extra[i].name)
	}
	return out
}

// addSeries returns the index of the series of the expression text. It adds the series if it is
// missing.
func (l *expressionLibrary) addSeries(text string, n numberFunc, counter bool) int {
	i := slices.IndexFunc(l.series, func(s sampledFigure) bool { return s.source == text && s.isCounter == counter })
	if i < 0 {
		i = len(l.series)
		l.series = append(l.series, sampledFigure{text, n, counter})
	}
	return i
}

// addWindow returns the index of the window w. It adds the window if it is missing. It returns -1
// if there are too many windows.
func (l *expressionLibrary) addWindow(w window) int {
	if i := slices.Index(l.windows, w); i >= 0 {
		return i
	}
	if len(l.windows) == maxWindows {
		return -1
	}
	l.windows = append(l.windows, w)
	return len(l.windows) - 1
}

// sampleKPIs adds a series for every KPI and for the counts that charts show. For users it adds
// only custom KPIs, because there are too many users.
func (l *expressionLibrary) sampleKPIs() {
	for _, name := range l.names {
		f := l.fields[name]
		if l.scope != User && (f.kpi != nil || isChartedCount(kpi.FigureNamed(name), l.scope)) {
			l.addSeries(name, f.number, f.isCounter)
		}
	}
	for _, k := range l.customKPIs {
		if k.program != nil {
			x, _ := (&compiler{lib: l, program: &program{}}).compileCustomKPI(k, 0)
			l.addSeries(k.Name, x.number, false)
		}
	}
}

// samplesOften reports whether samples are taken every fineStep and not only every coarseStep.
func (l *expressionLibrary) samplesOften() bool { return l.scope != User }

// shortestWindow returns the shortest window that an expression may use.
func (l *expressionLibrary) shortestWindow() time.Duration {
	if l.samplesOften() {
		return time.Minute
	}
	return 2 * time.Minute
}

// findKPI returns the definition and the program of a custom KPI or of any number of the scope. It
// returns nil for both if the name does not exist or if the custom KPI has an error.
func (l *expressionLibrary) findKPI(name string) (*KPI, *program) {
	if k := l.customByName[name]; k != nil && k.program != nil {
		def := k.KPI
		def.Format = k.format()
		def.FromSnapshot = !k.program.usesSamples && !k.program.usesForecast && !k.program.dependsOnTime && !k.program.everySecond
		return &def, k.program
	}
	f := l.fields[name]
	if f == nil || f.kind != numberKind {
		return nil, nil
	}
	def := KPI{Name: name, Scope: l.scope, Expr: name, Format: f.format, BuiltIn: true}
	if f.kpi != nil {
		def = *f.kpi
	}
	if def.Format == "" {
		def.Format = Number
	}
	p := &program{source: name, dependsOnTime: f.growthRate != nil, expression: expression{number: f.number, growthRate: f.growthRate, format: f.format, field: f}}
	return &def, p
}

// cachedKPI caches the value of a KPI for one frame.
type cachedKPI struct {
	version uint64
	value   model.Figure
}

// evalEnv is the environment of a program: a record at a time.
type evalEnv struct {
	library   *expressionLibrary
	record    any
	row       *row
	goal      *Goal
	now       time.Time
	version   uint64  // increases whenever the record, the targets or the time change
	changesAt instant // when results may change without new data; 0: never
	memo      []cachedKPI
	presumed  model.Presumed // times of the snapshot whose unit is presumed
	forecasts *Forecasts

	// The remaining fields are for messages.
	title      string
	value      model.Figure
	spelledOut bool // true if messages spell figures out in words
}
