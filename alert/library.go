package alert

import (
	"slices"
	"time"

	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/model/pause"
)

// Limits of the definitions of one scope, which bound what a record needs.
const (
	maxKPIs    = 200
	maxRules   = 100
	maxWindows = 100
)

// library is what the expressions of one scope have in common: the names, the
// KPIs of one's own and the samples that windows need.
type library struct {
	scope Scope
	// subscriptions are those that the records come from.
	subscriptions []model.Op

	fields  map[string]*field
	names   []string // of fields, in their order
	own     map[string]*ownKPI
	order   []*ownKPI
	series  []series
	windows []window
	breaks  *pause.Book // what kinds of breaks may take
	report  func(*Problem)
}

// series is a number that samples are taken of.
type series struct {
	text    string // the expression
	number  numeric
	counter bool // it is counted on when it starts again
}

// ownKPI is a KPI of one's own.
type ownKPI struct {
	KPI
	index   int // in [Options]
	slot    int // in frame.memo
	state   defined
	program *program // nil until it is compiled without a problem
}

type defined uint8

const (
	undefined defined = iota
	defining
	done
)

// format returns the format of a KPI: its own, or that of what it is made of.
func (k *ownKPI) format() Format {
	if k.Format != "" {
		return k.Format
	}
	if k.program != nil && k.program.format != "" {
		return k.program.format
	}
	return Number
}

func newLibrary(s Scope, report func(*Problem)) *library {
	l := &library{
		scope: s, subscriptions: s.Subscriptions(), report: report,
		fields: make(map[string]*field), own: make(map[string]*ownKPI),
	}
	fs := fieldsOf(s)
	for i := range fs {
		fs[i].marked()
		l.fields[fs[i].name] = &fs[i]
		l.names = append(l.names, fs[i].name)
	}
	return l
}

// add takes in the KPI of one's own with an index in [Options].
func (l *library) add(k KPI, index int) {
	problem := func(field, message string) {
		l.report(&Problem{Section: "kpi", Index: index, Name: k.Name, Field: field, Message: message})
	}
	k.BuiltIn, k.Title = false, model.CleanText(k.Title, model.MaxName)
	switch {
	case !isWord(k.Name):
		problem("name", "a name begins with a letter and has letters, digits and _ only, 40 at most")
		return
	case l.fields[k.Name] != nil, slices.Contains(functions(), k.Name):
		problem("name", "the name is taken by the board")
		return
	case l.own[k.Name] != nil:
		problem("name", "there are two KPIs of that name in the scope "+string(l.scope))
		return
	case len(l.order) == maxKPIs:
		problem("name", "there are too many KPIs in the scope "+string(l.scope))
		return
	}
	if k.Format != "" && !slices.Contains(Formats(), k.Format) {
		problem("format", "the format is number, percent or duration")
	}
	if k.Direction != "" && !slices.Contains(Directions(), k.Direction) {
		problem("direction", "the direction is lower or higher, whichever is better")
	}
	own := &ownKPI{KPI: k, index: index, slot: len(l.order)}
	l.own[k.Name] = own
	l.order = append(l.order, own)
}

// isWord reports whether a name can be used in an expression.
func isWord(s string) bool {
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

// define compiles a KPI of one's own, once.
func (l *library) define(k *ownKPI) {
	if k.state != undefined {
		return
	}
	k.state = defining
	p, f := l.compile(k.Expr, numberKind)
	k.state = done
	if f != nil {
		l.fault(&Problem{Section: "kpi", Index: k.index, Name: k.Name, Field: "expr"}, k.Expr, f)
		return
	}
	k.program = p
}

// fault reports what is wrong in an expression.
func (l *library) fault(p *Problem, source string, f *fault) {
	p.Message, p.Suggestion = f.message, f.suggestion
	p.Line, p.Column = place(source, f.at)
	l.report(p)
}

// words returns all names that an expression may use.
func (l *library) words(extra []field) []string {
	out := slices.Clone(l.names)
	for _, k := range l.order {
		out = append(out, k.Name)
	}
	for i := range extra {
		out = append(out, extra[i].name)
	}
	return out
}

// sample makes sure that samples are taken of a number and returns its place.
func (l *library) sample(text string, n numeric, counter bool) int {
	i := slices.IndexFunc(l.series, func(s series) bool { return s.text == text && s.counter == counter })
	if i < 0 {
		i = len(l.series)
		l.series = append(l.series, series{text, n, counter})
	}
	return i
}

// window returns the place of a window, or -1 when there are too many.
func (l *library) window(w window) int {
	if i := slices.Index(l.windows, w); i >= 0 {
		return i
	}
	if len(l.windows) == maxWindows {
		return -1
	}
	l.windows = append(l.windows, w)
	return len(l.windows) - 1
}

// sampleKPIs takes samples of every KPI, of the counts that charts are drawn of,
// and of what [Engine.Explain] compares.
// Of users only those of one's own: there are thousands of them.
func (l *library) sampleKPIs() {
	counts := charted(l.scope)
	for _, name := range l.names {
		f := l.fields[name]
		isCharted := slices.ContainsFunc(counts, func(f kpi.Figure) bool { return f.Name == name })
		if l.scope != User && (f.kpi != nil || isCharted || slices.Contains(compared(), name)) {
			l.sample(name, f.number, f.counter)
		}
	}
	for _, k := range l.order {
		if k.program != nil {
			x, _ := (&compiler{lib: l, out: &program{}}).own(k, 0)
			l.sample(k.Name, x.number, false)
		}
	}
}

// fine reports whether samples are taken every [fineStep] and not every
// [coarseStep] only.
func (l *library) fine() bool { return l.scope != User }

// shortest is the shortest window.
func (l *library) shortest() time.Duration {
	if l.fine() {
		return time.Minute
	}
	return 2 * time.Minute
}

// kpi returns the definition of a KPI, or nil.
func (l *library) kpi(name string) (*KPI, *program) {
	if k := l.own[name]; k != nil && k.program != nil {
		def := k.KPI
		def.Format = k.format()
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
	p := &program{source: name, clocked: f.pace != nil, expression: expression{number: f.number, pace: f.pace, format: f.format, field: f}}
	return &def, p
}

// memo is a KPI's value for one frame.
type memo struct {
	stamp uint64
	value model.Figure
}

// frame is what a program computes from: one record at one time.
type frame struct {
	lib   *library
	rec   any
	row   *row
	goal  *Goal
	now   time.Time
	stamp uint64  // another one for every record and time
	until instant // from when on time alone may change what was computed; 0: never
	memo  []memo
	// presumed are the times of the picture whose unit is presumed.
	presumed model.Presumed

	// Of messages only.
	title string
	value model.Figure
	words bool // figures are in words
}
