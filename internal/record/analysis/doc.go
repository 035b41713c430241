// Package analysis evaluates recordings: the intervals of a day, the shift of an agent, the effect
// of an action, and similar earlier moments.
//
// It reads snapshots in the order of time and has no goroutines, clock, files or screen. Times
// without a recording are unknown. It does not rank people.
package analysis

import (
	"context"
	"fmt"
	"iter"
	"time"

	"wallboard/model"
)

// Snapshots provides the snapshots of a recording, such as a [record.Replay]. Times are on the
// server's clock.
type Snapshots interface {
	// Span returns the first and last recorded time; Empty reports whether nothing was
	// recorded at a time.
	Span() (from, to time.Time)
	Empty(at time.Time) bool
	// Through returns the snapshots between two times, in order and about a step apart;
	// a step of a minute is the cheapest. If only is given, the snapshots need to
	// contain just these tables.
	Through(from, to time.Time, step time.Duration, only ...model.Op) iter.Seq2[*model.Snapshot, error]
}

// cheapStep is the interval of the cheapest snapshots, and maxGap the longest interval between two
// of them that is not a gap.
const (
	cheapStep = time.Minute
	maxGap    = 90 * time.Second
)

// Progress is called with the progress of reading.
type Progress func(done, all int)

// snapshotAt returns the snapshot at a time, or nil if nothing was recorded.
func snapshotAt(p Snapshots, at time.Time, only ...model.Op) (*model.Snapshot, error) {
	if p.Empty(at) {
		return nil, nil //nolint:nilnil // there is none
	}
	for s, err := range p.Through(at, at, time.Second, only...) {
		return s, err
	}
	return nil, nil //nolint:nilnil // there is none
}

// contextError returns an error if ctx has ended.
func contextError(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read the recording: %w", err)
	}
	return nil
}
