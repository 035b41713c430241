package ui

import (
	"context"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/config/usercommand"
	"wallboard/model"
	"wallboard/ui/alerts"
	"wallboard/ui/dialogs"
	"wallboard/ui/replay"
)

// SnapshotSource provides snapshots of the floor. It must be safe for concurrent use: each
// viewer polls at its own pace.
type SnapshotSource interface {
	// Latest returns the newest snapshot, nil before the first.
	Latest() *model.Snapshot
	// Wait blocks until there is a snapshot whose Seq is greater than after and returns it.
	// It returns the context's error if ctx ends first.
	Wait(ctx context.Context, after uint64) (*model.Snapshot, error)
}

// RecordedSource is a [SnapshotSource] of recorded snapshots. The board marks them as recorded and
// never shows them as live.
type RecordedSource interface{ Past() bool }

// Recording is a recording that can be played from any instant at any speed. It must be safe for
// concurrent use.
type Recording interface {
	SnapshotSource
	RecordedSource
	replay.Recording
	// Now returns the local clock of the recording board; At returns the server's clock.
	Now() time.Time
	// Play plays the recording until ctx ends. Close releases it after the last use.
	Play(ctx context.Context) error
	Close() error
}

// Archive gives access to the recording of the board's floor. The zero value records
// nothing.
type Archive struct {
	// Open opens the recording at its end. The error is a sentence for the viewer:
	// [ErrNothingYet] if nothing has been recorded yet.
	Open func() (Recording, error)
	// Growing reports whether recorded data for the time before now is still to arrive: the
	// first snapshot, or the past hours of a simulated platform. nil means never.
	Growing func() bool
	// Save writes the recording between two instants of the server's clock to a file and
	// returns its path. It is called from commands. nil disables saving.
	Save func(ctx context.Context, from, to time.Time) (path string, err error)
	// Backtest backtests rules on a recorded day; nil disables it.
	Backtest dialogs.Backtest
	// Engine returns a new engine with the current rules.
	Engine func() (Engine, error)
	// Pseudonymous is true if the recording has pseudonyms instead of the agents' names.
	Pseudonymous bool
	// Queue limits the replays on a server, so that they do not delay live viewers; nil on
	// a local board.
	Queue *replay.Queue
	// NoHistoryReason is the reason why [Options.History] is nil; "" means that it is not
	// configured.
	NoHistoryReason string
	// StartAt is the instant at which the replay of a file starts; zero means the default.
	StartAt time.Time
	// Zone is the name of the recording's time zone if it differs from that of this
	// machine, else "".
	Zone string
	// HideShifts hides what single agents did before the last hour.
	HideShifts bool
}

// Engine is the alert engine of a board. An engine that several boards share evaluates each snapshot once and returns to each
// board the changes since that board's last call. The board calls it only from Update and
// retains nothing that it returns, except a Hold.
type Engine = alerts.Engine

var _ Engine = (*alert.Engine)(nil)

// Launcher runs the commands of the configuration. [usercommand.Runner] implements it, also when
// it is nil.
type Launcher interface {
	// List returns all commands.
	List() []usercommand.Command
	// Run runs a command for a record and returns its last line of output.
	Run(ctx context.Context, c *usercommand.Command, r usercommand.Record) (string, error)
}
