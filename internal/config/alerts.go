package config

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

// Records selects the records of a threshold or an alert. At most one list of codes may be
// set, the one of the scope; without a list, all records of the scope are selected.
type Records struct {
	Scope     string   `toml:"scope"`     // service, group, user, campaign, floor or feed; "": the scope of the list of codes, else service.
	Services  []string `toml:"services"`  // Codes, for the scope service; empty: all.
	Groups    []string `toml:"groups"`    // Codes, for the scope group; empty: all.
	Campaigns []int    `toml:"campaigns"` // IDs, for the scope campaign; empty: all.
	Users     []string `toml:"users"`     // User names, for the scope user; empty: all.
	Channels  []string `toml:"channels"`  // Channels, for example CALL or CHAT; empty: all.
}

// ServiceLevel sets the targets of services.
type ServiceLevel struct {
	Services      []string `toml:"services"`       // Codes; empty: all services that no other block names.
	Formula       string   `toml:"formula"`        // How abandoned calls count: all_abandons, answered_only or short_ignored; "": as for all services.
	Target        Limit    `toml:"target"`         // Share of calls to answer in time; not set: as for all services.
	AbandonTarget Limit    `toml:"abandon_target"` // Share of callers who may abandon; not set: as for all services.
}

// KPI is a custom figure; see [alert.KPI].
type KPI struct {
	Name      string `toml:"name"`      // Its name in expressions and in lists of columns.
	Title     string `toml:"title"`     // Display name and heading of its column; "": its name.
	Scope     string `toml:"scope"`     // service, group, user, campaign, floor or feed; "": service.
	Expr      string `toml:"expr"`      // Expression for the value; wallboard docs alerts describes the syntax.
	Format    string `toml:"format"`    // number, percent (of a share) or duration (of seconds); "": the format of its parts.
	Target    Limit  `toml:"target"`    // Target value.
	Direction string `toml:"direction"` // Which values are better: lower or higher.
}

// Threshold raises an alert when a figure reaches a level. Without a name it replaces the
// built-in rule for the same figure, if there is one.
type Threshold struct {
	KPI string `toml:"kpi"` // Name of a figure, or an expression.
	Records
	Name      string        `toml:"name"`      // Name of the alert; "": replaces the built-in rule for the same figure.
	Warning   Limit         `toml:"warning"`   // Level of a warning.
	Critical  Limit         `toml:"critical"`  // Level of a critical alert.
	Recovery  Limit         `toml:"recovery"`  // Level at which the alert ends; not set: the level that raised it.
	Direction string        `toml:"direction"` // Which values are better: lower or higher; "": as defined by the figure.
	Calls     string        `toml:"calls"`     // For a share: its number of calls, as a figure's name or an expression; "": received calls.
	MinCalls  *int          `toml:"min_calls"` // Do not judge fewer calls than this; not set: as in the built-in rule, else 0.
	MinOver   *int          `toml:"min_over"`  // Raise the alert only if this many more calls failed than the level allows; not set: as for min_calls.
	For       time.Duration `toml:"for"`       // How long the level must be reached.
	Message   string        `toml:"message"`   // Text of the alert, with {title}, {value} and names of figures in braces.
	Bell      bool          `toml:"bell"`      // Ring the terminal's bell.
	Notify    []string      `toml:"notify"`    // Names of [[notify]] blocks that deliver the alert.
}

// Alert raises an alert when a condition is true; see [alert.Rule].
type Alert struct {
	Name string `toml:"name"` // Name of the alert.
	Records
	When     string        `toml:"when"`     // Condition that raises the alert.
	Recover  string        `toml:"recover"`  // Condition that ends the alert; "": it ends when the other condition is false.
	Severity string        `toml:"severity"` // warning or critical; "": warning.
	For      time.Duration `toml:"for"`      // How long the condition must be true.
	Message  string        `toml:"message"`  // Text of the alert, with {title} and names of figures in braces.
	Bell     bool          `toml:"bell"`     // Ring the terminal's bell.
	Notify   []string      `toml:"notify"`   // Names of [[notify]] blocks that deliver the alert.
}

// Builtin changes a built-in rule. Keys that are not set keep the rule's values.
type Builtin struct {
	Rule     string         `toml:"rule"`      // Name of the rule; wallboard docs alerts lists them.
	Scope    string         `toml:"scope"`     // For rules with several scopes, the one to change; "": all.
	Off      *bool          `toml:"off"`       // Disable the rule.
	Warning  Limit          `toml:"warning"`   // For rules with levels: level of a warning.
	Critical Limit          `toml:"critical"`  // For rules with levels: level of a critical alert.
	Recovery Limit          `toml:"recovery"`  // For rules with levels: level at which the alert ends; not set: it moves with warning.
	Severity string         `toml:"severity"`  // For rules with a condition: warning or critical.
	MinCalls *int           `toml:"min_calls"` // For rules about a share: do not judge fewer calls than this.
	MinOver  *int           `toml:"min_over"`  // For rules about a share: raise the alert only if this many more calls failed.
	For      *time.Duration `toml:"for"`       // How long the rule must match.
	Bell     *bool          `toml:"bell"`      // Ring the terminal's bell.
	Notify   []string       `toml:"notify"`    // Names of [[notify]] blocks that deliver the alert.
}

// Limit is a level of a figure: 12, 0.8, "80%" or "1m30s". The zero Limit means not set.
type Limit struct {
	Value model.Float  // Percentages as a share, durations in seconds.
	Unit  alert.Format // Percent or Duration if written so in the file, else Number.
}

func (r *report) decodeLimit(path string, value any, target *Limit) {
	const remedy = `write a number, or in quotes a percentage or a duration: 12, "80%", "1m30s"`
	switch v := value.(type) {
	case int64:
		*target = Limit{model.FloatOf(float64(v)), alert.Number}
	case float64:
		*target = Limit{model.FloatOf(v), alert.Number}
	case string:
		if percent, ok := strings.CutSuffix(v, "%"); ok {
			f, err := strconv.ParseFloat(strings.TrimSpace(percent), 64)
			if err == nil {
				*target = Limit{model.FloatOf(f / 100), alert.Percent}
			}
		} else if d, err := time.ParseDuration(v); err == nil {
			*target = Limit{model.FloatOf(d.Seconds()), alert.Duration}
		}
	default:
		r.wrongType(path, "a level", value, remedy)
		return
	}
	if !target.Value.Known() {
		text := "the value"
		if s, ok := value.(string); ok {
			text = quoteValue(s)
		}
		r.add(path, text+" is not a level", remedy)
	}
}

// selection returns the scope and the codes of the selected records. It adds problems for keys that
// cannot be combined. An empty list of codes selects all records of the scope.
func (c *Records) selection(r *report, path string) (scope alert.Scope, codes []string) {
	campaigns := formatInts(c.Campaigns)
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
		key := joinKey(path, list.key)
		checkCodes(r, key, list.codes)
		if scope == "" {
			scope = list.scope
		}
		if scope != list.scope {
			r.add(key, "does not apply: the scope is "+string(scope),
				"set "+list.key+` only with scope = "`+string(list.scope)+`"`)
			continue
		}
		codes = list.codes
	}
	if scope == "" {
		scope = alert.Service
	}
	checkOneOf(r, joinKey(path, "scope"), string(scope), toStrings(alert.Scopes()))
	known := model.Channels()
	for i, ch := range c.Channels {
		checkOneOf(r, elementKey(joinKey(path, "channels"), i), ch, toStrings(known[:]))
	}
	return scope, codes
}

func toStrings[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// checkOptional adds a problem if a value is neither empty nor in allowed.
func checkOptional(r *report, key, value string, allowed []string) {
	if value != "" {
		checkOneOf(r, key, value, allowed)
	}
	r.recordAllowed(key, append(slices.Clone(allowed), "")...)
}
