package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/model/pause"
	"wallboard/situation/breaks"
)

// Break is what an activity code allows. Who is on it for longer, or for more in the
// platform's day, gets a warning; the details of an agent say who is likely back when.
// Codes without a block go by what their name says: lunch, restroom, training, coaching,
// meeting, office work or short break. A block without a code changes the limit of a kind.
type Break struct {
	Code    string        `toml:"code"`     // Activity code, as the platform sends it.
	Kind    string        `toml:"kind"`     // What kind of break it is, whatever its name says; other: none of them.
	PerDay  time.Duration `toml:"per_day"`  // Longest time on a day of the platform, by its own count; 0 is no limit.
	PerTime time.Duration `toml:"per_time"` // Longest time at once; 0 is no limit.
}

// The bounds of [[break]].
const (
	mostBreaks    = 50
	shortestBreak = time.Minute
	longestBreak  = 24 * time.Hour
)

// breakRules returns the rules that the breaks make, and where each comes from.
func (c *Config) breakRules(r *report) (rules []alert.Rule, from []string) {
	var known []Break
	names := c.Names()
	for i := range c.Breaks {
		b, path := &c.Breaks[i], element("break", i)
		if i == mostBreaks {
			r.add(path, "is one too many", "allowed: "+strconv.Itoa(mostBreaks))
		}
		if again := slices.ContainsFunc(known, func(k Break) bool { return k.Code == b.Code && (b.Code != "" || k.Kind == b.Kind) }); again && b.names() != "" {
			r.add(join(path, b.named()), quoted(b.names())+" stands there twice", "keep one of them")
			continue
		}
		known = append(known, *b)
		b.check(r, path)
		if b.Code == "" {
			continue
		}
		name := names.Of(model.NameActivity, b.Code)
		on := fmt.Sprintf("activityCode == %q and status in [\"NOT_READY\", \"NOT_READY_BUSY\"] and ", b.Code)
		rule := func(label string, limit time.Duration, figure, said string) {
			if limit == 0 {
				return
			}
			seconds := strconv.FormatInt(int64(limit/time.Second), 10)
			rules = append(rules, alert.Rule{
				Name: label, Scope: alert.User, Severity: alert.Warning,
				When:    on + figure + " > " + seconds,
				Message: "{title}: " + said + " {" + figure + "|duration}, {" + seconds + "|duration} allowed (" + string(pause.Configured) + ")",
			})
			from = append(from, path)
		}
		rule(name+" too long", b.PerTime, "timeInState", "{activityCode} for")
		rule(name+" of the day", b.PerDay, fmt.Sprintf("timeInActivityCode(%q)", b.Code), "{activityCode} today")
	}
	return rules, from
}

// names is what a block is about.
func (b *Break) names() string { return cmp.Or(b.Code, b.Kind) }

// named is the key that says it.
func (b *Break) named() string {
	if b.Code == "" {
		return "kind"
	}
	return "code"
}

// check reports what is wrong with a block.
func (b *Break) check(r *report, path string) {
	switch {
	case b.Code == "" && b.Kind == "":
		r.add(join(path, "code"), "is missing", "every [[break]] needs the activity code that it is about, or the kind")
	case b.Code == "" && (b.PerTime == 0 || b.PerDay != 0):
		r.add(path, "does not fit: it is about a kind", "set per_time, and no per_day")
	case b.PerDay == 0 && b.PerTime == 0 && b.Kind == "":
		r.add(path, "allows everything", "set per_day, per_time or kind")
	}
	noControl(r, join(path, "code"), b.Code)
	if b.Kind != "" {
		var kinds []string
		for _, k := range pause.Kinds() {
			kinds = append(kinds, string(k))
		}
		if b.Code != "" {
			kinds = append(kinds, string(pause.Other))
		}
		oneOf(r, join(path, "kind"), b.Kind, kinds)
	}
	for key, limit := range map[string]time.Duration{"per_day": b.PerDay, "per_time": b.PerTime} {
		if limit != 0 {
			within(r, join(path, key), limit, shortestBreak, longestBreak)
		}
	}
}

// breakBook returns what kinds of breaks may take; nil where the rule about them is off.
func (c *Config) breakBook(builtIn []alert.Rule, names model.Names) *pause.Book {
	if slices.ContainsFunc(builtIn, func(r alert.Rule) bool { return r.Name == alert.BreakTooLong && r.Off }) {
		return nil
	}
	rules := make([]pause.Rule, 0, len(c.Breaks))
	for i := range c.Breaks {
		b := &c.Breaks[i]
		rules = append(rules, pause.Rule{Code: b.Code, Kind: pause.Kind(b.Kind), Limit: b.PerTime})
	}
	return pause.NewBook(rules, func(code string) string { return names.Of(model.NameActivity, code) })
}

// BreakLimits returns how long agents may be in their states: what the activity codes
// allow, and from when on the rules about a state warn.
func (c *Config) BreakLimits() breaks.Limits {
	out := breaks.Limits{States: make(map[model.UserStatus]time.Duration)}
	for i := range c.Breaks {
		if b := &c.Breaks[i]; b.Code != "" {
			l := breaks.Limit{Code: b.Code, PerDay: b.PerDay, PerTime: b.PerTime}
			if b.PerTime > 0 {
				l.Kind, l.Source = pause.Kind(b.Kind), pause.Configured
			}
			out.Codes = append(out.Codes, l)
		}
	}
	o := c.AlertOptions(c.Names())
	out.Kinds = o.Breaks
	for _, r := range o.Rules {
		warning, ok := r.Thresholds.Warning.Get()
		if r.Scope != alert.User || r.Off || !ok || len(r.Codes) > 0 {
			continue
		}
		for _, s := range statesOf(r.Name) {
			out.States[s] = time.Duration(warning * float64(time.Second))
		}
	}
	return out
}

// statesOf are the states that a built-in rule is about.
func statesOf(rule string) []model.UserStatus {
	switch rule {
	case "wrap-up":
		return []model.UserStatus{model.WNR}
	case alert.NotReady:
		return []model.UserStatus{model.NotReady, model.NotReadyBusy}
	case "booked":
		return []model.UserStatus{model.Booked}
	case "talking":
		return []model.UserStatus{model.Busy, model.BusyDNCallIn, model.BusyDNCallOut, model.BusyDNCallOutPrivate}
	}
	return nil
}

// spareBreaks has the built-in rule about those who are not ready leave out the codes
// that allow a time of their own: they have rules of their own.
func (c *Config) spareBreaks(rules []alert.Rule) {
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
		if r := &rules[i]; r.Name == alert.NotReady && r.Scope == alert.User {
			r.KPI = strings.Replace(r.KPI, " ? ", " and not (known(activityCode) and activityCode in ["+strings.Join(codes, ", ")+"]) ? ", 1)
		}
	}
}
