package replay

import (
	"context"
	"errors"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/alerts"
	"wallboard/ui/dialog"
	"wallboard/ui/dialogs"
	"wallboard/ui/snapshot"
	"wallboard/ui/style"
)

// Recording is recorded history that a board can replay. A Recording must be safe for concurrent
// use.
type Recording interface {
	snapshot.Source
	Player
	// Now returns the current instant on the local clock of the board that recorded it.
	Now() time.Time
	// Play plays the recording until ctx ends.
	Play(ctx context.Context) error
	// Close releases the resources of the recording, which must not be used afterwards.
	Close() error
}

// Archive gives access to the recording of a board's floor. With the zero value, nothing is
// recorded.
type Archive struct {
	// Shown is the recording that the board replays; nil on a live board. A board marks recorded
	// snapshots and never shows them as live.
	Shown Recording
	// Open opens the recording at its last snapshot. The viewer sees the text of the error, which
	// is [ErrNothingYet] if nothing has been recorded yet. A nil Open means that there is no
	// recording.
	Open func() (Recording, error)
	// Growing reports whether the recording is still waiting for its first snapshot, or for the
	// past hours of a simulated platform. A nil Growing means never.
	Growing func() bool
	// Save writes the recording between two instants of the server's clock to a file and returns
	// its path. Commands call Save, outside the board's goroutine. A nil Save disables saving.
	Save func(ctx context.Context, from, to time.Time) (path string, err error)
	// Backtest tests alert rules on a recorded day. A nil Backtest disables backtests.
	Backtest dialogs.Backtest
	// Engine returns a new alert engine with the current rules.
	Engine func() (alerts.Engine, error)
	// Pseudonymous is true if the recording has pseudonyms instead of the agents' names.
	Pseudonymous bool
	// Queue limits how many replays are evaluated at the same time on a server, so that replays do
	// not delay live viewers. Queue is nil on a local board.
	Queue *EvaluationQueue
	// NoHistoryReason is the reason why the board does not use the statistical data service. An
	// empty reason means that the service is not configured.
	NoHistoryReason string
	// StartAt is the instant at which the viewer asked to start the replay of a file, or zero.
	StartAt time.Time
	// Zone is the name of the recording's time zone if it differs from that of this
	// machine, otherwise "".
	Zone string
	// HideShifts hides the activity of single agents before the last hour.
	HideShifts bool
}

// ErrNothingYet is the error of [Archive.Open] if nothing has been recorded yet.
var ErrNothingYet = errors.New("nothing is recorded yet")

// BoardArchive combines an archive with the state of the board, for the board's commands about the
// recording.
type BoardArchive struct {
	*Archive

	Context  context.Context
	Floor    *snapshot.View
	Look     *style.Look
	Names    model.Names
	Now      func() time.Time // the local clock
	Alerts   alerts.Engine
	Goal     func(service string) alert.Goal // returns the current targets of a service
	Requests *dialog.MsgQueue                // requests to the board
	Replay   *Replay                         // nil on a live board
}
