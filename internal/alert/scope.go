package alert

import (
	"wallboard/model"
	"wallboard/model/kpi"
)

// Scope is the kind of record that an expression is about.
type Scope = model.Scope

// Scopes.
const (
	Service  = model.ScopeService
	Group    = model.ScopeGroup
	User     = model.ScopeUser
	Campaign = model.ScopeCampaign
	Floor    = model.ScopeFloor
	Feed     = model.ScopeFeed
)

// Scopes returns all scopes.
func Scopes() []Scope { return []Scope{Service, Group, User, Campaign, Floor, Feed} }

// Key identifies the record that a figure or an alert is about.
type Key struct {
	Scope Scope
	// Code is the code of a service or group, a username, a campaign ID in decimal, the name of a
	// subscription, or "link". It is "" for the floor.
	Code    string
	Channel model.Channel // "" for campaigns and the feed
}

// String returns the key as a string, which is part of alert IDs.
func (k Key) String() string {
	s := string(k.Scope)
	if k.Code != "" {
		s += ":" + k.Code
	}
	if k.Channel != "" {
		s += ":" + string(k.Channel)
	}
	return s
}

// Name returns the display name of the record in a snapshot, or its code if it has no name.
func (k Key) Name(names model.Names, s *model.Snapshot) string {
	return names.NameInSnapshot(s, k.nameKind(), k.Code)
}

// nameKind returns the kind of name that the record has in [model.Names], or "" if it has none.
func (k Key) nameKind() model.NameKind {
	switch k.Scope {
	case Service:
		return model.NameService
	case Group:
		return model.NameGroup
	case User:
		return model.NameUser
	case Campaign:
		return model.NameCampaign
	case Floor, Feed:
	}
	return ""
}

// Level is the urgency of an alert.
type Level uint8

// Levels, from the least to the most urgent.
const (
	Normal Level = iota
	Warning
	Critical
)

// String returns the name that the level has in configuration files.
func (l Level) String() string {
	switch l {
	case Warning:
		return "warning"
	case Critical:
		return "critical"
	case Normal:
	}
	return "normal"
}

// Format is the display format of a figure.
type Format string

// The formats. If a figure has no format, the format of its expression is used.
const (
	Number   = Format(kpi.Number)
	Percent  = Format(kpi.Percent)
	Duration = Format(kpi.Duration)
)

// Unit returns the unit of figures with the format.
func (f Format) Unit() kpi.Unit { return kpi.Unit(f) }

// Formats returns all formats.
func Formats() []Format { return []Format{Number, Percent, Duration} }

// Direction says which values of a figure are better.
type Direction = kpi.Direction

// The directions. A rule without a direction has the one of its KPI or, if there is none, the one
// that its thresholds imply.
const (
	LowerIsBetter  = kpi.LowerIsBetter
	HigherIsBetter = kpi.HigherIsBetter
)

// Directions returns all directions.
func Directions() []Direction { return []Direction{LowerIsBetter, HigherIsBetter} }

// Thresholds holds the thresholds of a figure. A threshold that is unknown is not set.
//
// If lower values are better, a value at or above a threshold violates it. If higher values are
// better, a value below it does.
type Thresholds struct {
	Warning, Critical model.Float
	// Recovery is the value at which a warning ends. Its distance from the threshold prevents
	// repeated alerts when the value fluctuates. A critical alert ends at the same distance from
	// its threshold.
	Recovery model.Float
}

// level returns the threshold of a level. If the threshold is not set, the result is unknown.
func (t *Thresholds) level(l Level) model.Float {
	switch l {
	case Warning:
		return t.Warning
	case Critical:
		return t.Critical
	case Normal:
	}
	return model.Float{}
}

// Goal holds the targets of a service.
type Goal = kpi.Goal
