package backtest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/model"
)

// maxSweepValues limits the number of values in a sweep.
const maxSweepValues = 12

// Sweep returns one set of rules for each value of a field of a rule. The text "longest
// wait.for=30s..5m" stands for five values in this range, and with "/8" at the end for eight
// values. The text "longest wait.for=30s,1m" lists the values. The fields are for, warning,
// critical, recovery and min_calls, as in the configuration.
func Sweep(o alert.Options, text string) ([]RuleSet, error) {
	left, right, ok := strings.Cut(text, "=")
	dot := strings.LastIndexByte(left, '.')
	if !ok || dot < 1 {
		return nil, fmt.Errorf("%q: want a rule, a field and values, such as longest wait.for=30s..5m", model.CleanText(text, 80))
	}
	rule, field := strings.TrimSpace(left[:dot]), strings.TrimSpace(left[dot+1:])
	f, ok := sweepFields[field]
	if !ok {
		return nil, fmt.Errorf("%q cannot be swept: want for, warning, critical, recovery or min_calls", model.CleanText(field, 80))
	}
	values, err := parseValues(strings.TrimSpace(right), f.isDuration)
	if err != nil {
		return nil, err
	}
	say := f.formatter(thresholdFormat(o, rule))
	var sets []RuleSet
	for _, v := range values {
		own, found := o, 0
		own.Rules = slices.Clone(o.Rules)
		for i := range own.Rules {
			if r := &own.Rules[i]; r.Name == rule && !r.Disabled {
				if field != "for" && field != "min_calls" && r.KPI == "" {
					return nil, fmt.Errorf("the rule %q has a condition and no levels: only its for can be swept", rule)
				}
				f.set(r, v)
				found++
			}
		}
		if found == 0 {
			return nil, unknownRuleError(rule, o.Rules)
		}
		sets = append(sets, RuleSet{Name: field + " = " + say(v), Options: own})
	}
	return sets, nil
}

func unknownRuleError(name string, rules []alert.Rule) error {
	var names []string
	for i := range rules {
		if !rules[i].Disabled {
			names = append(names, rules[i].Name)
		}
	}
	said := fmt.Sprintf("there is no rule %q", model.CleanText(name, 80))
	if n := alert.NearestWord(name, names); n != "" {
		said += "; did you mean " + n + "?"
	}
	return errors.New(said)
}

// sweepField is a field of a rule that [Sweep] can vary.
type sweepField struct {
	isDuration  bool // the field is a duration
	isThreshold bool // the field is a threshold, in the format of the rule's figure
	set         func(r *alert.Rule, v float64)
}

// formatter returns a function that formats values of the field. levels is the format of the rule's
// thresholds.
func (f *sweepField) formatter(levels alert.Format) func(v float64) string {
	switch {
	case f.isDuration, f.isThreshold && levels == alert.Duration:
		return func(v float64) string { return textformat.ConfigDuration(durationFromSeconds(v)) }
	case f.isThreshold && levels == alert.Percent:
		return func(v float64) string { return textformat.ConfigNumber(v*100) + " %" }
	}
	return textformat.ConfigNumber
}

// thresholdFormat returns the format of a rule's thresholds, or "" if it is unknown.
func thresholdFormat(o alert.Options, rule string) alert.Format {
	e, err := alert.New(o)
	if err != nil {
		return "" // running the rules reports the error
	}
	for _, r := range alert.RulesOf(e) {
		if format, ok := e.FormatOf(r.Name, r.Scope); ok && r.Name == rule {
			return format
		}
	}
	return ""
}

var sweepFields = map[string]sweepField{
	"for":       {isDuration: true, set: func(r *alert.Rule, v float64) { r.For = durationFromSeconds(v) }},
	"warning":   {isThreshold: true, set: setWarning},
	"critical":  {isThreshold: true, set: func(r *alert.Rule, v float64) { r.Thresholds.Critical = model.FloatOf(v) }},
	"recovery":  {isThreshold: true, set: func(r *alert.Rule, v float64) { r.Thresholds.Recovery = model.FloatOf(v) }},
	"min_calls": {set: func(r *alert.Rule, v float64) { r.MinCalls = int(v) }},
}

// setWarning sets the warning level. It moves the recovery level by the same amount.
func setWarning(r *alert.Rule, v float64) {
	t := &r.Thresholds
	was, ok := t.Warning.Get()
	if back, hasRecovery := t.Recovery.Get(); ok && hasRecovery {
		t.Recovery = model.FloatOf(v + back - was)
	}
	t.Warning = model.FloatOf(v)
}

func durationFromSeconds(v float64) time.Duration {
	return time.Duration(v * float64(time.Second)).Round(time.Second)
}

// parseValues parses a range or a list of values, such as "30s..5m", "30s..5m/8" or "30s,1m,2m".
// Durations in the result are in seconds.
func parseValues(text string, isDuration bool) ([]float64, error) {
	from, to, ranged := strings.Cut(text, "..")
	if !ranged {
		var out []float64
		for one := range strings.SplitSeq(text, ",") {
			v, err := parseValue(one, isDuration)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		if len(out) > maxSweepValues {
			return nil, fmt.Errorf("at most %d values are allowed", maxSweepValues)
		}
		return out, nil
	}
	n := 5
	if end, count, ok := strings.Cut(to, "/"); ok {
		var err error
		if n, err = strconv.Atoi(strings.TrimSpace(count)); err != nil || n < 2 || n > maxSweepValues {
			return nil, fmt.Errorf("%q: want 2 to %d values", model.CleanText(count, 20), maxSweepValues)
		}
		to = end
	}
	a, err := parseValue(from, isDuration)
	if err != nil {
		return nil, err
	}
	b, err := parseValue(to, isDuration)
	if err != nil {
		return nil, err
	}
	return geometricSteps(a, b, n), nil
}

// parseValue parses a number, a share such as 80%, or a duration. A duration in the result is in
// seconds.
func parseValue(text string, isDuration bool) (float64, error) {
	text = strings.TrimSpace(text)
	if d, err := time.ParseDuration(text); err == nil && (text != "0" || isDuration) {
		return d.Seconds(), nil
	}
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch {
	case isDuration:
		return 0, fmt.Errorf("%q is not a duration: write it like 30s or 5m", model.CleanText(text, 40))
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("%q is not a number", model.CleanText(text, 40))
	case percent:
		v /= 100
	}
	return v, nil
}

// geometricSteps returns n rounded values from a to b. If a and b are positive, the ratio between
// values is constant, otherwise the difference.
func geometricSteps(a, b float64, n int) []float64 {
	out := []float64{a}
	for i := 1; i < n-1; i++ {
		share := float64(i) / float64(n-1)
		v := a + (b-a)*share
		if a > 0 && b > 0 {
			v = a * math.Pow(b/a, share)
		}
		out = append(out, roundToTwoDigits(v))
	}
	return slices.Compact(append(out, b))
}

// roundToTwoDigits rounds a number to two significant digits. For absolute values from 10 on, the
// second digit becomes 0 or 5.
func roundToTwoDigits(v float64) float64 {
	if v == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-1)
	if unit >= 1 {
		unit *= 5
	}
	return math.Round(v/unit) * unit
}
