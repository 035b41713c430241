package operations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/record"
	"wallboard/internal/record/analysis"
	"wallboard/internal/report/handover"
	"wallboard/model"
	"wallboard/model/resource"
)

type intervalsCommand struct {
	set                    *cmdutil.Setup
	date, service, channel string
	format, file           string
	interval               time.Duration
	config                 *config.Config
	selection              cmdutil.RecordingSelection
}

func newHistoryIntervals(set *cmdutil.Setup) *cobra.Command {
	r := &intervalsCommand{set: set, interval: 30 * time.Minute}
	cmd := &cobra.Command{
		Use: "intervals [FILE|FOLDER]", Short: "Count a day in intervals of 15 or 30 minutes, from the recording of the board",
		Long: "Intervals counts what was offered, answered and abandoned in every 15 or 30 minutes of a day, with the service\n" +
			"level, the handling time and who was there. It reads the recording of the board, or the file or folder that is\n" +
			"named, and asks no service. What was not recorded is left out, and what is recorded in part says so.",
		Example: "  wallboard history intervals --every 15m\n  wallboard history intervals --date yesterday --format csv --out yesterday.csv\n" +
			"  wallboard history intervals incident.wbr --service SRV01",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), args) },
	}
	fs := cmd.Flags()
	fs.StringVar(&r.date, "date", "", "day to count: 2026-03-17, today, yesterday, monday or -7d (default the last day of the recording)")
	fs.DurationVar(&r.interval, "every", r.interval, "length of an interval: 15m or 30m")
	fs.StringVar(&r.service, "service", "", "count one service, by its code or name (default all of them)")
	fs.StringVar(&r.channel, "channel", string(model.Call), "the channel")
	fs.StringVar(&r.format, "format", handover.FormText, "form: text, csv, markdown, html")
	fs.StringVar(&r.file, "out", "", "write the counts to this file")
	r.selection.AddFlags(cmd)
	return cmd
}

func (r *intervalsCommand) run(ctx context.Context, args []string) error {
	write, ok := handover.IntervalFormatters(nil)[r.format]
	switch {
	case !ok:
		return cmdutil.NewUsageError(fmt.Errorf("--format %q: want %s, %s, %s or %s", r.format, handover.FormText, handover.FormCSV, handover.FormMarkdown, handover.FormHTML))
	case !slices.Contains(analysis.IntervalLengths(), r.interval):
		return cmdutil.NewUsageError(errors.New("--every: want 15m or 30m"))
	case !model.Channel(r.channel).Known():
		return cmdutil.NewUsageError(fmt.Errorf("--channel %q is not a channel: want one like CALL, VIDEO or CHAT", r.channel))
	}
	var err error
	if r.config, err = r.set.Load(true); err != nil {
		return err
	}
	rec, err := r.selection.OpenWithConfig(r.set.Streams, r.config, args)
	if err != nil {
		return err
	}
	defer rec.Close() //nolint:errcheck // read-only: closing cannot lose data
	d, err := r.countDay(ctx, rec)
	if err != nil {
		return err
	}
	if r.set.JSON {
		return cmdutil.WriteJSON(r.set.Streams.Out, resultDocument{Command: "history intervals", Outcome: resource.OutcomeConfirmed.String(), Result: d})
	}
	return cmdutil.WriteOutput(r.set.Streams.Out, r.file, write(d))
}

// countDay returns the intervals of the selected day and service.
func (r *intervalsCommand) countDay(ctx context.Context, rec *record.Recording) (analysis.Table, error) {
	q := handover.IntervalQuery{Length: r.interval, Channel: model.Channel(r.channel), Service: r.service}
	if r.date != "" {
		var err error
		if q.Day, err = parseDate(r.date, time.Now().In(handover.ZoneOf(r.config, rec))); err != nil {
			return analysis.Table{}, err
		}
	}
	return handover.CountDay(ctx, r.config, rec, q)
}

// readRecordedIntervals returns the recorded half hours of a day for a report. It returns nil if
// recording is off, if nothing of the day is recorded, or if the recording cannot be read.
func (a *historyCommand) readRecordedIntervals(ctx context.Context, day time.Time) *analysis.Table {
	c, err := a.set.Load(true)
	if err != nil || !c.Record.Enabled {
		return nil
	}
	rec, err := new(cmdutil.RecordingSelection).OpenWithConfig(a.set.Streams, c, nil)
	if err != nil {
		return nil
	}
	defer rec.Close() //nolint:errcheck // read-only: closing cannot lose data
	r := &intervalsCommand{set: a.set, config: c, interval: 30 * time.Minute, channel: string(model.Call), date: day.Format(time.DateOnly)}
	d, err := r.countDay(ctx, rec)
	if err != nil || len(d.Rows) == 0 {
		return nil
	}
	return &d
}
