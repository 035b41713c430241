package ui

import (
	"context"
	"errors"
	"time"

	"wallboard/model"
	"wallboard/recount"
	"wallboard/ui/history"
)

// opener opens a recording for a command, and returns what lets go of it.
type opener func() (film Film, done func(), err error)

// recorded returns what opens the recording that the board can look into: the one that it
// shows, else what was recorded of its floor so far. It is called from Update, what it
// returns from commands. The error is a sentence for the viewer.
func (sc *scene) recorded() opener {
	if film, is := sc.Source.(Film); is {
		return func() (Film, func(), error) { return film, func() {}, nil }
	}
	open := sc.Memory.Open
	return func() (Film, func(), error) {
		if open == nil {
			return nil, nil, errors.New("nothing is recorded: [record] of the configuration switches it on")
		}
		film, err := open()
		if err != nil {
			return nil, nil, err
		}
		return film, func() { _ = film.Close() }, nil // it was only read from
	}
}

// recordingOf is the recording as the page History knows it, nil where there is none.
func recordingOf(sc *scene) history.Recording {
	_, shown := sc.Source.(Film)
	if sc.Memory.Open == nil && !shown || sc.wall != nil {
		return nil
	}
	return recording{sc, sc.recorded()}
}

type recording struct {
	scene *scene
	open  opener
}

var _ history.Recording = recording{}

// Intervals implements [history.Recording].
func (r recording) Intervals(
	ctx context.Context, from, to time.Time, length time.Duration, of recount.Scope, far recount.Progress,
) ([]recount.Interval, error) {
	film, done, err := r.open()
	if err != nil {
		return nil, err
	}
	defer done()
	return recount.Intervals(ctx, film, from, to, length, of, far) //nolint:wrapcheck // it names the file
}

// Formula implements [history.Recording].
func (r recording) Formula(service string) model.ServiceLevelFormula {
	return r.scene.Alerts.Goal(service).Formula
}

// Target implements [history.Recording].
func (r recording) Target(service string) model.Float {
	return r.scene.Alerts.Goal(service).ServiceLevel
}
