package alert

import (
	"slices"

	"github.com/expr-lang/expr/ast"

	"wallboard/model"
)

// compileUnary compiles an operator with one operand.
func (c *compiler) compileUnary(n *ast.UnaryNode) (expression, *expressionError) {
	switch n.Operator {
	case "not", "!":
		x, f := c.compileOperand(n.Node, truthKind, n.Operator)
		if f != nil {
			return expression{}, f
		}
		return expression{kind: truthKind, truth: func(f *evalEnv) truth { return x.truth(f).not() }}, nil
	case "-", "+":
		x, f := c.compileOperand(n.Node, numberKind, n.Operator)
		if f != nil || n.Operator == "+" {
			return x, f
		}
		return expression{format: x.format, growthRate: combinedRate(expression{}, x, func(a, b float64) float64 { return a - b }), number: func(f *evalEnv) model.Figure {
			v := x.number(f)
			if n, ok := v.Get(); ok {
				return model.FigureOf(-n)
			}
			return v
		}}, nil
	}
	return expression{}, errorAt(n.Location().From, "unsupported operator %s", n.Operator)
}

// compileBinary compiles an operator with two operands.
func (c *compiler) compileBinary(n *ast.BinaryNode) (expression, *expressionError) {
	switch n.Operator {
	case "+", "-", "*", "/":
		return c.compileArithmetic(n)
	case "<", "<=", ">", ">=":
		return c.compileComparison(n)
	case "==", "!=":
		return c.compileEquality(n)
	case "and", "&&", "or", "||":
		return c.compileAndOr(n)
	case "in":
		return c.compileMembership(n)
	}
	return expression{}, errorAt(n.Location().From, "unsupported operator %s", n.Operator)
}

// compileOperands compiles the two operands of n, which must both be of the kind want.
func (c *compiler) compileOperands(n *ast.BinaryNode, want valueKind) (a, b expression, f *expressionError) {
	if a, f = c.compileOperand(n.Left, want, n.Operator); f != nil {
		return a, b, f
	}
	b, f = c.compileOperand(n.Right, want, n.Operator)
	return a, b, f
}

func (c *compiler) compileArithmetic(n *ast.BinaryNode) (expression, *expressionError) {
	a, b, f := c.compileOperands(n, numberKind)
	if f != nil {
		return expression{}, f
	}
	var op func(x, y float64) model.Figure
	x := expression{}
	switch n.Operator {
	case "+":
		op, x.format = func(x, y float64) model.Figure { return finiteFigure(x + y) }, commonFormat(a, b)
		x.growthRate = combinedRate(a, b, func(a, b float64) float64 { return a + b })
	case "-":
		op, x.format = func(x, y float64) model.Figure { return finiteFigure(x - y) }, commonFormat(a, b)
		x.growthRate = combinedRate(a, b, func(a, b float64) float64 { return a - b })
	case "*":
		op = func(x, y float64) model.Figure { return finiteFigure(x * y) }
		switch itself := func(v float64) float64 { return v }; {
		case a.growthRate != nil && b.growthRate != nil:
			c.program.everySecond = true
		case a.growthRate != nil:
			x.growthRate = scaledRate(a, b, itself)
		case b.growthRate != nil:
			x.growthRate = scaledRate(b, a, itself)
		}
	default:
		op = func(x, y float64) model.Figure {
			if y == 0 {
				return model.NotApplicable()
			}
			return finiteFigure(x / y)
		}
		if b.growthRate != nil {
			c.program.everySecond = true
		} else if a.growthRate != nil {
			x.growthRate = scaledRate(a, b, func(v float64) float64 { return 1 / v })
		}
	}
	x.number = func(f *evalEnv) model.Figure {
		left, right := a.number(f), b.number(f)
		x, okX := left.Get()
		y, okY := right.Get()
		if !okX || !okY {
			return unknownOrNA(left, right)
		}
		return op(x, y)
	}
	return x, nil
}

func (c *compiler) compileComparison(n *ast.BinaryNode) (expression, *expressionError) {
	a, b, f := c.compileOperands(n, numberKind)
	if f != nil {
		return expression{}, f
	}
	var op func(x, y float64) bool
	switch n.Operator {
	case "<":
		op = func(x, y float64) bool { return x < y }
	case "<=":
		op = func(x, y float64) bool { return x <= y }
	case ">":
		op = func(x, y float64) bool { return x > y }
	default:
		op = func(x, y float64) bool { return x >= y }
	}
	return expression{kind: truthKind, truth: comparison(a, b, op)}, nil
}

// comparison returns a condition about two numbers.
func comparison(a, b expression, op func(x, y float64) bool) truthFunc {
	meets := crossingRecorder(a, b)
	return func(f *evalEnv) truth {
		left, right := a.number(f), b.number(f)
		x, okX := left.Get()
		y, okY := right.Get()
		if !okX || !okY {
			return unknownOrNATruth(unknownOrNA(left, right))
		}
		meets(f, x, y)
		return truthOf(op(x, y))
	}
}

func (c *compiler) compileEquality(n *ast.BinaryNode) (expression, *expressionError) {
	a, f := c.compileNode(n.Left)
	if f != nil {
		return expression{}, f
	}
	b, f := c.compileOperand(n.Right, a.kind, n.Operator)
	if f != nil {
		return expression{}, f
	}
	x := expression{kind: truthKind}
	switch a.kind {
	case numberKind:
		x.truth = comparison(a, b, func(x, y float64) bool { return x == y })
	case textKind:
		x.truth = func(f *evalEnv) truth {
			left, okLeft := a.text(f).Get()
			right, okRight := b.text(f).Get()
			if !okLeft || !okRight {
				return unknown
			}
			return truthOf(left == right)
		}
	case truthKind:
		x.truth = func(f *evalEnv) truth {
			left, right := a.truth(f), b.truth(f)
			return left.and(right).or(left.not().and(right.not()))
		}
	}
	if n.Operator == "!=" {
		equal := x.truth
		x.truth = func(f *evalEnv) truth { return equal(f).not() }
	}
	return x, nil
}

func (c *compiler) compileAndOr(n *ast.BinaryNode) (expression, *expressionError) {
	a, b, f := c.compileOperands(n, truthKind)
	if f != nil {
		return expression{}, f
	}
	x := expression{kind: truthKind}
	if n.Operator == "and" || n.Operator == "&&" {
		x.truth = func(f *evalEnv) truth {
			left := a.truth(f)
			if left == no {
				return no
			}
			return left.and(b.truth(f))
		}
		return x, nil
	}
	x.truth = func(f *evalEnv) truth {
		left := a.truth(f)
		if left == yes {
			return yes
		}
		return left.or(b.truth(f))
	}
	return x, nil
}

// compileMembership compiles: text in ["A", "B"].
func (c *compiler) compileMembership(n *ast.BinaryNode) (expression, *expressionError) {
	a, f := c.compileOperand(n.Left, textKind, "in")
	if f != nil {
		return expression{}, f
	}
	list, ok := n.Right.(*ast.ArrayNode)
	if !ok {
		return expression{}, errorAt(n.Right.Location().From, `in needs a list of texts, such as ["A", "B"]`)
	}
	var texts []string
	for _, e := range list.Nodes {
		s, ok := e.(*ast.StringNode)
		if !ok {
			return expression{}, errorAt(e.Location().From, "the list after in may contain only texts in quotes")
		}
		texts = append(texts, s.Value)
	}
	return expression{kind: truthKind, truth: func(f *evalEnv) truth {
		s, ok := a.text(f).Get()
		if !ok {
			return unknown
		}
		return truthOf(slices.Contains(texts, s))
	}}, nil
}
