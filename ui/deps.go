package ui

import (
	"context"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/alerts"
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

// Past is a [SnapshotSource] whose pictures are of a time before: the board says so,
// and never calls them live.
type Past interface{ Past() bool }

// Engine says what is wrong on the floor, and what its figures are and have been.
// [alert.Engine] is one, for a board that has it to itself.
//
// One that several boards share evaluates a picture once, whoever hands it over,
// and returns to each board what has changed since that one asked. The board calls
// it from Update only, and keeps nothing that it returns but a Hold.
type Engine interface {
	alerts.Engine

	// ExplainAlert says how an alert came about.
	ExplainAlert(id string) (alert.Explanation, error)
	// Recall gives it alerts of a board before, which Options.Keep has kept.
	Recall(alerts []alert.Alert)
	// Forget lets go of the alerts about records of a scope.
	Forget(s alert.Scope)
}

var _ Engine = (*alert.Engine)(nil)
