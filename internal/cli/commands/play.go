package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/app/admin"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/powersave"
	"wallboard/internal/record"
	"wallboard/ui"
	"wallboard/ui/table"
)

// ErrNoTerminal reports that the board was started without a terminal.
var ErrNoTerminal = errors.New("the board needs a terminal; for scripts there is `wallboard dump`, for lines of text --plain")

// maxReplaySpeed is the highest speed of a replay, as a multiple of real time.
const maxReplaySpeed = 600

// PlayCommand returns `wallboard play`.
func PlayCommand(setup *cmdutil.Setup) *cobra.Command {
	var at string
	var selection cmdutil.RecordingSelection
	speed := 1.0
	cmd := &cobra.Command{
		Use: "play [FILE|FOLDER]", Short: "Replay a recording on the board",
		Long: "Play opens the board on a recording. Pages, filters, details and charts work as on a live board; actions on the\n" +
			"platform are disabled. The default is the recording of the configuration; a file needs no configuration.",
		Example: "wallboard play incident.wbr\nwallboard play --at 13:50 --speed 10",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if speed <= 0 || speed > maxReplaySpeed {
				return cmdutil.NewUsageError(errors.New("--speed: want more than 0, and 600 at most"))
			}
			r, err := selection.Open(setup, args)
			if err != nil {
				return err
			}
			in, reopenRecording := r.Info(), r.Reopener()
			from, err := in.ParseInstant(at, in.First)
			if err != nil {
				return errors.Join(cmdutil.NewUsageError(fmt.Errorf("--at %w", err)), r.Close())
			}
			player := r.Replay(from, speed, nil)
			defer player.Close() //nolint:errcheck // read-only: closing cannot lose data
			return runReplay(cmd.Context(), setup, player, in, from, reopenRecording)
		},
	}
	cmd.Flags().StringVar(&at, "at", "", "start: a time of day (13:50), a date and time, or a duration before the end (40m)")
	selection.AddFlags(cmd)
	cmd.Flags().Float64Var(&speed, "speed", speed, "speed as a multiple of real time, at most 600")
	return cmd
}

// runReplay shows a replay of a recording from the time from until the viewer quits. It does
// not store the alerts of the replay.
func runReplay(ctx context.Context, setup *cmdutil.Setup, player *record.Replay, in record.Info, from time.Time, reopenRecording app.RecordingOpener) error {
	if !setup.Streams.OnTerminal() || os.Getenv("TERM") == "dumb" {
		return ErrNoTerminal
	}
	c, err := setup.Load(true)
	if err != nil {
		return err
	}
	o, err := admin.BoardOptions(c, player, in, reopenRecording)
	if err != nil {
		return err
	}
	o.Archive.StartAt = from
	powersave.AvoidEarlyCollections(powersave.BoardGCPercent)
	o.Navigation.Tables = table.OpenLayouts(table.LayoutPath(setup.Path()))
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		cancel(player.Play(ctx))
	}()
	defer setup.Streams.RestoreOnQuit()()
	err = ui.Run(ctx, o)
	cause := context.Cause(ctx)
	cancel(nil)
	<-done
	if err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}
