package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"wallboard/cli/command"
	"wallboard/cli/headless"
	"wallboard/internal/output"
)

// Exit codes of status, besides 0 (no action needed), 1 (not live) and 2 (wrong command
// line or configuration).
const (
	exitWarning  = 10
	exitCritical = 11
)

// statusError carries the exit code of status. The line on standard output is the message.
type statusError int

func (e statusError) Error() string { return "status " + strconv.Itoa(int(e)) }

// statusFlags holds the flags of status.
type statusFlags struct {
	wait, watch time.Duration
	follow      bool
}

func newStatus(b *board) *cobra.Command {
	var fl statusFlags
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say in one line how the floor is doing",
		Long: "Status connects, waits until everything is live, and writes one line: service level, calls waiting and agents\n" +
			"ready of the whole floor for calls, how many situations there are, and the most urgent one. What figures of the\n" +
			"day say is counted apart, as \"today\".\n" +
			"With --json it writes the situations with their causes, the alerts that they are made of, the figures and the\n" +
			"state of the connection; agents have no figures in it.\n\n" +
			"It ends with 0 when nothing needs a person, 10 when the worst is a warning or a figure of the day, 11 when\n" +
			"something is critical now, 1 when not everything is live, and 2 on a wrong command line or configuration.\n\n" +
			"Some alerts need their condition to last, \"stranded\" for 20 seconds: --watch looks on for so long.",
		Example: "wallboard status\nwallboard status --watch 30s --json | jq .situations\nwallboard status --follow",
		Args:    command.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if fl.wait <= 0 || fl.watch < 0 {
				return command.Usage(errors.New("--for must be more than 0, --watch at least 0"))
			}
			h, err := b.openFeed()
			if err != nil {
				return err
			}
			h.level.Set(max(h.level.Level(), slog.LevelWarn)) // the output is one line
			v, err := newViewer(h.config, h.feed, h.log)
			if err != nil {
				return err
			}
			var follow *following
			if fl.follow {
				defer b.hup.serve()()
				follow = followingViewer(h, v)
			}
			ctx, stop := h.run(cmd.Context(), follow)
			defer stop()
			return b.status(ctx, v, fl)
		},
	}
	cmd.Flags().DurationVar(&fl.wait, "for", 10*time.Second, "how long to wait until everything is live")
	cmd.Flags().DurationVar(&fl.watch, "watch", 0, "how long to look on after that, for what takes a while")
	cmd.Flags().BoolVar(&fl.follow, "follow", false, "go on, and write a line whenever it changes, once a second at most")
	return cmd
}

// status writes the state of the floor, once or after each change.
func (b *board) status(ctx context.Context, v *headless.Viewer, fl statusFlags) error {
	if err := v.AwaitLive(ctx, fl.wait); err != nil {
		return err
	}
	tick := time.NewTicker(headless.Every)
	defer tick.Stop()
	look := time.Now().Add(fl.watch)
	for said := ""; ; {
		v.Evaluate()
		if over := !time.Now().Before(look); over || !v.Live() {
			if line := v.Line(); line != said {
				said = line
				if err := b.writeStatus(v, fl.follow); err != nil {
					return err
				}
			}
			if !fl.follow {
				return verdictOf(v)
			}
		}
		select {
		case <-ctx.Done():
			if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
				return cause //nolint:wrapcheck // error of the feed
			}
			return verdictOf(v)
		case <-tick.C:
		}
	}
}

// verdictOf returns the exit code as an error.
func verdictOf(v *headless.Viewer) error {
	critical, warning, today := v.Needs()
	switch {
	case !v.Live():
		return statusError(command.ExitFailed)
	case critical > 0:
		return statusError(exitCritical)
	case warning+today > 0:
		return statusError(exitWarning)
	}
	return nil
}

// writeStatus writes the line or the document; several documents are written one per line.
func (b *board) writeStatus(v *headless.Viewer, several bool) error {
	if !b.JSON {
		_, err := fmt.Fprintln(b.Streams.Out, v.Line())
		return output.Failed(err)
	}
	doc := v.Document()
	if !several {
		return output.JSON(b.Streams.Out, doc)
	}
	line, err := json.Marshal(doc)
	if err != nil {
		return output.Failed(err)
	}
	_, err = b.Streams.Out.Write(append(output.EscapeJSON(line), '\n'))
	return output.Failed(err)
}
