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
	Scope     string   `toml:"scope"` // One of alert.Scopes; "" is that of the list given, else service.
	Services  []string `toml:"services"`
	Groups    []string `toml:"groups"`
	Campaigns []int    `toml:"campaigns"`
	Users     []string `toml:"users"`
	Channels  []string `toml:"channels"` // Empty: all.
}

// ServiceLevel is what services are measured by.
type ServiceLevel struct {
	Services      []string `toml:"services"`       // Codes; empty: all that no other block names.
	Formula       string   `toml:"formula"`        // One of model.ServiceLevelFormulas; "" is that of all services.
	Target        Limit    `toml:"target"`         // Share of calls in time; none is that of all services.
	AbandonTarget Limit    `toml:"abandon_target"` // Share of callers who gave up; none is that of all services.
}

// KPI is a figure of one's own; see [alert.KPI].
type KPI struct {
	Name      string `toml:"name"`
	Title     string `toml:"title"`
	Scope     string `toml:"scope"` // "" is service.
	Expr      string `toml:"expr"`
	Format    string `toml:"format"`
	Target    Limit  `toml:"target"`
	Direction string `toml:"direction"`
}

// Threshold raises an alert when a figure reaches a level. Without a name it
// takes the place of the built-in rule for the same figure, if there is one.
type Threshold struct {
	KPI string `toml:"kpi"` // The name of a figure, or an expression.
	Records
	Name      string        `toml:"name"`
	Warning   Limit         `toml:"warning"`
	Critical  Limit         `toml:"critical"`
	Recovery  Limit         `toml:"recovery"`
	Direction string        `toml:"direction"`
	Calls     string        `toml:"calls"`     // Of a share: what its calls are counted by, the name of a figure or an expression; "" is those that came.
	MinCalls  *int          `toml:"min_calls"` // With fewer calls nothing is judged; none is that of the built-in rule, else 0.
	MinOver   *int          `toml:"min_over"`  // So many calls more than the level allows must have gone wrong; none as for min_calls.
	For       time.Duration `toml:"for"`
	Message   string        `toml:"message"`
	Bell      bool          `toml:"bell"`
	Notify    []string      `toml:"notify"`
}

// Alert raises an alert when a condition is met; see [alert.Rule].
type Alert struct {
	Name string `toml:"name"`
	Records
	When     string        `toml:"when"`
	Recover  string        `toml:"recover"`
	Severity string        `toml:"severity"` // "" is warning.
	For      time.Duration `toml:"for"`
	Message  string        `toml:"message"`
	Bell     bool          `toml:"bell"`
	Notify   []string      `toml:"notify"`
}

// Builtin changes a built-in rule. What is not set stays as it is.
type Builtin struct {
	Rule     string         `toml:"rule"`
	Scope    string         `toml:"scope"` // "": every scope that has the rule.
	Off      *bool          `toml:"off"`
	Warning  Limit          `toml:"warning"`
	Critical Limit          `toml:"critical"`
	Recovery Limit          `toml:"recovery"` // None: it moves along with Warning.
	Severity string         `toml:"severity"`
	MinCalls *int           `toml:"min_calls"`
	MinOver  *int           `toml:"min_over"`
	For      *time.Duration `toml:"for"`
	Bell     *bool          `toml:"bell"`
	Notify   []string       `toml:"notify"`
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
	campaigns := make([]string, len(c.Campaigns))
	for i, id := range c.Campaigns {
		campaigns[i] = strconv.Itoa(id)
	}
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
