package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation/breaks"
)

// Break is what an activity code allows. Who is on it for longer, or for more in the
// platform's day, gets a warning; the details of an agent say who is likely back when.
type Break struct {
	Code    string        `toml:"code"`     // Activity code, as the platform sends it.
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
	var codes []string
	names := c.Names()
	for i := range c.Breaks {
		b, path := &c.Breaks[i], element("break", i)
		switch {
		case i == mostBreaks:
			r.add(path, "is one too many", "allowed: "+strconv.Itoa(mostBreaks))
		case b.Code == "":
			r.add(join(path, "code"), "is missing", "every [[break]] needs the activity code that it is about")
		case slices.Contains(codes, b.Code):
			r.add(join(path, "code"), quoted(b.Code)+" stands there twice", "keep one of them")
		case b.PerDay == 0 && b.PerTime == 0:
			r.add(path, "allows everything", "set per_day, per_time or both")
		}
		noControl(r, join(path, "code"), b.Code)
		if b.Code == "" || slices.Contains(codes, b.Code) {
			continue
		}
		codes = append(codes, b.Code)
		name := names.Of(model.NameActivity, b.Code)
		on := fmt.Sprintf("activityCode == %q and status in [\"NOT_READY\", \"NOT_READY_BUSY\"] and ", b.Code)
		rule := func(key, label string, limit time.Duration, figure, said string) {
			if limit == 0 {
				return
			}
			within(r, join(path, key), limit, shortestBreak, longestBreak)
			seconds := strconv.FormatInt(int64(limit/time.Second), 10)
			rules = append(rules, alert.Rule{
				Name: label, Scope: alert.User, Severity: alert.Warning,
				When:    on + figure + " > " + seconds,
				Message: "{title}: " + said + " {" + figure + "|duration}, {" + seconds + "|duration} allowed",
			})
			from = append(from, path)
		}
		rule("per_time", name+" too long", b.PerTime, "timeInState", "{activityCode} for")
		rule("per_day", name+" of the day", b.PerDay, fmt.Sprintf("timeInActivityCode(%q)", b.Code), "{activityCode} today")
	}
	return rules, from
}

// BreakLimits returns how long agents may be in their states: what the activity codes
// allow, and from when on the rules about a state warn.
func (c *Config) BreakLimits() breaks.Limits {
	out := breaks.Limits{States: make(map[model.UserStatus]time.Duration)}
	for i := range c.Breaks {
		out.Codes = append(out.Codes, breaks.Limit(c.Breaks[i]))
	}
	for _, r := range c.AlertOptions(model.Names{}).Rules {
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

// ruleNotReady is the built-in rule about those who are not ready.
const ruleNotReady = "not ready"

// statesOf are the states that a built-in rule is about.
func statesOf(rule string) []model.UserStatus {
	switch rule {
	case "wrap-up":
		return []model.UserStatus{model.WNR}
	case ruleNotReady:
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
		if r := &rules[i]; r.Name == ruleNotReady && r.Scope == alert.User {
			r.KPI = strings.Replace(r.KPI, " ? ", " and not (known(activityCode) and activityCode in ["+strings.Join(codes, ", ")+"]) ? ", 1)
		}
	}
}
