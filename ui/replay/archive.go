package replay

import (
	"context"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/alerts"
	"wallboard/ui/boarddialogs"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/style"
)

// Recording is a recorded history that a board can replay. It must be safe for concurrent use.
type Recording interface {
	floorview.Source
	Player
	// BoardTime returns the replayed instant, on the local clock of the board that made the recording.
	BoardTime() time.Time
	// Play plays the recording until ctx ends.
	Play(ctx context.Context) error
	// Close releases the resources of the recording, which must not be used afterwards.
	Close() error
}

// Archive gives access to the recording of a board's floor. The zero value means that nothing is
// recorded.
type Archive struct {
	// Replayed is the recording that the board replays; nil on a live board. A board marks recorded
	// snapshots and never shows them as live.
	Replayed Recording
	// Open opens the recording at its last snapshot. The viewer sees the error message. The error
	// is [ErrNothingRecorded] if nothing has been recorded yet. A nil Open means that there is no
	// recording.
	Open func() (Recording, error)
	// IsPreparing reports whether the recording is still waiting for its first snapshot, or for the
	// past hours of a simulated platform. A nil IsPreparing means that it never waits.
	IsPreparing func() bool
	// Save writes the part of the recording between two instants, on the server's clock, to a file
	// and returns its path. It is called from commands, outside the goroutine of the board. A nil
	// Save disables saving.
	Save func(ctx context.Context, from, to time.Time) (path string, err error)
	// Backtest tests alert rules on a recorded day. A nil Backtest disables backtests.
	Backtest boarddialogs.Backtest
	// Rules returns the current alert rules. A nil Rules means that they are unknown.
	Rules func() alert.Options
	// Engine returns a new alert engine with the current rules.
	Engine func() (*alert.Engine, error)
	// Pseudonymous means that the recording contains pseudonyms instead of the agents' names.
	Pseudonymous bool
	// Queue limits how many replays are evaluated at the same time on a server, so that live
	// viewers are not delayed. It is nil on a local board.
	Queue *EvaluationQueue
	// NoHistoryReason says why the board does not use the statistical data service. The zero Text
	// means that the service is not configured.
	NoHistoryReason words.Text
	// StartAt is the instant at which the replay of a file starts. The zero time means that the
	// viewer has not given one.
	StartAt time.Time
	// Zone is the name of the recording's time zone. It is "" if the time zone is that of this
	// machine.
	Zone string
	// LogAccess records that the viewer looks at a part of the recording. It is called from
	// commands, each time the board reads the part. A nil LogAccess records nothing.
	LogAccess func(RecordingAccess)
	// HideShifts hides the states of individual agents before the last hour.
	HideShifts bool
}

// ErrNothingRecorded is the error that [Archive.Open] returns if nothing has been recorded yet.
var ErrNothingRecorded = words.NewError(words.ReplayNothingYet(), nil)

// BoardArchive combines an archive with the state of a board. It provides the board's commands that
// concern the recording.
type BoardArchive struct {
	*Archive

	Context  context.Context
	Floor    *floorview.View
	Look     *style.Look
	Names    model.Names
	Now      func() time.Time // the local clock
	Alerts   alerts.Engine
	Goal     func(service string) alert.Goal // returns the current targets of a service
	Requests *dialog.MsgQueue                // queue of messages for the board
	Replay   *Replay                         // nil on a live board
}
