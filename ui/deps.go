package ui

import (
	"context"
	"time"

	"wallboard/alert"
	"wallboard/model"
)

// SnapshotSource is where the board gets the picture of the floor from. It
// must be safe for concurrent use: every viewer pulls at its own pace.
type SnapshotSource interface {
	// Latest returns the newest snapshot, nil before the first.
	Latest() *model.Snapshot
	// Wait returns the newest snapshot as soon as there is one with a Seq
	// greater than after, or the context's error.
	Wait(ctx context.Context, after uint64) (*model.Snapshot, error)
}

// Engine says what is wrong on the floor, and what its figures are and have been.
// [alert.Engine] is one, for a board that has it to itself.
//
// One that several boards share evaluates a picture once, whoever hands it over,
// and returns to each board what has changed since that one asked. The board calls
// it from Update only, and keeps nothing that it returns but a Hold.
type Engine interface {
	// Evaluate looks at a picture, at a time of the server's clock.
	Evaluate(s *model.Snapshot, now time.Time) []alert.Change
	// Active returns the alerts that are not over, the most urgent first, History
	// those that are.
	Active() []alert.Alert
	History() []alert.Alert
	// Of returns the active alerts about a record.
	Of(k alert.Key) []alert.Alert
	// Acknowledge notes who has taken an alert over. Errors: alert.ErrNotActive,
	// alert.ErrNobody.
	Acknowledge(id, who, note string, now time.Time) (alert.Alert, error)
	// ExplainAlert says how an alert came about, Unjudged why a record that looks
	// bad has none.
	ExplainAlert(id string) (alert.Explanation, error)
	Unjudged(k alert.Key) []alert.Unjudged
	// Recall gives it alerts of a board before, which Options.Keep has kept.
	Recall(alerts []alert.Alert)
	// Forget lets go of the alerts about records of a scope.
	Forget(s alert.Scope)

	// KPIs returns the figures of a scope, Charted those that Trend has samples of.
	KPIs(s alert.Scope) []alert.KPI
	Charted(s alert.Scope) []alert.KPI
	// Goal is what a service is measured by; "" is the floor.
	Goal(service string) alert.Goal
	// Value is the present value of a figure of a record.
	Value(name string, k alert.Key) model.Figure
	// Trend appends the samples of a figure over a span to dst.
	Trend(dst []float64, name string, k alert.Key, span time.Duration) alert.Trend
	// Hold returns the samples as they are now.
	Hold() *alert.Trends
}

var _ Engine = (*alert.Engine)(nil)
