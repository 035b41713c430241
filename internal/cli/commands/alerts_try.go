package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/record"
	"wallboard/internal/textformat"
)

type backtestFlags struct {
	since, until, basePath, sweep, rule string
	includeUnchanged                    bool
	selection                           cmdutil.RecordingSelection
}

func newBacktestCommand(setup *cmdutil.Setup) *cobra.Command {
	var fl backtestFlags
	cmd := &cobra.Command{
		Use: "try [FILE|FOLDER]", Short: "Backtest rules on a recording, compared with the current rules",
		Long: "Try evaluates the recording with the current rules and, with --config or --sweep, with others. For each rule it\n" +
			"prints how often it would have raised an alert, for how long, how much of that was critical, how many alerts\n" +
			"returned within five minutes (flaps), how much earlier they would have been raised, and which would have been\n" +
			"missed. It sends no notifications. Ctrl-c cancels it.",
		Example: "wallboard alerts try --since yesterday\nwallboard alerts try --since yesterday --config new.toml\n" +
			"wallboard alerts try --since 8h --sweep 'longest wait.critical=30s..5m'\nwallboard alerts try incident.wbr --sweep 'stranded.for=10s,30s,1m'",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runBacktest(cmd.Context(), setup, args, &fl) },
	}
	fs := cmd.Flags()
	fs.StringVar(&fl.since, "since", "", "start: a day (yesterday), a time of day (06:00), a date and time, or a duration before the end (8h; default all)")
	fs.StringVar(&fl.until, "until", "", "end, in the same format")
	fs.StringVar(&fl.basePath, "base", "", "configuration with the current rules (default the usual one), if --config names the new one")
	fs.StringVar(&fl.sweep, "sweep", "", "try other values of one field of a rule: 'RULE.FIELD=30s..5m', '…=30s..5m/8' or '…=30s,1m'; for, warning, critical, recovery, min_calls")
	fs.StringVar(&fl.rule, "rule", "", "only this rule")
	fs.BoolVar(&fl.includeUnchanged, "all", false, "include rules without a difference")
	fl.selection.AddFlags(cmd)
	return cmd
}

// runBacktest replays a recording through several sets of alert rules, and prints the alerts
// that each set would have raised.
func runBacktest(ctx context.Context, setup *cmdutil.Setup, args []string, fl *backtestFlags) error {
	base, sets, err := fl.ruleSets(setup)
	if err != nil {
		return err
	}
	r, err := fl.selection.OpenWithConfig(setup.Streams, base, args)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
	info := r.Info()
	from, to, err := fl.selectedSpan(setup, info)
	if err != nil {
		return err
	}
	names := info.About.MergeNames(base.Names())
	courses, err := app.StoredIntraday(base)
	if err != nil {
		return err
	}
	for i := range sets {
		sets[i].Options.Names, sets[i].IntradayLog = names, courses
	}
	var showProgress func(time.Time)
	clearProgress := func() {}
	if _, ok := cmdutil.TerminalOf(setup.Streams.Err); ok && os.Getenv("TERM") != "dumb" {
		showProgress, clearProgress = terminal.ProgressBar(setup.Streams.Err, from, to, func(at time.Time) string { return textformat.Clock(at, info.Location()) })
	}
	res, err := backtest.Run(ctx, r.Snapshots(from.Add(-backtest.WarmUp), to, alert.JudgedOperations()...), from, sets, showProgress)
	clearProgress()
	var problems alert.Problems
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("canceled: no result")
	case errors.As(err, &problems):
		return cmdutil.NewUsageError(fmt.Errorf("these rules cannot be backtested: %w", err))
	case err != nil:
		return err
	}
	lines := res.Report(backtest.ReportOptions{
		Width: cmp.Or(setup.Streams.Width(), fileReportWidth), Zone: info.Location(), Names: names, IncludeUnchanged: fl.includeUnchanged, OnlyRule: fl.rule,
	})
	return cmdutil.WriteResult(setup.Streams.Out, setup.JSON, res.JSON(), strings.Join(lines, "\n")+"\n")
}

// selectedSpan returns the part of the recording that the flags --since and --until select. If
// it would begin before the recording, selectedSpan shortens it and writes a note.
func (fl *backtestFlags) selectedSpan(setup *cmdutil.Setup, in record.Info) (from, to time.Time, err error) {
	if from, err = in.ParseInstant(fl.since, in.First); err != nil {
		return from, to, cmdutil.NewUsageError(fmt.Errorf("--since %w", err))
	}
	if to, err = in.ParseInstant(fl.until, in.Last); err != nil {
		return from, to, cmdutil.NewUsageError(fmt.Errorf("--until %w", err))
	}
	if err = NoteBeforeStart(setup.Streams, in, from); from.Before(in.First) {
		from = in.First
	}
	return from, to, err
}

// ruleSets returns the configuration and the sets of rules to compare. The first set contains
// the configured rules.
func (fl *backtestFlags) ruleSets(setup *cmdutil.Setup) (*config.Config, []backtest.RuleSet, error) {
	load := func(path string) (*config.Config, error) {
		o := setup.Options()
		o.Demo = true // the platform will not be contacted
		c, err := config.Load(path, o)
		return c, err
	}
	base, err := load(fl.basePath)
	if err != nil {
		return nil, nil, err
	}
	today := base.AlertOptions(base.Names())
	sets := []backtest.RuleSet{{Name: "today", Options: today}}
	if setup.ConfigPath != "" {
		c, err := load(setup.ConfigPath)
		if err != nil {
			return nil, nil, err
		}
		today = c.AlertOptions(c.Names())
		sets = append(sets, backtest.RuleSet{Name: "new", Options: today})
	}
	if fl.sweep != "" {
		more, err := backtest.Sweep(today, fl.sweep)
		if err != nil {
			return nil, nil, cmdutil.NewUsageError(fmt.Errorf("--sweep: %w", err))
		}
		sets = append(sets, more...)
	}
	if known := func(r alert.Rule) bool { return r.Name == fl.rule }; fl.rule != "" && !slices.ContainsFunc(today.Rules, known) {
		return nil, nil, cmdutil.NewUsageError(fmt.Errorf("--rule: there is no rule %q", fl.rule))
	}
	return base, sets, nil
}

// fileReportWidth is the width of a report that is not written to a terminal, in columns. It
// leaves room for a chart.
const fileReportWidth = 120
