package config

import (
	"strconv"
	"strings"
	"time"

	"wallboard/alert"
	"wallboard/model"
)

// Records say what a threshold or an alert is about. One list of codes at most
// may be given, that of the scope; without one it is about all of them.
type Records struct {
	Scope     string   `toml:"scope"`     // What it is about: service, group, user, campaign, floor or feed; "" is that of the list of codes, else service.
	Services  []string `toml:"services"`  // Codes, of the scope service; empty: all.
	Groups    []string `toml:"groups"`    // Codes, of the scope group; empty: all.
	Campaigns []int    `toml:"campaigns"` // Ids, of the scope campaign; empty: all.
	Users     []string `toml:"users"`     // User names, of the scope user; empty: all.
	Channels  []string `toml:"channels"`  // Channels, for example CALL or CHAT; empty: all.
}

// ServiceLevel is what services are measured by.
type ServiceLevel struct {
	Services      []string `toml:"services"`       // Codes; empty: all that no other block names.
	Formula       string   `toml:"formula"`        // How abandoned calls count: all_abandons, answered_only or short_ignored; "" is as for all services.
	Target        Limit    `toml:"target"`         // Share of calls to answer in time; not set: that of all services.
	AbandonTarget Limit    `toml:"abandon_target"` // Share of callers who may give up; not set: that of all services.
}

// KPI is a figure of one's own; see [alert.KPI].
type KPI struct {
	Name      string `toml:"name"`      // A word for other expressions: letters, digits and _.
	Title     string `toml:"title"`     // What people call it: the heading of its column.
	Scope     string `toml:"scope"`     // What it is a figure of: service, group, user, campaign, floor or feed; "" is service.
	Expr      string `toml:"expr"`      // The expression that it is computed by; docs/alerts.md says what it may hold.
	Format    string `toml:"format"`    // number, percent (of a share) or duration (of seconds); "" is that of what it is made of.
	Target    Limit  `toml:"target"`    // What it should reach.
	Direction string `toml:"direction"` // Which values are better: lower or higher.
}

// Threshold raises an alert when a figure reaches a level. Without a name it
// takes the place of the built-in rule for the same figure, if there is one.
type Threshold struct {
	KPI string `toml:"kpi"` // The name of a figure, or an expression.
	Records
	Name      string        `toml:"name"`      // What the alert is called; "" takes the place of the built-in rule for the same figure.
	Warning   Limit         `toml:"warning"`   // Level from which it is a warning.
	Critical  Limit         `toml:"critical"`  // Level from which it is critical.
	Recovery  Limit         `toml:"recovery"`  // What the figure must come back to before the alert ends; not set: the level itself.
	Direction string        `toml:"direction"` // Which values are better: lower or higher; "" is as the figure says.
	Calls     string        `toml:"calls"`     // Of a share: what its calls are counted by, the name of a figure or an expression; "" is those that came.
	MinCalls  *int          `toml:"min_calls"` // With fewer calls nothing is judged; none is that of the built-in rule, else 0.
	MinOver   *int          `toml:"min_over"`  // So many calls more than the level allows must have gone wrong; none as for min_calls.
	For       time.Duration `toml:"for"`       // How long the level must have been reached.
	Message   string        `toml:"message"`   // What the alert says; {title}, {value} and the names of figures stand for themselves.
	Bell      bool          `toml:"bell"`      // Ring the terminal's bell.
	Notify    []string      `toml:"notify"`    // Names that go with the alert, for whoever delivers it.
}

// Alert raises an alert when a condition is met; see [alert.Rule].
type Alert struct {
	Name string `toml:"name"` // What the alert is called.
	Records
	When     string        `toml:"when"`     // The condition that raises it.
	Recover  string        `toml:"recover"`  // The condition that ends it; "" ends it with the other.
	Severity string        `toml:"severity"` // warning or critical; "" is warning.
	For      time.Duration `toml:"for"`      // How long the condition must have been met.
	Message  string        `toml:"message"`  // What the alert says; {title} and the names of figures stand for themselves.
	Bell     bool          `toml:"bell"`     // Ring the terminal's bell.
	Notify   []string      `toml:"notify"`   // Names that go with the alert, for whoever delivers it.
}

// Builtin changes a built-in rule. What is not set stays as it is.
type Builtin struct {
	Rule     string         `toml:"rule"`      // The name of the rule; docs/alerts.md lists them.
	Scope    string         `toml:"scope"`     // Of rules for several scopes, the one that is meant; "" is all.
	Off      *bool          `toml:"off"`       // Switch it off.
	Warning  Limit          `toml:"warning"`   // Of rules with levels: from where it is a warning.
	Critical Limit          `toml:"critical"`  // Of rules with levels: from where it is critical.
	Recovery Limit          `toml:"recovery"`  // Of rules with levels: what ends it; not set: it moves along with warning.
	Severity string         `toml:"severity"`  // Of rules with a condition: warning or critical.
	MinCalls *int           `toml:"min_calls"` // Of rules about a share: with fewer calls nothing is judged.
	MinOver  *int           `toml:"min_over"`  // Of rules about a share: so many calls more than the level allows must have gone wrong.
	For      *time.Duration `toml:"for"`       // How long it must have been met.
	Bell     *bool          `toml:"bell"`      // Ring the terminal's bell.
	Notify   []string       `toml:"notify"`    // Names that go with the alert, for whoever delivers it.
}

// Limit is a level of a figure: 12, 0.8, "80%" or "1m30s". The zero Limit is
// none.
type Limit struct {
	Value model.Float  // Of percents a share, of durations seconds.
	Unit  alert.Format // Percent or Duration if the file says so, else Number.
}

func (r *report) decodeLimit(path string, value any, into *Limit) {
	const remedy = `write a number, or in quotes a percentage or a duration: 12, "80%", "1m30s"`
	switch v := value.(type) {
	case int64:
		*into = Limit{model.FloatOf(float64(v)), alert.Number}
	case float64:
		*into = Limit{model.FloatOf(v), alert.Number}
	case string:
		if percent, ok := strings.CutSuffix(v, "%"); ok {
			f, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
			if err == nil {
				*into = Limit{model.FloatOf(f / 100), alert.Percent}
			}
		} else if d, err := time.ParseDuration(v); err == nil {
			*into = Limit{model.FloatOf(d.Seconds()), alert.Duration}
		}
	default:
		r.wrongType(path, "a level", value, remedy)
		return
	}
	if !into.Value.Known() {
		shown := "the value"
		if s, ok := value.(string); ok {
			shown = quoted(s)
		}
		r.add(path, shown+" is not a level", remedy)
	}
}

// among returns the scope and the codes that are meant.
func (c *Records) among(r *report, path string) (scope alert.Scope, codes []string) {
	campaigns := numbersOf(c.Campaigns)
	scope = alert.Scope(c.Scope)
	for _, list := range []struct {
		key   string
		scope alert.Scope
		codes []string
	}{
		{"services", alert.Service, c.Services},
		{"groups", alert.Group, c.Groups},
		{"campaigns", alert.Campaign, campaigns},
		{"users", alert.User, c.Users},
	} {
		if len(list.codes) == 0 {
			continue
		}
		key := join(path, list.key)
		checkCodes(r, key, list.codes)
		if scope == "" {
			scope = list.scope
		}
		if scope != list.scope {
			r.add(key, "does not fit: this is about the scope "+string(scope),
				"name "+list.key+` only where scope = "`+string(list.scope)+`"`)
			continue
		}
		codes = list.codes
	}
	if scope == "" {
		scope = alert.Service
	}
	oneOf(r, join(path, "scope"), string(scope), texts(alert.Scopes()))
	known := model.Channels()
	for i, ch := range c.Channels {
		oneOf(r, element(join(path, "channels"), i), ch, texts(known[:]))
	}
	return scope, codes
}

// texts returns the plain texts of a list.
func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// optional is oneOf for what may be left out.
func optional(r *report, key, value string, allowed []string) {
	if value != "" {
		oneOf(r, key, value, allowed)
	}
}
