package config

import (
	"errors"
	"strconv"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/textformat"
)

// checkAlerts compiles the expressions of all figures and rules, so their problems are reported
// before the board opens. It returns the engine, or nil if an expression has a problem.
func (c *Config) checkAlerts(r *report) *alert.Engine {
	o, sources := c.alertOptions(r)
	c.checkSilences(r, o.Rules)
	c.checkPlaybooks(r, o.Rules)
	engine, err := alert.New(o)
	var problems alert.Problems
	if errors.As(err, &problems) {
		for _, p := range problems {
			c.addProblem(r, p, &o, sources)
		}
		return nil
	}
	formats := figureFormats(engine)
	for i := range c.KPIs {
		k := &o.KPIs[i]
		c.KPIs[i].Target.checkUnit(r, joinKey(elementKey("kpi", i), "target"), formats[ruleKey{k.Name, k.Scope}])
	}
	for i, rule := range o.Rules {
		var limits map[string]Limit
		switch index, path := pathIndex(sources[i]), sources[i]; {
		case strings.HasPrefix(path, "threshold["):
			t := &c.Thresholds[index]
			limits = map[string]Limit{"warning": t.Warning, "critical": t.Critical, "recovery": t.Recovery}
		case strings.HasPrefix(path, "builtin["):
			b := &c.Builtin[index]
			limits = map[string]Limit{"warning": b.Warning, "critical": b.Critical, "recovery": b.Recovery}
		}
		for key, l := range limits {
			l.checkUnit(r, joinKey(sources[i], key), formats[ruleKey{strings.TrimSpace(rule.KPI), rule.Scope}])
		}
	}
	return engine
}

// pathIndex returns the index at the end of a path such as threshold[2], or 0 if there is none.
func pathIndex(path string) int {
	_, index, _ := strings.Cut(strings.TrimSuffix(path, "]"), "[")
	n, _ := strconv.Atoi(index) // 0 for a path without an index
	return n
}

// figureFormats returns the formats of all figures that have a name, by name and scope.
func figureFormats(e *alert.Engine) map[ruleKey]alert.Format {
	formats := make(map[ruleKey]alert.Format)
	for _, s := range alert.Scopes() {
		for _, n := range alert.Names(s) {
			formats[ruleKey{n.Name, s}] = n.Format
		}
		for _, k := range e.KPIs(s) {
			formats[ruleKey{k.Name, s}] = k.Format
		}
	}
	return formats
}

// checkUnit adds a problem if the unit of the limit does not fit f, the format of its figure. An
// empty f means that the format is unknown, for example because the figure is an expression.
func (l Limit) checkUnit(r *report, key string, f alert.Format) {
	v, ok := l.Value.Get()
	words := map[alert.Format]string{alert.Number: "a number", alert.Percent: "a percentage", alert.Duration: "a duration"}
	switch {
	case !ok || f == "":
	case l.Unit != alert.Number && l.Unit != f:
		remedy := "write the level as " + words[f]
		if l.Unit == alert.Percent && f == alert.Number {
			remedy += `, or define a custom figure with format = "percent"`
		}
		r.add(key, "is "+words[l.Unit]+", but the figure is "+words[f], remedy)
	case l.Unit == alert.Number && f == alert.Percent && v >= 2:
		r.add(key, textformat.ConfigNumber(v)+" is not a share", "write it as "+strconv.Quote(textformat.ConfigNumber(v)+"%")+" or as "+textformat.ConfigNumber(v/100))
	}
}

// addProblem adds a problem that the alert engine has found, at the key that causes the problem.
func (c *Config) addProblem(r *report, p *alert.Problem, o *alert.Options, sources []string) {
	path, text := "", ""
	if p.Section == "kpi" {
		path, text = elementKey("kpi", p.Index), o.KPIs[p.Index].Expr
	} else {
		path = sources[p.Index]
		rule := &o.Rules[p.Index]
		text = map[string]string{"when": rule.When, "recover": rule.Recover, "kpi": rule.KPI, "calls": rule.Calls, "message": rule.Message}[p.Field]
	}
	field := p.Field
	if field == "when" && strings.HasPrefix(path, "threshold[") {
		field = "kpi"
	}
	problem, remedy := describePosition(text, p)+p.Message, "wallboard docs alerts describes the syntax"
	switch {
	case p.Suggestion != "":
		remedy = "did you mean " + p.Suggestion + "?"
	case p.Line > 0:
	case field == "critical":
		problem, remedy = "is not worse than warning", "swap the two, or set direction"
	case field == "recovery":
		problem, remedy = "is not better than its level", "an alert ends when its figure is back at recovery"
	default:
		remedy = remediesByField()[field]
	}
	r.add(joinKey(path, field), problem, remedy)
}

// remediesByField returns the remedies for problems outside expressions, by field of the rule.
func remediesByField() map[string]string {
	return map[string]string{
		"name":      "choose another name",
		"for":       `write it like "30s" or "5m"`,
		"warning":   "set warning, critical or both",
		"direction": `set direction = "lower" or "higher"`,
		"message":   "write a shorter one",
		"min_calls": "write 0 or more; only for figures based on calls",
	}
}

// describePosition returns the beginning of a message about a problem in an expression: the
// position and the text there. If the problem has no position, it returns "".
func describePosition(text string, p *alert.Problem) string {
	if p.Line == 0 {
		return ""
	}
	position := "at character " + strconv.Itoa(p.Column)
	lines := strings.Split(text, "\n")
	if len(lines) > 1 {
		position = "in line " + strconv.Itoa(p.Line) + " of the text " + position
	}
	if p.Line <= len(lines) {
		if rest := []rune(lines[p.Line-1]); p.Column <= len(rest) {
			rest = rest[p.Column-1:]
			position += ", " + quoteValue(string(rest[:min(len(rest), 20)]))
		}
	}
	return position + ": "
}
