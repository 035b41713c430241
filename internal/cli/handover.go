package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"wallboard/feeds"
	"wallboard/internal/alert/alertfile"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/cli/operations"
	"wallboard/internal/config"
	"wallboard/internal/control/audit"
	"wallboard/internal/record/analysis"
	"wallboard/internal/report/handover"
	"wallboard/model/contact"
	"wallboard/model/resource"
)

// handoverFlags holds the flags of handover.
type handoverFlags struct {
	since, file string
	wait, watch time.Duration
}

func newHandover(b *commandSetup) *cobra.Command {
	var fl handoverFlags
	cmd := &cobra.Command{
		Use:   "handover",
		Short: "Write a handover report of the shift",
		Long: "Handover connects, waits until everything is live, and writes a report in Markdown: open situations and their\n" +
			"causes, resolved ones, actions on the platform, the figures of the day against their targets and against a\n" +
			"typical day, the campaigns, and the feed.\n\n" +
			"Ended alerts and notes on alerts are those that the boards of this machine stored while they were open.\n" +
			"On a board the key h writes the same report.",
		Example: "wallboard handover\nwallboard handover --since 06:00 --out shift.md",
		Args:    cmdutil.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if fl.wait <= 0 || fl.watch < 0 {
				return cmdutil.Usage(errors.New("--for must be more than 0, --watch at least 0"))
			}
			c, err := b.Load(false)
			if err != nil {
				return err
			}
			return b.handover(cmd.Context(), c, app.FeedOptions(c), fl)
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&fl.since, "since", "", "start of the shift: a time of today (06:00), a date and time, or a duration before now (default 8h)")
	fs.StringVar(&fl.file, "out", "", "write the report to this file")
	fs.DurationVar(&fl.wait, "for", 10*time.Second, "maximum time to wait until everything is live")
	fs.DurationVar(&fl.watch, "watch", 0, "additional time to observe, for alerts that need some time")
	return cmd
}

// handover writes a report of the shift so far.
func (b *commandSetup) handover(ctx context.Context, c *config.Config, fo feeds.Options, fl handoverFlags) error {
	fo.Logger = b.NewLogger(b.Streams.Err, max(c.Log.SlogLevel(), slog.LevelWarn))
	history, err := app.OpenHistory(c, fo.Logger)
	if err != nil {
		return cmdutil.Usage(err)
	}
	defer history.Close()
	reader := history.Reader
	loc := time.Local
	if reader != nil {
		loc = reader.Location()
	}
	now := time.Now().In(loc)
	if _, err := shiftStart(fl.since, now); err != nil { // check it before connecting
		return cmdutil.Usage(err)
	}
	feed, err := feeds.New(fo)
	if err != nil {
		return fmt.Errorf("prepare the feed: %w", err)
	}
	v, err := newViewer(c, feed, fo.Logger, alertfile.New(alertfile.Path(c.RTD.URL), fo.Logger).Load()...)
	if err != nil {
		return err
	}
	feedCtx, stop := app.RunFeed(ctx, feed)
	defer stop()
	if err := v.AwaitLive(feedCtx, fl.wait); err != nil {
		return err
	}
	v.EvaluateFor(feedCtx, fl.watch)
	if v.Last == nil {
		return errors.New("the platform has sent nothing to hand over; `wallboard status` says more")
	}
	now = now.Add(v.Last.Health.ClockOffset) // the report uses the platform's clock
	from, err := shiftStart(fl.since, now)
	if err != nil {
		return cmdutil.Usage(err)
	}
	r := handover.New(handover.Input{
		Site: c.UI.Site, Snapshot: v.Last, Alerts: v, Situations: v.Situations(), Names: v.Names(),
		From: from, At: v.At.In(loc), Watched: now, Kept: true, By: app.ViewerName(c),
	})
	if err := r.AddActions(func(since time.Time) ([]handover.Action, error) { return readActions(c.Audit.Path(), c.RTD.URL, since) }); err != nil {
		r.ActionsNote = "The record of actions could not be read: " + err.Error()
	}
	r.Baseline, r.BaselineNote = handover.ReadBaseline(ctx, reader, r.At)
	if err := r.Measure(ctx, effectMeasure(c)); err != nil {
		fo.Logger.Warn("the effects of actions cannot be measured", "error", err)
	}
	return b.writeHandover(fl.file, handover.Markdown(r))
}

func (b *commandSetup) writeHandover(file, text string) error {
	if file == "" {
		return cmdutil.Text(b.Streams.Out, text)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}

// shiftStart parses the beginning of the shift.
func shiftStart(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return now.Add(-app.ShiftLength), nil
	}
	if start, ok := contact.ParseTimeAgo(text, now); ok {
		return start, nil
	}
	start, err := operations.ParseInstant(text, now.Location())
	switch {
	case err != nil:
		return start, fmt.Errorf("--since %q: want a time of today (06:00), a time (2026-03-17T06:00) or how long ago (8h)", text)
	case start.After(now):
		return start, fmt.Errorf("--since %s is to come", text)
	}
	return start, nil
}

// readActions returns the actions on a platform since a time on the local clock. A missing
// audit log is empty.
func readActions(path, platform string, since time.Time) ([]handover.Action, error) {
	var out []handover.Action
	var broken []error
	for e, err := range audit.Read(path, audit.Filter{Since: since, Platform: platform}) {
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			broken = append(broken, err)
		case commands.IsOffPlatform(e.Action):
		default:
			out = append(out, handover.Action{
				At: e.Time, Who: cmp.Or(e.Person, e.User, e.OSUser), Action: resource.Operation(e.Action).Words(), Target: e.Target,
				Outcome: e.Outcome, Sentence: e.Sentence, WarningText: e.Warning,
				AffectsWaits: resource.Operation(e.Action).AffectsWaits() && e.Outcome == resource.Confirmed.String(),
			})
		}
	}
	slices.SortStableFunc(out, func(a, b handover.Action) int { return a.At.Compare(b.At) })
	return out, errors.Join(broken...)
}

// actionReader returns a function that reads the actions on a platform from the audit log.
func actionReader(c *config.Config, log *slog.Logger) func(time.Time) ([]handover.Action, error) {
	path, platform := c.Audit.Path(), c.RTD.URL
	return func(since time.Time) ([]handover.Action, error) {
		list, err := readActions(path, platform, since)
		if err != nil {
			log.Warn("the audit log cannot be read completely", "error", err)
			err = errors.New("some of its lines cannot be read; `wallboard audit` says which")
		}
		return list, err
	}
}

// effectMeasure returns a function that measures the effects of actions in the recording; nil
// if nothing is recorded.
func effectMeasure(c *config.Config) analysis.Measure {
	open := app.ArchiveOf(c).Open
	if open == nil {
		return nil
	}
	return func(ctx context.Context, acts []analysis.Action) ([]string, error) {
		if len(acts) == 0 {
			return nil, nil
		}
		recording, err := open()
		if err != nil {
			return nil, err
		}
		defer recording.Close() //nolint:errcheck // read-only: closing cannot lose data
		return analysis.Effects(ctx, recording, acts)
	}
}
