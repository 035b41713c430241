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

// Limits of an expression. Because expressions have no loops, limiting their length also limits
// their running time.
const (
	maxSourceLength = 2000 // in bytes
	maxNodes        = 500  // nodes of the syntax tree; a node that is compiled several times counts several times
)

// program is a compiled expression.
type program struct {
	source string
	expression
	inputs        []input
	dependsOnTime bool // the result changes with time alone
	everySecond   bool // the time of the next change cannot be computed
	usesSamples   bool // the result depends on samples
	usesDaily     bool // the expression uses figures counted since the start of the day
	usesCurrent   bool // the expression uses current or recent figures
	usesForecast  bool // the result depends on a forecast
	usesTarget    bool // the result depends on the target of the service level
}

// expression is a compiled part of an expression. Only the function of its kind is set.
type expression struct {
	kind       valueKind
	number     numberFunc
	growthRate growthRate // set for a number that changes with time alone
	text       textFunc
	truth      truthFunc
	format     Format
	field      *field // set if the expression is just a name
}

// input is a named value that a program uses.
type input struct {
	label string
	expression
}

type compiler struct {
	lib         *expressionLibrary
	certainOnly bool    // use only the certain part of an estimate
	extraFields []field // names that only this expression may use
	program     *program
	nodes       int
}

// compile compiles an expression whose value must have the kind want. extra holds names that only
// this expression may use.
func (l *expressionLibrary) compile(source string, want valueKind, extra ...field) (*program, *expressionError) {
	return (&compiler{lib: l, extraFields: extra, program: &program{source: source}}).compile(source, want)
}

// compileForRule compiles an expression of a rule whose value must have the kind want. If a figure is an
// estimate, the expression uses only the certain part of the figure.
func (l *expressionLibrary) compileForRule(source string, want valueKind) (*program, *expressionError) {
	return (&compiler{lib: l, certainOnly: true, program: &program{source: source}}).compile(source, want)
}

func (c *compiler) compile(source string, want valueKind) (*program, *expressionError) {
	x, f := c.compileSource(source)
	if f != nil {
		return nil, f
	}
	if x.kind != want {
		return nil, errorAt(0, "this must be %s, but it is %s", want, x.kind)
	}
	c.program.expression = x
	return c.program, nil
}

// compileSource parses and compiles the text of a whole expression.
func (c *compiler) compileSource(text string) (expression, *expressionError) {
	if len(text) > maxSourceLength {
		return expression{}, errorAt(0, "the expression is longer than %d characters", maxSourceLength)
	}
	// conf.CreateNew would set other defaults that only the checker needs. Setting them took half
	// of the time to create an engine.
	tree, err := parser.ParseWithConfig(text, &conf.Config{MaxNodes: maxNodes, DisableIfOperator: true})
	if err != nil {
		at, message := 0, err.Error()
		if e, ok := errors.AsType[*file.Error](err); ok {
			at, message = e.From, e.Message
		}
		return expression{}, errorAt(at, "%s", explainSyntax(message))
	}
	return c.compileNode(tree.Node)
}

// compileNode compiles a node of the syntax tree.
func (c *compiler) compileNode(n ast.Node) (expression, *expressionError) {
	c.nodes++
	if c.nodes > maxNodes {
		return expression{}, errorAt(n.Location().From, "the expression has more than %d parts", maxNodes)
	}
	switch n := n.(type) {
	case *ast.IntegerNode:
		return constantExpression(float64(n.Value)), nil
	case *ast.FloatNode:
		return constantExpression(n.Value), nil
	case *ast.BoolNode:
		v := truthOf(n.Value)
		return expression{kind: truthKind, truth: func(*evalEnv) truth { return v }}, nil
	case *ast.StringNode:
		v := model.TextOf(n.Value)
		return expression{kind: textKind, text: func(*evalEnv) model.Text { return v }}, nil
	case *ast.IdentifierNode:
		return c.compileName(n)
	case *ast.UnaryNode:
		return c.compileUnary(n)
	case *ast.BinaryNode:
		return c.compileBinary(n)
	case *ast.ConditionalNode:
		return c.compileConditional(n)
	case *ast.CallNode:
		if callee, ok := n.Callee.(*ast.IdentifierNode); ok {
			return c.compileCall(n, callee.Value, n.Arguments)
		}
	case *ast.BuiltinNode:
		return c.compileCall(n, n.Name, n.Arguments)
	}
	return expression{}, errorAt(n.Location().From, "unsupported construct: %s",
		model.CleanText(n.String(), 40))
}

func constantExpression(v float64) expression {
	f := finiteFigure(v)
	return expression{number: func(*evalEnv) model.Figure { return f }}
}

// compileName compiles a name: an extra name of the expression, a name of the scope, or a custom
// KPI.
func (c *compiler) compileName(n *ast.IdentifierNode) (expression, *expressionError) {
	at := n.Location().From
	for i := range c.extraFields {
		if c.extraFields[i].name == n.Value {
			return c.compileField(&c.extraFields[i]), nil
		}
	}
	if f := c.lib.fields[n.Value]; f != nil {
		return c.compileField(f), nil
	}
	if k := c.lib.customByName[n.Value]; k != nil {
		return c.compileCustomKPI(k, at)
	}
	f := errorAt(at, "there is no %s in the scope %s", model.CleanText(n.Value, 40), c.lib.scope)
	f.suggestion = NearestWord(n.Value, c.lib.usableNames(c.extraFields))
	return expression{}, f
}

func (c *compiler) compileField(f *field) expression {
	x := expression{kind: f.kind, number: f.number, growthRate: f.growthRate, text: f.text, truth: f.truth, format: f.format, field: f}
	if c.certainOnly && f.certainNumber != nil {
		x.number = f.certainNumber
	}
	c.program.dependsOnTime = c.program.dependsOnTime || f.growthRate != nil
	c.lib.forecasts.isNeeded = c.lib.forecasts.isNeeded || f.isForecast
	c.program.usesForecast = c.program.usesForecast || f.isForecast
	c.program.usesTarget = c.program.usesTarget || f.usesTarget
	c.program.usesDaily = c.program.usesDaily || f.isDaily
	c.program.usesCurrent = c.program.usesCurrent || !f.isDaily && !f.isIdentifying
	c.recordInput(f.name, x)
	return x
}

// compileCustomKPI compiles the use of a custom KPI. The value of the KPI is computed once per
// frame.
func (c *compiler) compileCustomKPI(k *customKPI, at int) (expression, *expressionError) {
	if c.lib.compileKPI(k); k.program == nil {
		message := "the KPI %s is invalid"
		if k.compileState == compiling {
			message = "the KPI %s refers to itself"
		}
		return expression{}, errorAt(at, message, k.Name)
	}
	c.program.dependsOnTime = c.program.dependsOnTime || k.program.dependsOnTime
	c.program.everySecond = c.program.everySecond || k.program.everySecond
	c.program.usesSamples = c.program.usesSamples || k.program.usesSamples
	c.program.usesForecast = c.program.usesForecast || k.program.usesForecast
	c.program.usesTarget = c.program.usesTarget || k.program.usesTarget
	c.program.usesDaily, c.program.usesCurrent = c.program.usesDaily || k.program.usesDaily, c.program.usesCurrent || k.program.usesCurrent
	number, slot := k.program.number, k.slot
	x := expression{format: k.format(), growthRate: k.program.growthRate, number: func(f *evalEnv) model.Figure {
		m := &f.memo[slot]
		if m.version != f.version {
			*m = cachedKPI{f.version, number(f)}
		}
		return m.value
	}}
	c.recordInput(k.Name, x)
	return x, nil
}

// recordInput adds the value x to the inputs of the program, unless it is already there.
func (c *compiler) recordInput(label string, x expression) {
	if !slices.ContainsFunc(c.program.inputs, func(i input) bool { return i.label == label }) {
		c.program.inputs = append(c.program.inputs, input{label, x})
	}
}

func (c *compiler) compileOperand(n ast.Node, want valueKind, operator string) (expression, *expressionError) {
	x, f := c.compileNode(n)
	if f == nil && x.kind != want {
		f = errorAt(n.Location().From, "%s needs %s, but this is %s", operator, want, x.kind)
	}
	return x, f
}

// compileConditional compiles a ? b : c.
func (c *compiler) compileConditional(n *ast.ConditionalNode) (expression, *expressionError) {
	cond, f := c.compileOperand(n.Cond, truthKind, "? :")
	if f != nil {
		return expression{}, f
	}
	a, f := c.compileNode(n.Exp1)
	if f != nil {
		return expression{}, f
	}
	b, f := c.compileOperand(n.Exp2, a.kind, "the other side of :")
	if f != nil {
		return expression{}, f
	}
	x := expression{kind: a.kind, format: commonFormat(a, b)}
	switch a.kind {
	case numberKind:
		x.growthRate = conditionalRate(cond, a, b)
		x.number = func(f *evalEnv) model.Figure {
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
		x.truth = func(f *evalEnv) truth {
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
		x.text = func(f *evalEnv) model.Text {
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

// commonFormat returns the format of a number computed from a and b. It is Number if both have a
// format and the formats differ.
func commonFormat(a, b expression) Format {
	switch {
	case a.format == b.format || b.format == "":
		return a.format
	case a.format == "":
		return b.format
	}
	return Number
}
