package ui

import (
	"context"
	"errors"
	"iter"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/recount"
	"wallboard/ui/history"
	"wallboard/ui/shifts"
)

// opener opens a recording for a command, and returns what lets go of it.
type opener func() (film Film, done func(), err error)

// readOf opens a recording, has something read of it, and lets go of it.
func readOf[T any](open opener, read func(Film) (T, error)) (T, error) {
	film, done, err := open()
	if err != nil {
		var none T
		return none, err
	}
	defer done()
	return read(film)
}

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

// remembers reports whether there is a recording that the board can look into: the one that
// it shows, or that of its floor.
func (sc *scene) remembers() bool {
	_, shown := sc.Source.(Film)
	return shown || sc.Memory.Open != nil
}

// recordingOf is the recording as the page History knows it, nil where there is none.
func recordingOf(sc *scene) history.Recording {
	if !sc.remembers() || sc.wall != nil {
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
	return readOf(r.open, func(film Film) ([]recount.Interval, error) {
		return recount.Intervals(ctx, film, from, to, length, of, far)
	})
}

// Formula implements [history.Recording].
func (r recording) Formula(service string) model.ServiceLevelFormula {
	return r.scene.Alerts.Goal(service).Formula
}

// Target implements [history.Recording].
func (r recording) Target(service string) model.Float {
	return r.scene.Alerts.Goal(service).ServiceLevel
}

// shifts tells what agents did in the recording, up to what is shown; nil: nobody knows, or
// is to know.
func (sc *scene) shifts() shifts.Reader {
	if !sc.remembers() || sc.Memory.NoShifts {
		return nil
	}
	_, shown := sc.Source.(Film)
	open, to, nameless := sc.recorded(), sc.floor.Now(), sc.Memory.Nameless && !shown
	return func(ctx context.Context, username string) ([]recount.Shift, error) {
		if nameless {
			return nil, errors.New("the recording does not name agents")
		}
		return readOf(open, func(film Film) ([]recount.Shift, error) {
			return recount.ShiftOf(ctx, film, to.Add(-longestShift), to, username)
		})
	}
}

// tendShifts returns what reads the shift that the frame had wanted to show.
func (sc *scene) tendShifts() tea.Cmd {
	v := &sc.floor
	return sc.worked.Tend(sc.Context, sc.shifts, v.Shown, v.Now(), v.Ours)
}

// longestShift is how far back a shift goes at most: the day before is another.
const longestShift = 16 * time.Hour

// effects tells what came after some deeds; nil: nothing is recorded.
func (sc *scene) effects() recount.Measure {
	if !sc.remembers() {
		return nil
	}
	_, shown := sc.Source.(Film)
	open, now := sc.recorded(), sc.floor.Now()
	return func(ctx context.Context, deeds []recount.Deed) ([]string, error) {
		return readOf(open, func(film Film) ([]string, error) {
			if shown {
				return recount.Effects(ctx, until{film, now}, deeds)
			}
			return recount.Effects(ctx, film, deeds)
		})
	}
}

// until is what was recorded until an instant: on a board that shows that, nobody knows more.
type until struct {
	recount.Pictures

	end time.Time
}

// Span implements [recount.Pictures].
func (u until) Span() (from, to time.Time) {
	from, to = u.Pictures.Span()
	if u.end.Before(to) {
		to = u.end
	}
	return from, to
}

// Through implements [recount.Pictures].
func (u until) Through(from, to time.Time, step time.Duration, only ...model.Op) iter.Seq2[*model.Snapshot, error] {
	if u.end.Before(to) {
		to = u.end
	}
	return u.Pictures.Through(from, to, step, only...)
}
