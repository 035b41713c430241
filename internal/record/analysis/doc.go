// Package analysis evaluates recordings: the intervals of a day, the shift of an agent, the
// effect of an action, and earlier moments that are similar to the current one.
//
// It reads snapshots in order of time. It uses no goroutines, clock, files or screen. Figures
// of times that were not recorded are unknown. The package does not rank people.
package analysis

import (
	"context"
	"fmt"
	"iter"
	"time"

	"wallboard/model"
)

// Snapshots provides the snapshots of a recording. A [record.Replay] implements it. All times
// are on the server's clock.
type Snapshots interface {
	// Span returns the first and the last recorded time. IsEmptyAt reports whether nothing was
	// recorded at an instant.
	Span() (from, to time.Time)
	IsEmptyAt(at time.Time) bool
	// SampledSnapshots returns the snapshots between two times, in order and about a step apart. A step
	// of a minute is the cheapest. If only is not empty, the snapshots may lack other tables.
	SampledSnapshots(from, to time.Time, step time.Duration, only ...model.Op) iter.Seq2[*model.Snapshot, error]
}

// coarseStep is the interval at which snapshots are cheapest to read. maxGap is the longest
// interval between two such snapshots that is not a gap.
const (
	coarseStep = time.Minute
	maxGap     = 90 * time.Second
)

// Progress is called while a recording is read. done is the number of parts read so far, and
// all the total number.
type Progress func(done, all int)

// snapshotAt returns the snapshot at a time, or nil if nothing was recorded then.
func snapshotAt(p Snapshots, at time.Time, only ...model.Op) (*model.Snapshot, error) {
	if p.IsEmptyAt(at) {
		return nil, nil //nolint:nilnil // nothing was recorded at that time
	}
	for s, err := range p.SampledSnapshots(at, at, time.Second, only...) {
		return s, err
	}
	return nil, nil //nolint:nilnil // nothing was recorded at that time
}

// contextError returns the error of ctx if ctx has ended, otherwise nil.
func contextError(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read the recording: %w", err)
	}
	return nil
}
