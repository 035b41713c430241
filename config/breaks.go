package config

import (
	"fmt"
	"slices"
	"strconv"
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
			rules = append(rules, alert.Rule{
				Name: label, Scope: alert.User, Severity: alert.Warning,
				When:    on + figure + " > " + strconv.FormatInt(int64(limit/time.Second), 10),
				Message: "{title}: " + said + " {" + figure + "|duration}, " + limit.String() + " allowed",
			})
			from = append(from, path)
		}
		rule("per_time", name+" too long", b.PerTime, "timeInState", "{activityCode} for")
		rule("per_day", name+" of the day", b.PerDay, fmt.Sprintf("timeInActivityCode(%q)", b.Code), "{activityCode} today")
	}
	return rules, from
}

// BreakLimits returns what the activity codes allow.
func (c *Config) BreakLimits() []breaks.Limit {
	out := make([]breaks.Limit, 0, len(c.Breaks))
	for i := range c.Breaks {
		out = append(out, breaks.Limit(c.Breaks[i]))
	}
	return out
}
