package alerts

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/hub"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/render"
	"wallboard/ui/widgets"
)

// Engine evaluates rules, groups the alerts into situations, and keeps the history of the figures.
// Several boards can share an engine; *hub.Viewer implements it.
type Engine interface {
	widgets.FigureSource
	render.Trends

	// Evaluate evaluates a snapshot. It returns the changes of situations since the last call by
	// the same board, and whether anything was updated since then. now is on the server's clock.
	Evaluate(s *model.Snapshot, now time.Time) (news []situation.Change, updated bool)
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
	// SmallSampleViolations returns the rules that a record violates without raising an alert, because the
	// record has too few calls.
	SmallSampleViolations(k alert.Key) []alert.SmallSampleViolation
	// KPIs returns the figures that exist for records of a scope.
	KPIs(s alert.Scope) []alert.KPI
	// FreezeTrends returns a copy of the trends that later evaluations do not change.
	FreezeTrends() *alert.FrozenTrends
	// CachedResult returns the result of made, which derives data from the active and the ended alerts. The
	// boards of the engine share the result: CachedResult calls made again only if fresh is true or the engine
	// has evaluated another snapshot. The parameter previous of made is the last result, or nil at first.
	// CachedResult also returns the situations and the snapshot of the engine's last evaluation, or nil if they
	// are unknown. This snapshot may be newer than that of the board.
	CachedResult(fresh bool, made func(active, ended []alert.Alert, view *situation.View, previous any) any) (derived any, view *situation.View, of *model.Snapshot)
	// SetLanguage sets the language of the texts of situations; nil means English.
	SetLanguage(l *words.Language)
	// SetTypicalVolume sets the function that returns how many contacts per minute a service typically has.
	SetTypicalVolume(volume hub.TypicalVolume)
	// Observations returns the notes, breaks and forecasts of the floor.
	Observations() hub.Observations
	// MaskText masks the names in text that the viewers of the engine's alerts may not see.
	MaskText(text string) string
	// PersistsAlerts reports whether the alerts survive a restart of the boards.
	PersistsAlerts() bool
	// TrackedSince returns the time since which the engine has known the situations, on the
	// server's clock. The zero time means that it is unknown.
	TrackedSince() time.Time
}
