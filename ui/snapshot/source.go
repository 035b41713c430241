package snapshot

import (
	"context"

	"wallboard/model"
)

// Source provides snapshots of the floor. It must be safe for concurrent use: each
// viewer polls at its own pace.
type Source interface {
	// Latest returns the newest snapshot, nil before the first.
	Latest() *model.Snapshot
	// Wait blocks until there is a snapshot whose Seq is greater than after and returns it.
	// It returns the context's error if ctx ends first.
	Wait(ctx context.Context, after uint64) (*model.Snapshot, error)
}
