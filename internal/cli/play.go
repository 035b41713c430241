package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/alert"
	"wallboard/internal/app"
	"wallboard/internal/app/recordings"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/footprint"
	"wallboard/internal/lib/textnorm"
	"wallboard/internal/record"
	"wallboard/ui"
	"wallboard/ui/pages"
	"wallboard/ui/replay"
	"wallboard/ui/table"
	"wallboard/ui/term"
)

// maxReplaySpeed is the highest speed of a replay, as a multiple of real time.
const maxReplaySpeed = 600

func newPlay(b *commandSetup) *cobra.Command {
	var at string
	var which cmdutil.RecordingSelection
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
			r, err := which.Open(b.Setup, args)
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
			return b.runReplay(cmd.Context(), player, in, from, reopenRecording)
		},
	}
	cmd.Flags().StringVar(&at, "at", "", "start: a time of day (13:50), a date and time, or a duration before the end (40m)")
	which.AddFlags(cmd)
	cmd.Flags().Float64Var(&speed, "speed", speed, "speed as a multiple of real time, at most 600")
	return cmd
}

// runReplay shows a replay of a recording from the time from until the viewer quits. It does
// not store the alerts of the replay.
func (b *commandSetup) runReplay(ctx context.Context, player *record.Replay, in record.Info, from time.Time, reopenRecording app.RecordingOpener) error {
	if !b.Streams.OnTerminal() || os.Getenv("TERM") == "dumb" {
		return errNoTerminal
	}
	o, err := b.replayOptions(player, in, reopenRecording)
	if err != nil {
		return err
	}
	o.Archive.StartAt = from
	footprint.AvoidEarlyCollections(footprint.BoardGCPercent)
	o.Navigation.Tables = table.OpenLayouts(table.LayoutPath(b.Path()))
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		cancel(player.Play(ctx))
	}()
	defer b.Streams.RestoreOnQuit()()
	err = ui.Run(ctx, o)
	cause := context.Cause(ctx)
	cancel(nil)
	<-done
	if err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// replayOptions returns the options of a board for a replay. They come from the configuration;
// for codes without a configured name, they contain the names in the recording. If
// reopenRecording is nil, the board cannot save parts of the recording or run backtests.
func (b *commandSetup) replayOptions(player *record.Replay, in record.Info, reopenRecording app.RecordingOpener) (ui.Options, error) {
	c, err := b.Load(true)
	if err != nil {
		return ui.Options{}, err
	}
	for _, code := range in.About.Codes {
		c.RTD.Names = append(c.RTD.Names, config.Name{Kind: code.Kind, Code: code.Code, Name: code.Name})
	}
	o, err := app.UIOptions(c, nil)
	o.Kiosk = nil
	if zone := in.About.Location(); zone != nil {
		o.Display.Location = zone
	}
	o.Archive = replay.Archive{
		Shown:  player,
		Engine: func() (*alert.Engine, error) { return app.NewEngine(c, c.Names()) }, HideShifts: !c.Record.AgentShifts,
		Rules: func() alert.Options { return c.AlertOptions(c.Names()) },
		Zone:  in.ForeignZone(time.Local),
	}
	if reopenRecording != nil {
		o.Archive.Backtest = app.NewBacktest(c, reopenRecording)
		o.Archive.Save = func(ctx context.Context, from, to time.Time) (string, error) {
			r, err := reopenRecording()
			if err != nil {
				return "", err
			}
			return app.SaveIncident(ctx, c, r, from, to)
		}
	}
	app.LogAccess(&o.Archive, c, slog.New(slog.DiscardHandler)) // a failure to log the access was already reported when the recording was opened
	return o, err
}

// drawCast draws a part of a recording and calls s.Frame with each frame.
func (b *commandSetup) drawCast(ctx context.Context, s recordings.CastOptions) error {
	o, err := b.replayOptions(s.Replay, s.Info, nil)
	if err != nil {
		return err
	}
	names := pages.Names()
	for _, page := range o.Navigation.Pages {
		names = append(names, page.Name)
	}
	if s.Page != "" && !slices.ContainsFunc(names, func(name string) bool { return textnorm.SameName(name, s.Page) }) {
		return cmdutil.NewUsageError(fmt.Errorf("--page %q: want one of %s", s.Page, strings.Join(names, ", ")))
	}
	o.Navigation.StartPage, o.Display.ASCII, o.Display.Flash, o.Display.Mouse = cmp.Or(s.Page, o.Navigation.StartPage), false, false, false
	err = ui.DrawClip(ctx, o, ui.Clip{
		Size: term.Size{Width: s.Width, Height: s.Height}, From: s.From, To: s.To, Step: s.Step, WriteFrame: s.Frame,
	})
	return err
}
