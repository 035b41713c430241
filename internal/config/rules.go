package config

import (
	"cmp"
	"slices"
	"strings"

	"wallboard/internal/alert"
	"wallboard/model"
)

// AlertOptions returns the options for an alert engine. names provides the display names of codes.
func (c *Config) AlertOptions(names model.Names) alert.Options {
	o, _ := c.alertOptions(newReport("", nil))
	o.Names = names
	return o
}

// alertOptions returns the options for an alert engine. It adds the problems of rules and figures
// to r. paths holds, for each rule, the path of the block that sets or changes it, or "" for an
// unchanged built-in rule.
func (c *Config) alertOptions(r *report) (o alert.Options, paths []string) {
	o.Goal, o.Goals = c.serviceGoals(r)
	o.Silences, o.Tolerance = c.alertSilences(), c.Tolerance.toShares(r)
	for i := range c.KPIs {
		o.KPIs = append(o.KPIs, c.KPIs[i].toAlertKPI(r, elementKey("kpi", i)))
	}
	builtIn, builtInPaths := c.builtInRules(r)
	c.excludeConfiguredBreaks(builtIn)
	o.Breaks = c.breakAllowances(builtIn, c.Names())
	var ownRules []alert.Rule
	var ownPaths []string
	for i := range c.Thresholds {
		path := elementKey("threshold", i)
		ownRules, ownPaths = append(ownRules, c.Thresholds[i].toAlertRule(r, path, builtIn)), append(ownPaths, path)
	}
	for i := range c.Alerts {
		path := elementKey("alert", i)
		ownRules, ownPaths = append(ownRules, c.Alerts[i].toAlertRule(r, path)), append(ownPaths, path)
	}
	c.checkHolidays(r)
	breaks, breakPaths := c.breakRules(r)
	ownRules, ownPaths = append(ownRules, breaks...), append(ownPaths, breakPaths...)
	o.Rules = alert.MergeRules(builtIn, ownRules)
	for _, rule := range o.Rules[:len(o.Rules)-len(ownRules)] {
		paths = append(paths, builtInPaths[ruleKey{rule.Name, rule.Scope}])
	}
	return o, append(paths, ownPaths...)
}

// serviceGoals returns the goal for all services, and the goals of services with their own, by
// code.
func (c *Config) serviceGoals(r *report) (alert.Goal, map[string]alert.Goal) {
	general := alert.DefaultGoal()
	general.ServiceLevel = model.FloatOf(c.UI.ServiceLevelTarget)
	first := ""
	for i := range c.ServiceLevels {
		if path := elementKey("service_level", i); len(c.ServiceLevels[i].Services) == 0 {
			if first != "" {
				r.add(path, "applies to all services, like "+first, "list services, or keep one of them")
			}
			first = path
			general = c.ServiceLevels[i].applyToGoal(r, path, general)
		}
	}
	goals := make(map[string]alert.Goal)
	for i := range c.ServiceLevels {
		s, path := &c.ServiceLevels[i], elementKey("service_level", i)
		if len(s.Services) == 0 {
			continue
		}
		checkCodes(r, joinKey(path, "services"), s.Services)
		goal := s.applyToGoal(r, path, general)
		for j, code := range s.Services {
			if _, isDuplicate := goals[code]; isDuplicate {
				r.add(elementKey(joinKey(path, "services"), j), quoteValue(code)+" already has a service level", "keep one of them")
			}
			goals[code] = goal
		}
	}
	return c.addClosingTimes(r, general, goals), goals
}

// applyToGoal returns a copy of g with the targets of the block set.
func (s *ServiceLevel) applyToGoal(r *report, path string, g alert.Goal) alert.Goal {
	checkOptional(r, joinKey(path, "formula"), s.Formula, toStrings(model.ServiceLevelFormulas()))
	if s.Formula != "" {
		g.Formula = model.ServiceLevelFormula(s.Formula)
	}
	if s.Target.checkShare(r, joinKey(path, "target")) {
		g.ServiceLevel = s.Target.Value
	}
	if s.AbandonTarget.checkShare(r, joinKey(path, "abandon_target")) {
		g.Abandon = s.AbandonTarget.Value
	}
	return g
}

// checkShare reports whether the limit is set. If it is set but not a share, checkShare adds a
// problem.
func (l Limit) checkShare(r *report, key string) bool {
	v, ok := l.Value.Get()
	if ok && (l.Unit == alert.Duration || v <= 0 || v > 1) {
		r.add(key, "is not a share", `allowed: above 0% and up to 100%, written "80%" or 0.8`)
	}
	return ok
}

func (k *KPI) toAlertKPI(r *report, path string) alert.KPI {
	scope := cmp.Or(k.Scope, string(alert.Service))
	for key, value := range map[string]string{"name": k.Name, "expr": k.Expr} {
		if value == "" {
			r.add(joinKey(path, key), "is missing", "every figure needs name and expr")
		}
	}
	checkPrintable(r, joinKey(path, "title"), k.Title)
	checkOneOf(r, joinKey(path, "scope"), scope, toStrings(alert.Scopes()))
	checkOptional(r, joinKey(path, "format"), k.Format, toStrings(alert.Formats()))
	checkOptional(r, joinKey(path, "direction"), k.Direction, toStrings(alert.Directions()))
	return alert.KPI{
		Name: k.Name, Title: k.Title, Scope: alert.Scope(scope), Expr: k.Expr,
		Format: alert.Format(k.Format), Target: k.Target.Value, Direction: alert.Direction(k.Direction),
	}
}

// toAlertRule converts a threshold to a rule. A threshold without a name inherits from the built-in
// rule for its scope and figure. If both select the same records, it replaces the rule.
func (t *Threshold) toAlertRule(r *report, path string, builtIn []alert.Rule) alert.Rule {
	scope, codes := t.selection(r, path)
	if t.KPI == "" {
		r.add(joinKey(path, "kpi"), "is missing", "every threshold needs kpi: the name of a figure, or an expression")
	}
	checkOptional(r, joinKey(path, "direction"), t.Direction, toStrings(alert.Directions()))
	rule := alert.Rule{Name: cmp.Or(t.Name, strings.TrimSpace(t.KPI), "threshold"), Scope: scope}
	if i := slices.IndexFunc(builtIn, func(b alert.Rule) bool { return b.Scope == scope && isAboutFigure(&b, t.KPI) }); i >= 0 && t.Name == "" {
		rule = builtIn[i]
		rule.Disabled = false
	}
	rule.Codes, rule.KPI, rule.Base = codes, t.KPI, ""
	rule.Calls = cmp.Or(t.Calls, rule.Calls)
	setCount(&rule.MinCalls, t.MinCalls)
	setCount(&rule.MinExcessMisses, t.MinOver)
	rule.Thresholds = alert.Thresholds{Warning: t.Warning.Value, Critical: t.Critical.Value, Recovery: t.Recovery.Value}
	rule.Direction = alert.Direction(t.Direction)
	rule.For = cmp.Or(t.For, rule.For)
	rule.Message = cmp.Or(t.Message, rule.Message)
	rule.Bell = t.Bell || rule.Bell
	if len(t.Channels) > 0 {
		rule.Channels = toChannels(t.Channels)
	}
	if len(t.Notify) > 0 {
		rule.Notify = t.Notify
	}
	return rule
}

// isAboutFigure reports whether the rule judges kpi, the name of a figure or an expression.
func isAboutFigure(rule *alert.Rule, kpi string) bool {
	kpi = strings.TrimSpace(kpi)
	return kpi != "" && rule.KPI == kpi
}

// setCount sets *target to *value. If value is nil, the file does not set it, and setCount does
// nothing.
func setCount(target, value *int) {
	if value != nil {
		*target = *value
	}
}

func toChannels(list []string) []model.Channel {
	out := make([]model.Channel, len(list))
	for i, ch := range list {
		out[i] = model.Channel(ch)
	}
	return out
}

func (a *Alert) toAlertRule(r *report, path string) alert.Rule {
	scope, codes := a.selection(r, path)
	for key, value := range map[string]string{"name": a.Name, "when": a.When} {
		if value == "" {
			r.add(joinKey(path, key), "is missing", "every alert needs name and when")
		}
	}
	return alert.Rule{
		Name: a.Name, Scope: scope, Codes: codes, Channels: toChannels(a.Channels),
		When: a.When, Recover: a.Recover, Severity: parseSeverity(r, path, a.Severity, alert.Warning),
		For: a.For, Message: a.Message, Bell: a.Bell, Notify: a.Notify,
	}
}

func parseSeverity(r *report, path, value string, unset alert.Level) alert.Level {
	switch value {
	case "":
		return unset
	case alert.Warning.String():
		return alert.Warning
	case alert.Critical.String():
		return alert.Critical
	}
	checkOneOf(r, joinKey(path, "severity"), value, []string{alert.Warning.String(), alert.Critical.String()})
	return alert.Warning
}

// ruleKey identifies a built-in rule by name and scope.
type ruleKey struct {
	name  string
	scope alert.Scope
}

// builtInRules returns the built-in rules as changed by [[builtin]] blocks. The map holds the path
// of the block for each changed rule.
func (c *Config) builtInRules(r *report) ([]alert.Rule, map[ruleKey]string) {
	rules, paths := alert.DefaultRules(), make(map[ruleKey]string)
	for i := range c.Builtin {
		b, path := &c.Builtin[i], elementKey("builtin", i)
		var scopes, names []string
		found := false
		for j := range rules {
			rule := &rules[j]
			if !slices.Contains(names, rule.Name) {
				names = append(names, rule.Name)
			}
			if rule.Name != b.Rule {
				continue
			}
			scopes = append(scopes, string(rule.Scope))
			if b.Scope == "" || string(rule.Scope) == b.Scope {
				found = true
				key := ruleKey{rule.Name, rule.Scope}
				if paths[key] != "" {
					r.add(path, "changes the same rule as "+paths[key], "use one block")
				}
				paths[key] = path
				b.applyTo(r, path, rule)
			}
		}
		if checkOneOf(r, joinKey(path, "rule"), b.Rule, names); !found && len(scopes) > 0 {
			checkOneOf(r, joinKey(path, "scope"), b.Scope, scopes)
		}
	}
	return rules, paths
}

// applyTo applies the settings of the block to a built-in rule.
func (b *Builtin) applyTo(r *report, path string, rule *alert.Rule) {
	if b.Off != nil {
		rule.Disabled = *b.Off
	}
	for key, n := range map[string]*int{"min_calls": b.MinCalls, "min_over": b.MinOver} {
		if n != nil && rule.MinCalls == 0 && rule.MinExcessMisses == 0 {
			r.add(joinKey(path, key), "has no effect: the rule is not about a share of calls", "use it only for service level and abandon rate")
		}
	}
	setCount(&rule.MinCalls, b.MinCalls)
	setCount(&rule.MinExcessMisses, b.MinOver)
	for key, l := range map[string]Limit{"warning": b.Warning, "critical": b.Critical, "recovery": b.Recovery} {
		if l.Value.Known() && rule.KPI == "" {
			r.add(joinKey(path, key), "has no effect: the rule has a condition instead of levels", "set off, severity, for, bell or notify")
		}
	}
	if b.Severity != "" && rule.KPI != "" {
		r.add(joinKey(path, "severity"), "has no effect: the rule has levels", "set warning and critical")
	}
	rule.Severity = parseSeverity(r, path, b.Severity, rule.Severity)
	t := &rule.Thresholds
	if warning, ok := b.Warning.Value.Get(); ok {
		if recovery, ok := t.Recovery.Get(); ok {
			t.Recovery = model.FloatOf(scaleRecovery(recovery, t.Warning.Or(warning), warning))
		}
		t.Warning = b.Warning.Value
	}
	if b.Critical.Value.Known() {
		t.Critical = b.Critical.Value
	}
	if b.Recovery.Value.Known() {
		t.Recovery = b.Recovery.Value
	}
	if b.For != nil {
		rule.For = *b.For
	}
	if b.Bell != nil {
		rule.Bell = *b.Bell
	}
	if len(b.Notify) > 0 {
		rule.Notify = b.Notify
	}
}

// scaleRecovery returns the recovery level of a rule for a new warning level. The ratio of the
// recovery level to the warning level stays the same or, if the old warning level was 0 or less,
// the distance between the two.
func scaleRecovery(recovery, oldWarning, newWarning float64) float64 {
	if oldWarning > 0 {
		return recovery * newWarning / oldWarning
	}
	return recovery + newWarning - oldWarning
}

// Names returns the display names of codes in the configuration.
func (c *Config) Names() model.Names {
	names := make(model.Names)
	for _, n := range c.RTD.Names {
		names.Add(model.NameKind(n.Kind), model.CleanText(n.Code, model.MaxName), model.CleanText(n.Name, model.MaxName))
	}
	return names
}
