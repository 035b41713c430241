package alert

import (
	"wallboard/model"
	"wallboard/model/kpi"
)

// Scope is the kind of record that an expression is about.
type Scope = model.Scope

// The scopes.
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

// Key names the record that a figure or an alert is about.
type Key struct {
	Scope Scope
	// Code is a service's or group's code, a username, a campaign's id in
	// decimal, the name of a subscription or "link"; "" for the floor.
	Code    string
	Channel model.Channel // "" for campaigns and the feed
}

// String returns the key as it is part of an alert's ID.
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

// Name returns what people call the record, its code where they call it nothing
// else.
func (k Key) Name(names model.Names) string { return names.Of(k.nameKind(), k.Code) }

// nameKind returns the kind of name that people call the key's code by.
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

// Level is how urgent something is.
type Level uint8

// The levels, in the order of urgency.
const (
	Normal Level = iota
	Warning
	Critical
)

// String returns the level as it is written in a configuration.
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

// Format is how a figure is written.
type Format string

// The formats. The empty one is that of what the figure is made of.
const (
	Number   = Format(kpi.Number)
	Percent  = Format(kpi.Percent)
	Duration = Format(kpi.Duration)
)

// Formats returns all formats.
func Formats() []Format { return []Format{Number, Percent, Duration} }

// Direction says which values of a figure are better.
type Direction = kpi.Direction

// The directions. The empty one follows from the figure or its thresholds.
const (
	Lower  = kpi.Lower
	Higher = kpi.Higher
)

// Directions returns all directions.
func Directions() []Direction { return []Direction{Lower, Higher} }

// Thresholds are the levels of a figure. An unknown part is none.
//
// Of a figure whose lower values are better, a value that reaches a threshold
// is beyond it; of one whose higher values are better, a value below it.
type Thresholds struct {
	Warning, Critical model.Float
	// Recovery is what the value must come back to before the warning ends, so
	// that a value that moves about the threshold does not ring with every
	// move. A critical alert needs the same way back from its own threshold.
	Recovery model.Float
}

// of returns the threshold of a level.
func (t *Thresholds) of(l Level) model.Float {
	switch l {
	case Warning:
		return t.Warning
	case Critical:
		return t.Critical
	case Normal:
	}
	return model.Float{}
}

// Goal is what a service is measured by.
type Goal = kpi.Goal
