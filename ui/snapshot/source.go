package snapshot

import (
	"context"

	"wallboard/model"
)

// Source provides snapshots of the floor. A Source must be safe for concurrent use, because each
// viewer polls at a different pace.
type Source interface {
	// Latest returns the newest snapshot, nil before the first.
	Latest() *model.Snapshot
	// Wait blocks until there is a snapshot whose Seq is greater than after, and returns that
	// snapshot. If ctx ends first, it returns the error of ctx.
	Wait(ctx context.Context, after uint64) (*model.Snapshot, error)
}
