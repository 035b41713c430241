package alert

import "slices"

// FormatOf returns the format of the values of a rule with thresholds. It returns false if the rule
// does not exist, is disabled, or has a condition instead of thresholds.
func (e *Engine) FormatOf(name string, scope Scope) (Format, bool) {
	p := e.rowsByScope[scope]
	if p == nil {
		return "", false
	}
	i := slices.IndexFunc(p.rules, func(r *rule) bool { return r.Name == name && r.value != nil })
	if i < 0 {
		return "", false
	}
	return p.rules[i].format, true
}

// RulesOf returns the rules that an engine evaluates.
func RulesOf(e *Engine) []Rule {
	var out []Rule
	for _, s := range Scopes() {
		for _, r := range e.rowsByScope[s].rules {
			out = append(out, r.Rule)
		}
	}
	return out
}
