package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/model"
)

// Break sets the allowed length of breaks for an activity code or, without a code, for a kind:
// lunch, restroom, training, coaching, meeting, office work or short break. A longer break, or
// more time in the platform's day, raises a warning.
type Break struct {
	Code    string        `toml:"code"`     // Activity code, as sent by the platform.
	Kind    string        `toml:"kind"`     // Kind of break, regardless of the name; other: none of the kinds.
	PerDay  time.Duration `toml:"per_day"`  // Maximum total time in a day of the platform, by its own count; 0: no limit.
	PerTime time.Duration `toml:"per_time"` // Maximum length of one break; 0: no limit.
}

// Limits of [[break]].
const (
	maxBreaks      = 50
	minBreakLength = time.Minute
	maxBreakLength = 24 * time.Hour
)

// breakRules checks the [[break]] blocks and returns alert rules for the limits of activity codes. paths holds
// the path of the block of each rule.
func (c *Config) breakRules(r *report) (rules []alert.Rule, paths []string) {
	var known []Break
	names := c.Names()
	for i := range c.Breaks {
		b, path := &c.Breaks[i], elementKey("break", i)
		checkCount(r, path, i, maxBreaks)
		if isDuplicate := slices.ContainsFunc(known, func(k Break) bool { return k.Code == b.Code && (b.Code != "" || k.Kind == b.Kind) }); isDuplicate && b.identifier() != "" {
			r.add(joinKey(path, b.identifierKey()), quoteValue(b.identifier())+" is set twice", "keep one of them")
			continue
		}
		known = append(known, *b)
		b.check(r, path)
		if b.Code == "" {
			continue
		}
		name := names.NameOf(model.NameActivity, b.Code)
		condition := fmt.Sprintf("activityCode == %q and status == \"NOT_READY\" and ", b.Code)
		rule := func(label string, limit time.Duration, figure string, ofDay bool) {
			if limit == 0 {
				return
			}
			seconds := strconv.FormatInt(int64(limit/time.Second), 10)
			rules = append(rules, alert.Rule{
				Name: label, Scope: alert.User, Severity: alert.Warning,
				When: condition + figure + " > " + seconds, Text: breaks.LimitRuleText(figure, seconds, ofDay),
			})
			paths = append(paths, path)
		}
		rule(name+" too long", b.PerTime, "timeInState", false)
		rule(name+" of the day", b.PerDay, fmt.Sprintf("timeInActivityCode(%q)", b.Code), true)
	}
	return rules, paths
}

// identifier returns the activity code of the block or, if it has none, the kind.
func (b *Break) identifier() string { return cmp.Or(b.Code, b.Kind) }

// identifierKey returns the name of the key that sets the identifier: code or kind.
func (b *Break) identifierKey() string {
	if b.Code == "" {
		return "kind"
	}
	return "code"
}

// check adds the problems of a block to r.
func (b *Break) check(r *report, path string) {
	switch {
	case b.Code == "" && b.Kind == "":
		r.add(joinKey(path, "code"), "is missing", "every [[break]] needs an activity code or a kind")
	case b.Code == "" && (b.PerTime == 0 || b.PerDay != 0):
		r.add(path, "must set per_time and not per_day, because it has no code", "set per_time only, or set code")
	case b.PerDay == 0 && b.PerTime == 0 && b.Kind == "":
		r.add(path, "sets no limit", "set per_day, per_time or kind")
	}
	checkPrintable(r, joinKey(path, "code"), b.Code)
	if b.Kind != "" {
		var kinds []string
		for _, k := range breaks.Kinds() {
			kinds = append(kinds, string(k))
		}
		if b.Code != "" {
			kinds = append(kinds, string(breaks.Other))
		}
		checkOneOf(r, joinKey(path, "kind"), b.Kind, kinds)
	}
	for key, limit := range map[string]time.Duration{"per_day": b.PerDay, "per_time": b.PerTime} {
		if limit != 0 {
			checkRange(r, joinKey(path, key), limit, minBreakLength, maxBreakLength)
		}
	}
}

// breakAllowances returns the allowed lengths of breaks by kind, or nil if the built-in rule about
// long breaks is disabled.
func (c *Config) breakAllowances(builtIn []alert.Rule, names model.Names) *breaks.Allowances {
	if slices.ContainsFunc(builtIn, func(r alert.Rule) bool { return r.Name == alert.RuleBreakTooLong && r.Disabled }) {
		return nil
	}
	rules := make([]breaks.Rule, 0, len(c.Breaks))
	for i := range c.Breaks {
		b := &c.Breaks[i]
		rules = append(rules, breaks.Rule{Code: b.Code, Kind: breaks.Kind(b.Kind), Limit: b.PerTime})
	}
	return breaks.NewAllowances(rules, func(code string) string { return names.NameOf(model.NameActivity, code) })
}

// BreakLimits returns the limits for states of agents. They come from the configured limits of
// activity codes and kinds of breaks, and from the warning levels of rules about states.
func (c *Config) BreakLimits() breaks.Limits {
	out := breaks.Limits{States: make(map[model.UserStatus]time.Duration)}
	for i := range c.Breaks {
		if b := &c.Breaks[i]; b.Code != "" {
			l := breaks.Limit{Code: b.Code, PerDay: b.PerDay, PerBreak: b.PerTime}
			if b.PerTime > 0 {
				l.Kind, l.Source = breaks.Kind(b.Kind), breaks.SourceConfigured
			}
			out.Codes = append(out.Codes, l)
		}
	}
	o := c.AlertOptions(c.Names())
	out.Kinds = o.Breaks
	for _, r := range o.Rules {
		warning, ok := r.Thresholds.Warning.Get()
		if r.Scope != alert.User || r.Disabled || !ok || len(r.Codes) > 0 {
			continue
		}
		for _, s := range alert.BuiltInRule(r.Name).States {
			out.States[s] = time.Duration(warning * float64(time.Second))
		}
	}
	return out
}

// excludeConfiguredBreaks makes the built-in rule about agents who are not ready ignore the
// activity codes whose breaks have a configured limit.
func (c *Config) excludeConfiguredBreaks(rules []alert.Rule) {
	var codes []string
	for i := range c.Breaks {
		if b := &c.Breaks[i]; b.PerTime > 0 && b.Code != "" {
			codes = append(codes, strconv.Quote(b.Code))
		}
	}
	if codes == nil {
		return
	}
	for i := range rules {
		if r := &rules[i]; r.Name == alert.RuleNotReady && r.Scope == alert.User {
			r.KPI = strings.Replace(r.KPI, " ? ", " and not (known(activityCode) and activityCode in ["+strings.Join(codes, ", ")+"]) ? ", 1)
		}
	}
}
