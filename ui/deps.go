package ui

import (
	"context"

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
