package alerts

import (
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/situation/track"
	"wallboard/ui/plots"
	"wallboard/ui/render"
)

// Situations makes of alerts what a person has to know. The same view again says that
// nothing has changed.
type Situations interface {
	Look(s *model.Snapshot, active []alert.Alert, changes []alert.Change, now time.Time) *situation.View
	// Hour tells what an agent did in the hour before a time on a channel.
	Hour(k model.UserStatKey, now time.Time) track.Hour
}

// Shared is an engine that several boards share, with the situations that it finds.
type Shared interface {
	Engine
	Situations() Situations
}

// Common is a [Pool] that stands between a feed and all who look at it.
type Common interface {
	Pool
	// Usual has it know what usually comes.
	Usual(of Usual)
	// Public is a text without what may not be read by who sees its alerts.
	Public(text string) string
	// Keeps reports whether alerts outlive the boards.
	Keeps() bool
}

// Pool is a [Shared] engine that keeps what boards make of its alerts.
type Pool interface {
	Shared
	// Once returns what is made of the alerts, those that are not over first: once for all
	// boards and not again before the engine has looked at a picture, unless it is to be
	// fresh. before is what was made of them last, nil at first.
	Once(fresh bool, made func(active, ended []alert.Alert, before any) any) any
}

// Engine says what is wrong on the floor, and what its figures are and have been.
type Engine interface {
	plots.Measures
	render.Trends

	// Evaluate looks at a picture, at a time of the server's clock.
	Evaluate(s *model.Snapshot, now time.Time) []alert.Change
	// Active returns the alerts that are not over, the most urgent first, History
	// those that are.
	Active() []alert.Alert
	History() []alert.Alert
	// Of returns the active alerts about a record.
	Of(k alert.Key) []alert.Alert
	// ExplainAlert says how an alert came about.
	ExplainAlert(id string) (alert.Explanation, error)
	// Acknowledge notes who has taken an alert over. Errors: alert.ErrNotActive,
	// alert.ErrNobody.
	Acknowledge(id, who, note string, now time.Time) (alert.Alert, error)
	// Silencer keeps alerts quiet.
	Silencer() *alert.Silencer
	// Unjudged says why a record that looks bad has no alert.
	Unjudged(k alert.Key) []alert.Unjudged
	// KPIs returns the figures of a scope.
	KPIs(s alert.Scope) []alert.KPI
	// Hold returns the samples as they are now.
	Hold() *alert.Trends
}
