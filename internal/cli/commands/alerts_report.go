package commands

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/record"
	"wallboard/internal/record/analysis"
	"wallboard/internal/textformat"
	"wallboard/model"
)

// AlertsCommand returns `wallboard alerts`.
func AlertsCommand(setup *cmdutil.Setup) *cobra.Command {
	return cmdutil.NewGroup("alerts", "Report on the alert rules, and backtest other rules", newAlertsReport(setup), newBacktestCommand(setup))
}

// rulesReport reports how useful the alert rules and the measures against queues were.
type rulesReport struct {
	backtest.RuleReport

	Measures []analysis.CountermeasureResult
}

// defaultReportPeriod is the reported period if no flag sets it.
const defaultReportPeriod = 24 * time.Hour

func newAlertsReport(setup *cmdutil.Setup) *cobra.Command {
	var span RecordingRange
	cmd := &cobra.Command{
		Use: "report [FILE|FOLDER]", Short: "Report how often each rule fired, and whether it was useful",
		Long: "Report evaluates the configured rules on the recording. For each rule it prints how often it fired, how many\n" +
			"alerts boards held back because they ended before anyone had to act, how often an alert was taken over, how often\n" +
			"it ended by itself, and how often it preceded a miss: a quarter of an hour in which the service missed its target. If another threshold or duration would have avoided at least three and a quarter of\n" +
			"the alerts without losing a useful one, it proposes that. Take-overs come from the marks of the recording and from\n" +
			"the boards of this machine. At last it says which steps of playbooks, actions and take-overs made queues\n" +
			"shorter, compared with similar moments at the same place without them; longer periods have more cases.",
		Example: "wallboard alerts report\nwallboard alerts report --from 8h\nwallboard alerts report shift.wbr --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := setup.Load(true)
			if err != nil {
				return err
			}
			r, from, to, err := span.Open(setup, args)
			if err != nil {
				return err
			}
			defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
			if span.From == "" && to.Sub(from) > defaultReportPeriod {
				from = to.Add(-defaultReportPeriod)
			}
			rep := rulesReport{Measures: []analysis.CountermeasureResult{}}
			if rep.RuleReport, err = evaluateRules(cmd.Context(), c, r, from, to); err != nil {
				return err
			}
			if rep.Measures, err = analysis.EvaluateCountermeasures(cmd.Context(), r.Replay(from, 1, nil), analysis.CountermeasuresOf(r.Info().Marks), from, to); err != nil {
				return err
			}
			if setup.JSON {
				return cmdutil.WriteJSON(setup.Streams.Out, rep)
			}
			return writeRuleReport(setup.Streams, rep, r.Info().Location())
		},
	}
	span.AddFlags(cmd)
	return cmd
}

// evaluateRules replays a part of a recording through the configured alert rules. It reports
// how often each rule raised an alert, and how useful its alerts were.
func evaluateRules(ctx context.Context, c *config.Config, r *record.Recording, from, to time.Time) (backtest.RuleReport, error) {
	engine, err := app.NewEngine(c, c.Names())
	if err != nil {
		return backtest.RuleReport{}, err
	}
	takeOvers := statefile.NewAlertFile(statefile.AlertsPath(c.RTD.URL), nil).Load()
	report, err := backtest.Evaluate(ctx, r.Replay(from, 1, nil).SampledSnapshots(from, to, backtest.Step, alert.JudgedOperations()...), engine, backtest.EvaluateOptions{TakenAlerts: takeOvers, Marks: r.Info().Marks})
	switch {
	case errors.Is(err, context.Canceled):
		return report, errors.New("canceled")
	case err != nil:
		return report, err
	case report.From.IsZero():
		return report, errors.New("nothing is recorded for this period")
	}
	return report, nil
}

func writeRuleReport(s cmdutil.Streams, report rulesReport, zone *time.Location) error {
	if err := cmdutil.Printf(s.Out, "%s to %s; quarters of an hour in which a service missed its level: %d\n\n",
		report.From.In(zone).Format(time.DateTime), report.To.In(zone).Format(time.DateTime), report.Misses); err != nil {
		return err
	}
	if err := cmdutil.WriteTable(s.Out, report.Table()); err != nil {
		return err
	}
	if err := cmdutil.WriteText(s.Out, report.Conclusions(levelText)); err != nil {
		return err
	}
	return writeMeasures(s.Out, report.Measures)
}

// writeMeasures writes to w which playbook steps, actions and take-overs helped.
func writeMeasures(w io.Writer, list []analysis.CountermeasureResult) error {
	text := "\nWhat was done, compared with similar moments of queues without it:\n"
	for i := range list {
		text += "  " + list[i].Name + ": " + list[i].Phrase() + "\n"
	}
	if len(list) == 0 {
		text = "\nNo step of a playbook, action or take-over is recorded.\n"
	}
	return cmdutil.WriteText(w, text)
}

// levelText formats v, the threshold of a rule, in the unit of format.
func levelText(v float64, format alert.Format) string {
	return string(textformat.Format{}.KPI(nil, format.Unit(), model.FigureOf(v)))
}
