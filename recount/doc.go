// Package recount tells what only a recording can: the intervals of a day, an agent's
// shift, what came after an action, what moments of the past are like now. It reads
// pictures in the order of time and has no clock, no files and no screen. What was not
// recorded is unknown, and nothing ranks people.
package recount

import (
	"context"
	"fmt"
	"iter"
	"time"

	"wallboard/model"
)

// Pictures are those of a recording, as a film shows them. Instants are on the server's
// clock.
type Pictures interface {
	// Span is from when to when the recording goes; Empty reports whether nothing was
	// recorded at an instant.
	Span() (from, to time.Time)
	Empty(at time.Time) bool
	// Through returns the pictures from one instant to another, in the order of time and
	// about a step apart: those that cost least, where that is a minute. Only the tables
	// that are named need be in them; of none, all are.
	Through(from, to time.Time, step time.Duration, only ...model.Op) iter.Seq2[*model.Snapshot, error]
}

// everyWhole asks for the pictures that cost least, and apart is how far two of them may be
// apart without a gap between them.
const (
	everyWhole = time.Minute
	apart      = 90 * time.Second
)

// Progress hears how far a reading is.
type Progress func(done, all int)

// at returns the picture of an instant, nil where nothing was recorded.
func at(p Pictures, when time.Time, only ...model.Op) (*model.Snapshot, error) {
	if p.Empty(when) {
		return nil, nil //nolint:nilnil // there is none
	}
	for s, err := range p.Through(when, when, time.Second, only...) {
		return s, err
	}
	return nil, nil //nolint:nilnil // likewise
}

// stopped is why a reading ends before its time; nil: it goes on.
func stopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read the recording: %w", err)
	}
	return nil
}
