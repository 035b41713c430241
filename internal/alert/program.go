package alert

import (
	"errors"
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"wallboard/model"
)

// Limits of an expression. Without loops, bounded length implies bounded time.
const (
	maxSource = 2000 // in bytes
	maxSteps  = 500  // number of nodes, counted each time they are compiled
)

// program is a compiled expression.
type program struct {
	source string
	expression
	inputs        []input
	dependsOnTime bool // the result changes with time alone
	everySecond   bool // the time of the next change cannot be computed
	usesSamples   bool // the result depends on samples
	usesDaily     bool // uses figures counted today
	usesCurrent   bool // uses current or recent figures
}

// expression is a compiled part of an expression. Only the function of its kind is set.
type expression struct {
	kind       kind
	number     numeric
	growthRate growthRate // for a number that changes with time alone
	text       words
	truth      condition
	format     Format
	field      *field // set if the expression is just a name
}

// input is a named value that a program uses.
type input struct {
	label string
	expression
}

// compiler compiles one expression.
type compiler struct {
	lib         *library
	certainOnly bool    // use the certain values of estimates
	extra       []field // additional names
	program     *program
	steps       int
}

// compile compiles an expression of a kind; extra are additional names.
func (l *library) compile(source string, want kind, extra ...field) (*program, *fault) {
	return (&compiler{lib: l, extra: extra, program: &program{source: source}}).compile(source, want)
}

// compileForRule compiles an expression of a rule; it uses only the certain values of
// estimates.
func (l *library) compileForRule(source string, want kind) (*program, *fault) {
	return (&compiler{lib: l, certainOnly: true, program: &program{source: source}}).compile(source, want)
}

func (c *compiler) compile(source string, want kind) (*program, *fault) {
	x, f := c.source(source)
	if f != nil {
		return nil, f
	}
	if x.kind != want {
		return nil, faultAt(0, "this must be %s, but it is %s", want, x.kind)
	}
	c.program.expression = x
	return c.program, nil
}

// source parses and compiles a whole expression.
func (c *compiler) source(text string) (expression, *fault) {
	if len(text) > maxSource {
		return expression{}, faultAt(0, "the expression is longer than %d characters", maxSource)
	}
	// The other defaults of conf.CreateNew are only needed by the checker; they took
	// half of the time to create an engine.
	tree, err := parser.ParseWithConfig(text, &conf.Config{MaxNodes: maxSteps, DisableIfOperator: true})
	if err != nil {
		at, message := 0, err.Error()
		if e, ok := errors.AsType[*file.Error](err); ok {
			at, message = e.From, e.Message
		}
		return expression{}, faultAt(at, "%s", explainSyntax(message))
	}
	return c.node(tree.Node)
}

// node compiles a node of the syntax tree.
func (c *compiler) node(n ast.Node) (expression, *fault) {
	c.steps++
	if c.steps > maxSteps {
		return expression{}, faultAt(n.Location().From, "the expression has more than %d parts", maxSteps)
	}
	switch n := n.(type) {
	case *ast.IntegerNode:
		return constant(float64(n.Value)), nil
	case *ast.FloatNode:
		return constant(n.Value), nil
	case *ast.BoolNode:
		v := truthOf(n.Value)
		return expression{kind: truthKind, truth: func(*frame) truth { return v }}, nil
	case *ast.StringNode:
		v := model.TextOf(n.Value)
		return expression{kind: textKind, text: func(*frame) model.Text { return v }}, nil
	case *ast.IdentifierNode:
		return c.name(n)
	case *ast.UnaryNode:
		return c.unary(n)
	case *ast.BinaryNode:
		return c.binary(n)
	case *ast.ConditionalNode:
		return c.choice(n)
	case *ast.CallNode:
		if callee, ok := n.Callee.(*ast.IdentifierNode); ok {
			return c.call(n, callee.Value, n.Arguments)
		}
	case *ast.BuiltinNode:
		return c.call(n, n.Name, n.Arguments)
	}
	return expression{}, faultAt(n.Location().From, "unsupported construct: %s",
		model.CleanText(n.String(), 40))
}

func constant(v float64) expression {
	f := figure(v)
	return expression{number: func(*frame) model.Figure { return f }}
}

// name compiles a name: an additional one, one of the scope, or a custom KPI.
func (c *compiler) name(n *ast.IdentifierNode) (expression, *fault) {
	at := n.Location().From
	for i := range c.extra {
		if c.extra[i].name == n.Value {
			return c.field(&c.extra[i]), nil
		}
	}
	if f := c.lib.fields[n.Value]; f != nil {
		return c.field(f), nil
	}
	if k := c.lib.custom[n.Value]; k != nil {
		return c.custom(k, at)
	}
	f := faultAt(at, "there is no %s in the scope %s", model.CleanText(n.Value, 40), c.lib.scope)
	f.suggestion = Nearest(n.Value, c.lib.nameList(c.extra))
	return expression{}, f
}

func (c *compiler) field(f *field) expression {
	x := expression{kind: f.kind, number: f.number, growthRate: f.growthRate, text: f.text, truth: f.truth, format: f.format, field: f}
	if c.certainOnly && f.certain != nil {
		x.number = f.certain
	}
	c.program.dependsOnTime = c.program.dependsOnTime || f.growthRate != nil
	c.lib.forecasts.wanted = c.lib.forecasts.wanted || f.isForecast
	c.program.usesDaily = c.program.usesDaily || f.daily
	c.program.usesCurrent = c.program.usesCurrent || !f.daily && !f.identifying
	c.input(f.name, x)
	return x
}

// custom compiles the use of a custom KPI, which is computed only once per record.
func (c *compiler) custom(k *customKPI, at int) (expression, *fault) {
	if c.lib.compileKPI(k); k.program == nil {
		message := "the KPI %s is invalid"
		if k.state == defining {
			message = "the KPI %s refers to itself"
		}
		return expression{}, faultAt(at, message, k.Name)
	}
	c.program.dependsOnTime = c.program.dependsOnTime || k.program.dependsOnTime
	c.program.everySecond = c.program.everySecond || k.program.everySecond
	c.program.usesSamples = c.program.usesSamples || k.program.usesSamples
	c.program.usesDaily, c.program.usesCurrent = c.program.usesDaily || k.program.usesDaily, c.program.usesCurrent || k.program.usesCurrent
	number, slot := k.program.number, k.slot
	x := expression{format: k.format(), growthRate: k.program.growthRate, number: func(f *frame) model.Figure {
		m := &f.memo[slot]
		if m.version != f.version {
			*m = memo{f.version, number(f)}
		}
		return m.value
	}}
	c.input(k.Name, x)
	return x, nil
}

// input records a value that the program uses, once.
func (c *compiler) input(label string, x expression) {
	if !slices.ContainsFunc(c.program.inputs, func(i input) bool { return i.label == label }) {
		c.program.inputs = append(c.program.inputs, input{label, x})
	}
}

// operand compiles an operand that must be of a kind; operator is used in errors.
func (c *compiler) operand(n ast.Node, want kind, operator string) (expression, *fault) {
	x, f := c.node(n)
	if f == nil && x.kind != want {
		f = faultAt(n.Location().From, "%s needs %s, but this is %s", operator, want, x.kind)
	}
	return x, f
}

// choice compiles a ? b : c.
func (c *compiler) choice(n *ast.ConditionalNode) (expression, *fault) {
	cond, f := c.operand(n.Cond, truthKind, "? :")
	if f != nil {
		return expression{}, f
	}
	a, f := c.node(n.Exp1)
	if f != nil {
		return expression{}, f
	}
	b, f := c.operand(n.Exp2, a.kind, "the other side of :")
	if f != nil {
		return expression{}, f
	}
	x := expression{kind: a.kind, format: commonFormat(a, b)}
	switch a.kind {
	case numberKind:
		x.growthRate = conditionalRate(cond, a, b)
		x.number = func(f *frame) model.Figure {
			switch cond.truth(f) {
			case yes:
				return a.number(f)
			case no:
				return b.number(f)
			case notApplicable:
				return model.NotApplicable()
			case unknown:
			}
			return model.Figure{}
		}
	case truthKind:
		x.truth = func(f *frame) truth {
			switch t := cond.truth(f); t {
			case yes:
				return a.truth(f)
			case no:
				return b.truth(f)
			default:
				return t
			}
		}
	case textKind:
		x.text = func(f *frame) model.Text {
			switch cond.truth(f) {
			case yes:
				return a.text(f)
			case no:
				return b.text(f)
			default:
				return model.Text{}
			}
		}
	}
	return x, nil
}

// commonFormat returns the format of a combination of two numbers.
func commonFormat(a, b expression) Format {
	switch {
	case a.format == b.format || b.format == "":
		return a.format
	case a.format == "":
		return b.format
	}
	return Number
}
