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

// RecordedSource is a [snapshot.Source] that may deliver recorded snapshots. The board marks them as
// recorded and never shows them as live.
type RecordedSource interface {
	// Past reports whether the snapshots are recorded.
	Past() bool
}

// Recording is a recording that a board can show. It must be safe for concurrent use.
type Recording interface {
	snapshot.Source
	RecordedSource
	Player
	// Now returns the current instant on the local clock of the board that recorded it.
	Now() time.Time
	// Play plays the recording until ctx ends.
	Play(ctx context.Context) error
	// Close releases the recording after the last use.
	Close() error
}

// Archive gives access to the recording of the board's floor. The zero value records
// nothing.
type Archive struct {
	// Open opens the recording at its end. The error is a sentence for the viewer:
	// [ErrNothingYet] if nothing has been recorded yet.
	Open func() (Recording, error)
	// Growing reports whether the recording is still waiting for its first snapshot, or for the
	// past hours of a simulated platform. nil means never.
	Growing func() bool
	// Save writes the recording between two instants of the server's clock to a file and
	// returns its path. It is called from commands. nil disables saving.
	Save func(ctx context.Context, from, to time.Time) (path string, err error)
	// Backtest backtests rules on a recorded day; nil disables it.
	Backtest dialogs.Backtest
	// Engine returns a new engine with the current rules.
	Engine func() (alerts.Engine, error)
	// Pseudonymous is true if the recording has pseudonyms instead of the agents' names.
	Pseudonymous bool
	// Queue limits the replays on a server, so that they do not delay live viewers; nil on
	// a local board.
	Queue *EvaluationQueue
	// NoHistoryReason is the reason why the board does not use the statistical data service; ""
	// means that it is not configured.
	NoHistoryReason string
	// StartAt is the instant at which the replay of a file starts; zero means the default.
	StartAt time.Time
	// Zone is the name of the recording's time zone if it differs from that of this
	// machine, otherwise "".
	Zone string
	// HideShifts hides the activity of single agents before the last hour.
	HideShifts bool
}

// ErrNothingYet is the error of [Archive.Open] if nothing has been recorded yet.
var ErrNothingYet = errors.New("nothing is recorded yet")

// BoardArchive is an archive together with the state of the board whose commands use it.
type BoardArchive struct {
	*Archive

	Source   any // source of the board's snapshots; a [Recording] during a replay
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
