package floorview

import (
	"context"

	"wallboard/model"
)

// Source provides snapshots of a floor. It must be safe for concurrent use, because each viewer
// reads snapshots at its own pace.
type Source interface {
	// Latest returns the newest snapshot, or nil if there is none yet.
	Latest() *model.Snapshot
	// Wait waits until there is a snapshot whose Seq is greater than after, and returns the
	// snapshot. If ctx ends first, it returns the error of ctx.
	Wait(ctx context.Context, after uint64) (*model.Snapshot, error)
}
