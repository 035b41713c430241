package alert

import (
	"math"
	"slices"
	"time"

	"github.com/expr-lang/expr/ast"

	"wallboard/model"
)

func functionNames() []string {
	return []string{
		"rate", "delta", "avg", "max", "min", "known", "customStats",
		"notReadyUsersOnActivityCode", "activityCodeIndicators", "timeInActivityCode",
	}
}

// compileCall compiles a function call.
func (c *compiler) compileCall(n ast.Node, name string, args []ast.Node) (expression, *expressionError) {
	at := n.Location().From
	switch name {
	case "known":
		return c.compileKnown(at, args)
	case "rate", "delta", "avg", "max", "min":
		if len(args) != 2 {
			return expression{}, errorAt(at, `%s needs two arguments, such as %s(receivedCalls, "15m")`, name, name)
		}
		span, isWindow := args[1].(*ast.StringNode)
		switch {
		case isWindow:
			return c.compileWindow(n, name, args[0], span)
		case name == "max" || name == "min":
			return c.compileExtreme(name, args)
		}
		return expression{}, errorAt(args[1].Location().From, `%s needs a window in quotes, such as "15m"`, name)
	case "customStats", "notReadyUsersOnActivityCode", "activityCodeIndicators", "timeInActivityCode":
		return c.compileKeyed(at, name, args)
	}
	f := errorAt(at, "unknown function %s", model.CleanText(name, 40))
	f.suggestion = NearestWord(name, functionNames())
	return expression{}, f
}

// compileKnown compiles known(x), a condition that is always yes or no. A value of n/a counts as
// known, because the platform sent the inputs.
func (c *compiler) compileKnown(at int, args []ast.Node) (expression, *expressionError) {
	if len(args) != 1 {
		return expression{}, errorAt(at, "known needs one argument")
	}
	a, f := c.compileNode(args[0])
	if f != nil {
		return expression{}, f
	}
	x := expression{kind: truthKind}
	switch a.kind {
	case numberKind:
		x.truth = func(f *evalEnv) truth { v := a.number(f); return truthOf(v.Known() || v.IsNotApplicable()) }
	case textKind:
		x.truth = func(f *evalEnv) truth { return truthOf(a.text(f).Known()) }
	case truthKind:
		x.truth = func(f *evalEnv) truth { return truthOf(a.truth(f) != unknown) }
	}
	return x, nil
}

func (c *compiler) compileExtreme(name string, args []ast.Node) (expression, *expressionError) {
	a, f := c.compileOperand(args[0], numberKind, name)
	if f != nil {
		return expression{}, f
	}
	b, f := c.compileOperand(args[1], numberKind, name)
	if f != nil {
		return expression{}, f
	}
	op := math.Max
	if name == "min" {
		op = math.Min
	}
	x := expression{format: commonFormat(a, b)}
	x.number = func(f *evalEnv) model.Figure {
		left, right := a.number(f), b.number(f)
		x, okX := left.Get()
		y, okY := right.Get()
		if !okX || !okY {
			return unknownOrNA(left, right)
		}
		return model.FigureOf(op(x, y))
	}
	if a.growthRate == nil && b.growthRate == nil {
		return x, nil
	}
	meets := crossingRecorder(a, b)
	x.growthRate = func(f *evalEnv) float64 {
		x, okX := a.number(f).Get()
		y, okY := b.number(f).Get()
		if !okX || !okY {
			return 0
		}
		if meets(f, x, y); op(x, y) == x {
			return a.growthRate.perSecond(f)
		}
		return b.growthRate.perSecond(f)
	}
	return x, nil
}

// compileWindow compiles a function over the recent samples of arg, such as avg(x, "15m"). name is
// the function, and length the duration of the window.
func (c *compiler) compileWindow(n ast.Node, name string, arg ast.Node, length *ast.StringNode) (expression, *expressionError) {
	extra := c.extraFields
	c.extraFields = nil // all expressions of the scope share the samples, so the sampled expression cannot use additional names
	day := c.program.usesDaily
	x, f := c.compileOperand(arg, numberKind, name)
	c.extraFields, c.program.usesDaily, c.program.usesCurrent = extra, day, true
	if f != nil {
		return expression{}, f
	}
	isCounter := x.field != nil && x.field.isCounter
	if name == "rate" && !isCounter {
		return expression{}, errorAt(arg.Location().From,
			"rate needs a counter, which %s is not; use delta or avg", model.CleanText(arg.String(), 40))
	}
	span, err := time.ParseDuration(length.Value)
	shortest := c.lib.shortestWindow()
	if err != nil || span < shortest || span > coarseSpan || span%time.Second != 0 {
		return expression{}, errorAt(length.Location().From,
			`a window is between "%v" and "%v", such as "15m"`, shortest, coarseSpan)
	}
	w := window{span: span, function: name}
	w.series = c.lib.addSeries(arg.String(), x.number, isCounter && (name == "rate" || name == "delta"))
	slot := c.lib.addWindow(w)
	if slot < 0 {
		return expression{}, errorAt(n.Location().From, "there are more than %d windows in the scope %s", maxWindows, c.lib.scope)
	}
	c.program.usesSamples = true
	out := expression{number: func(f *evalEnv) model.Figure { return f.row.windowValue(f.library, slot) }}
	if name != "rate" {
		out.format = x.format
	}
	c.recordInput(model.CleanText(n.String(), model.MaxName), out)
	return out, nil
}

// compileKeyed compiles the lookup of an element in a list of document 2, such as
// customStats("KEY"). The value of a missing element is unknown, because the platform may omit
// elements that are 0.
func (c *compiler) compileKeyed(at int, name string, args []ast.Node) (expression, *expressionError) {
	var key string
	if len(args) == 1 {
		if s, ok := args[0].(*ast.StringNode); ok {
			key = s.Value
		}
	}
	if key == "" {
		return expression{}, errorAt(at, `%s needs a key in quotes, such as %s("LUNCH")`, name, name)
	}
	number := keyedNumber(c.lib.scope, name, key)
	if number == nil {
		return expression{}, errorAt(at, "there is no %s in the scope %s", name, c.lib.scope)
	}
	x := expression{number: number}
	c.program.usesCurrent = true
	if name == "timeInActivityCode" {
		x.format = Duration
	}
	c.recordInput(name+"("+model.CleanText(key, model.MaxName)+")", x)
	return x, nil
}

// keyedNumber returns a function that reads the number with the given key from the list with the
// given name. It returns nil if the records of the scope have no such list.
func keyedNumber(s Scope, name, key string) numberFunc {
	inActivity := func(list func(*evalEnv) []model.ProfilesInActivity) numberFunc {
		return func(f *evalEnv) model.Figure {
			l := list(f)
			i := slices.IndexFunc(l, func(a model.ProfilesInActivity) bool { return a.ActivityCode == key })
			if i < 0 {
				return model.Figure{}
			}
			return l[i].Count.Figure()
		}
	}
	custom := func(list func(*evalEnv) []model.CustomStat) numberFunc {
		return func(f *evalEnv) model.Figure {
			l := list(f)
			i := slices.IndexFunc(l, func(s model.CustomStat) bool { return s.Key == key })
			if i < 0 {
				return model.Figure{}
			}
			return l[i].Value.Value.Number().Figure()
		}
	}
	switch string(s) + " " + name {
	case "service customStats":
		return custom(func(f *evalEnv) []model.CustomStat { return record[model.Service](f).CustomStats })
	case "group customStats":
		return custom(func(f *evalEnv) []model.CustomStat { return record[model.Group](f).CustomStats })
	case "service notReadyUsersOnActivityCode":
		return inActivity(func(f *evalEnv) []model.ProfilesInActivity {
			return record[model.Service](f).UserStats.NotReadyUsersOnActivityCode
		})
	case "group notReadyUsersOnActivityCode":
		return inActivity(func(f *evalEnv) []model.ProfilesInActivity {
			return record[model.Group](f).UserStats.NotReadyUsersOnActivityCode
		})
	case "service activityCodeIndicators":
		return inActivity(func(f *evalEnv) []model.ProfilesInActivity {
			return record[model.Service](f).UserStats.ActivityCodeIndicators
		})
	case "user timeInActivityCode":
		return func(f *evalEnv) model.Figure {
			l := record[model.UserStat](f).TimeInActivityCode
			i := slices.IndexFunc(l, func(a model.ActivityTime) bool { return a.ActivityCode == key })
			if i < 0 {
				return model.Figure{}
			}
			return l[i].TotalTime.Figure()
		}
	}
	return nil
}
