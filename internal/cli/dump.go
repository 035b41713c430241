package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/report/headless"
	"wallboard/ui/term"
)

type dumpFlags struct {
	duration time.Duration
	follow   bool
}

func newDumpCommand(b *commandSetup) *cobra.Command {
	var fl dumpFlags
	cmd := &cobra.Command{
		Use:   "dump",
		Short: "Write the live snapshot as JSON",
		Long: "Dump connects, waits, and writes the merged snapshot as a JSON document with the platform's field names,\n" +
			"keyed by kind, and the situations as in status --json. Values that the platform has not sent are null.\n" +
			"The exit code is 0 only if all subscriptions are live.",
		Example: "wallboard dump --for 5s\nwallboard dump --follow | jq .serviceStats",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if fl.duration <= 0 && !fl.follow {
				return cmdutil.NewUsageError(errors.New("--for must be more than 0 without --follow"))
			}
			if fl.follow {
				if !cmd.Flags().Changed("for") {
					fl.duration = 0
				}
				defer b.hangups.MarkService()()
			}
			return b.withPlatform(cmd.Context(), slog.LevelDebug, app.PlatformOptions{}, func(p *app.Platform, v *headless.Viewer) error {
				return writeDump(cmd.Context(), p, v, fl, b.Streams.Out)
			})
		},
	}
	cmd.Flags().DurationVar(&fl.duration, "for", 5*time.Second, "time to collect data before writing; with --follow: total time, unlimited by default")
	cmd.Flags().BoolVar(&fl.follow, "follow", false, "write one line per published snapshot")
	return cmd
}

// writeDump runs a platform for the duration in the flags and writes the last snapshot as
// JSON. With --follow it writes each snapshot.
func writeDump(ctx context.Context, p *app.Platform, v *headless.Viewer, fl dumpFlags, w io.Writer) error {
	var follower *app.ConfigObserver
	if fl.follow {
		follower = newConfigObserver()
	}
	ctx, stop := p.Run(ctx, follower)
	defer stop()
	if fl.follow {
		limited, release := term.LimitOutput(ctx, w)
		defer release()
		return followSnapshots(ctx, v, fl.duration, limited)
	}
	v.EvaluateFor(ctx, fl.duration)
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted: %w", context.Cause(ctx))
	}
	if v.Evaluate(); v.LastSnapshot == nil {
		return errors.New("no data received")
	}
	if err := cmdutil.WriteJSON(w, v.SnapshotDoc()); err != nil {
		return err
	}
	return headless.CheckLive(v.LastSnapshot)
}

// followSnapshots writes each snapshot as a line of JSON. It ends when outer is done or,
// unless limit is 0, after limit.
func followSnapshots(outer context.Context, v *headless.Viewer, limit time.Duration, w io.Writer) error {
	ctx := outer
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(outer, limit)
		defer cancel()
	}
	for seq := uint64(0); ; {
		if _, err := v.Wait(ctx, seq); err != nil {
			break
		}
		v.Evaluate()
		if err := cmdutil.WriteJSONLine(w, v.SnapshotDoc()); err != nil {
			return err
		}
		seq = v.LastSnapshot.Seq
	}
	if cause := context.Cause(outer); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	if v.LastSnapshot == nil {
		return errors.New("no data received")
	}
	return headless.CheckLive(v.LastSnapshot)
}
