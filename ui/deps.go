package ui

import (
	"context"
	"time"

	"wallboard/alert"
	"wallboard/launch"
	"wallboard/model"
	"wallboard/ui/alerts"
	"wallboard/ui/explain"
	"wallboard/ui/reel"
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
// pace. It must be safe for concurrent use.
type Film interface {
	SnapshotSource
	Past
	reel.Film
	// Now is what the clock of the board that recorded showed, At the server's.
	Now() time.Time
	// Run shows it until the context ends. Close lets go of it, when nothing uses it
	// any more.
	Run(ctx context.Context) error
	Close() error
}

// Memory is what a board remembers of its floor. The zero value is none.
type Memory struct {
	// Open returns what was recorded so far, at its end. The error says in words
	// for the viewer why there is nothing: [ErrNothingYet] where that is so.
	Open func() (Film, error)
	// Coming reports whether more of the time until now is about to be recorded: its first
	// picture, or the hours that a simulated platform has lived. nil: nothing is.
	Coming func() bool
	// Save writes what was recorded between two instants on the server's clock to a file,
	// and returns where that is; nil: nothing can be saved. It is called from commands.
	Save func(ctx context.Context, from, to time.Time) (path string, err error)
	// Try tries rules on a day that was recorded; nil: nothing can be tried.
	Try explain.Tries
	// Engine returns an engine that has seen nothing yet, by the rules of now.
	Engine func() (Engine, error)
	// Nameless: agents are called otherwise in it than on the platform.
	Nameless bool
	// Queue is of those who go through the recording on a server, beside others who look at
	// what is and are not to wait for them; nil: the board is not on a server.
	Queue *rewind.Queue
	// Untold says why there is no [Options.History]; "": it is not configured.
	Untold string
	// Asked is the instant of a recording that somebody asked to be shown first; the zero
	// time: nobody did.
	Asked time.Time
	// Zone is what the time zone of a recording is called that was made where clocks show
	// something else than on this machine; "": they show the same.
	Zone string
	// NoShifts keeps what single agents did beyond the last hour to itself.
	NoShifts bool
}

// Engine says what is wrong on the floor, and what its figures are and have been.
// [alert.Engine] is one, for a board that has it to itself.
//
// One that several boards share evaluates a picture once, whoever hands it over,
// and returns to each board what has changed since that one asked. The board calls
// it from Update only, and keeps nothing that it returns but a Hold.
type Engine = alerts.Engine

var _ Engine = (*alert.Engine)(nil)

// Launcher runs the commands of a configuration. A [launch.Desk] is one, even a nil one.
type Launcher interface {
	// List returns the commands.
	List() []launch.Command
	// Run runs a command about a record until it ends, and returns what it said last.
	Run(ctx context.Context, c *launch.Command, r launch.Record) (string, error)
}
