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

// Situations groups alerts into situations.
type Situations interface {
	// Update takes a snapshot and its alerts. It returns the same view again if nothing has changed.
	Update(s *model.Snapshot, active []alert.Alert, changes []alert.Change, now time.Time) *situation.View
	// Hour returns the states of an agent on a channel in the hour before a time.
	Hour(k model.UserStatKey, now time.Time) diagnosis.Hour
}

// SharedEngine is an engine that several boards share, together with its situations.
type SharedEngine interface {
	Engine
	Situations() Situations
}

// CachingEngine is a [SharedEngine] that runs once per feed for all its viewers, and caches the data
// that boards derive from its alerts.
type CachingEngine interface {
	SharedEngine
	// Usual sets the function that returns typical call volumes.
	Usual(volume TypicalVolume)
	// MaskText masks the names that viewers of its alerts must not see.
	MaskText(text string) string
	// KeepsAlerts reports whether alerts survive a restart of the boards.
	KeepsAlerts() bool
	// WatchedSince returns the server time since which situations are known; zero: unknown.
	WatchedSince() time.Time
	// Notes returns the notes about the floor.
	Notes() *statefile.NoteBook
	// Cached returns the result of made, which derives data from the active and the ended alerts.
	// It calls made once for all boards, and again only after the engine has evaluated another
	// snapshot or if fresh is true. previous is the last result, nil at first. Cached also returns
	// the situations and the snapshot of that evaluation, nil if unknown; the snapshot may be newer
	// than that of this board.
	Cached(fresh bool, made func(active, ended []alert.Alert, view *situation.View, previous any) any) (derived any, view *situation.View, of *model.Snapshot)
}

// RecordedEngine is an engine for a recording that contains the situations of that time.
type RecordedEngine interface {
	Engine
	// Journal returns the recorded situations; nil: none.
	Journal() *situation.Journal
}

// Engine evaluates rules and keeps the history of the figures.
type Engine interface {
	plots.FigureSource
	render.Trends

	// Evaluate evaluates a snapshot at a time of the server's clock and returns the changes
	// since this board's previous call.
	Evaluate(s *model.Snapshot, now time.Time) []alert.Change
	// Active returns the active alerts, most urgent first.
	Active() []alert.Alert
	// History returns the ended alerts.
	History() []alert.Alert
	// AlertsOf returns the active alerts about a record.
	AlertsOf(k alert.Key) []alert.Alert
	// ExplainAlert returns the conditions and values that raised an alert.
	ExplainAlert(id string) (alert.Explanation, error)
	// Acknowledge stores that a user takes over an alert. It may return alert.ErrNotActive or
	// alert.ErrNoName.
	Acknowledge(id, user, note string, now time.Time) (alert.Alert, error)
	// Silencer returns the store of snoozes.
	Silencer() *alert.Silencer
	// Unjudged returns the rules that a record violates without an alert, because there are
	// too few calls.
	Unjudged(k alert.Key) []alert.Unjudged
	// KPIs returns the figures of a scope.
	KPIs(s alert.Scope) []alert.KPI
	// FreezeTrends returns a copy of the current samples.
	FreezeTrends() *alert.FrozenTrends
}
