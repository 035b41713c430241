package alerts

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/internal/alert/statefile"
	"wallboard/model"
	"wallboard/ui/plots"
	"wallboard/ui/render"
)

// Situations groups alerts about related records into situations.
type Situations interface {
	// Update updates the situations from a snapshot, the active alerts of the snapshot, and the
	// changes of alerts since the last call. If no situation has changed, it returns the same view
	// as before.
	Update(s *model.Snapshot, active []alert.Alert, changes []alert.Change, now time.Time) *situation.View
	// Hour returns the states of an agent on a channel during the hour before now.
	Hour(k model.UserStatKey, now time.Time) diagnosis.Hour
}

// SharedEngine is an engine that several boards share together with its situations.
type SharedEngine interface {
	Engine
	Situations() Situations
}

// CachingEngine is a [SharedEngine] that evaluates a feed for all viewers of the feed. It also
// caches the data that boards compute from its alerts.
type CachingEngine interface {
	SharedEngine
	// Usual sets the function that returns the typical number of contacts of a service.
	Usual(volume TypicalVolume)
	// MaskText returns text with masks in place of the names that the viewers of the engine's
	// alerts must not see.
	MaskText(text string) string
	// KeepsAlerts reports whether the alerts are kept when the boards are started again.
	KeepsAlerts() bool
	// WatchedSince returns the time since which the engine knows the situations, on the server's
	// clock. It returns the zero time if this time is unknown.
	WatchedSince() time.Time
	// Notes returns the notes about the floor.
	Notes() *statefile.NoteBook
	// Cached returns the data that made computes from the active and the ended alerts. It calls
	// made once for all boards. It calls made again only if fresh is true or the engine has
	// evaluated another snapshot. The parameter previous of made is the last result, or nil in the
	// first call. Cached also returns the situations and the snapshot of the engine's last
	// evaluation, or nil if they are unknown. This snapshot may be newer than the snapshot of the
	// board.
	Cached(fresh bool, made func(active, ended []alert.Alert, view *situation.View, previous any) any) (derived any, view *situation.View, of *model.Snapshot)
}

// RecordedEngine is an engine for a recording that contains the situations of the recorded time.
type RecordedEngine interface {
	Engine
	// Journal returns the situations in the recording, or nil if it contains none.
	Journal() *situation.Journal
}

// Engine evaluates alert rules and keeps the history of figures.
type Engine interface {
	plots.FigureSource
	render.Trends

	// Evaluate evaluates a snapshot. It returns the changes of the alerts since the last call by
	// the same board. now is the time on the server's clock.
	Evaluate(s *model.Snapshot, now time.Time) []alert.Change
	// Active returns the active alerts, the most urgent first.
	Active() []alert.Alert
	// History returns the alerts that have ended.
	History() []alert.Alert
	// AlertsOf returns the active alerts about a record, the most urgent first.
	AlertsOf(k alert.Key) []alert.Alert
	// ExplainAlert returns the conditions and values that have raised an alert.
	ExplainAlert(id string) (alert.Explanation, error)
	// Acknowledge stores that a user takes over the alert with the given ID, and returns the alert.
	// The error may be alert.ErrNotActive or alert.ErrNoName.
	Acknowledge(id, user, note string, now time.Time) (alert.Alert, error)
	// Silencer returns the store of the snoozes.
	Silencer() *alert.Silencer
	// Unjudged returns the rules that a record violates without raising an alert, because the
	// record has too few calls.
	Unjudged(k alert.Key) []alert.Unjudged
	// KPIs returns the figures that exist for records of a scope.
	KPIs(s alert.Scope) []alert.KPI
	// FreezeTrends returns a copy of the trends, which later evaluations do not change.
	FreezeTrends() *alert.FrozenTrends
}
