package ui

import (
	"context"
	"iter"
	"time"

	"wallboard/alert"
	"wallboard/launch"
	"wallboard/model"
	"wallboard/ui/alerts"
	"wallboard/ui/explain"
	"wallboard/ui/rewind"
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

// Film is a recording of the floor that a board shows from any instant on and at any
// pace. Instants are on the server's clock. It must be safe for concurrent use.
type Film interface {
	SnapshotSource
	Past
	// Now is what the clock of the board that recorded showed, At the server's.
	Now() time.Time
	At() time.Time
	// Span is from when to when it goes; Empty reports whether nothing was recorded
	// at an instant.
	Span() (from, to time.Time)
	Empty(at time.Time) bool
	// Marks are what happened, in the order of time.
	Marks() []model.Mark
	// Go goes to an instant, whose picture is the latest then.
	Go(at time.Time) error
	// Pace sets how many times as fast as it was it is shown; 0: it stands still.
	Pace(times float64)
	// Through returns the pictures from one instant to another, in the order of time and
	// about a step apart: those that cost least, where that is a minute. Only the tables
	// that are named need be in them; of none, all are.
	Through(from, to time.Time, step time.Duration, only ...model.Op) iter.Seq2[*model.Snapshot, error]
	// Run shows it until the context ends. Close lets go of it, when nothing uses it
	// any more.
	Run(ctx context.Context) error
	Close() error
}

// Memory is what a board remembers of its floor. The zero value is none.
type Memory struct {
	// Open returns what was recorded so far, at its end. The error says in words
	// for the viewer why there is nothing.
	Open func() (Film, error)
	// Save writes what was recorded between two instants on the server's clock to a file,
	// and returns where that is; nil: nothing can be saved. It is called from commands.
	Save func(ctx context.Context, from, to time.Time) (path string, err error)
	// Try tries rules on what was recorded today; nil: nothing can be tried.
	Try explain.Tries
	// Engine returns an engine that has seen nothing yet, by the rules of now.
	Engine func() (Engine, error)
	// Nameless: agents are called otherwise in it than on the platform.
	Nameless bool
	// Queue is of those who go through the recording on a server, beside others who look at
	// what is and are not to wait for them; nil: the board is not on a server.
	Queue rewind.Queue
	// Untold says why there is no [Options.History]; "": it is not configured.
	Untold string
	// Asked is the instant of a recording that somebody asked to be shown first; the zero
	// time: nobody did.
	Asked time.Time
	// NoShifts keeps what single agents did beyond the last hour to itself.
	NoShifts bool
}

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
}

var _ Engine = (*alert.Engine)(nil)

// Launcher runs the commands of a configuration. A [launch.Desk] is one, even a nil one.
type Launcher interface {
	// List returns the commands.
	List() []launch.Command
	// Run runs a command about a record until it ends, and returns what it said last.
	Run(ctx context.Context, c *launch.Command, r launch.Record) (string, error)
}
