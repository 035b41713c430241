package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/alert/breaks"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/phrases"
	"wallboard/internal/report/headless"
	"wallboard/model"
)

// breaksFlags holds the flags of `wallboard breaks`.
type breaksFlags struct {
	wait     time.Duration
	onlyOver bool
}

// breakReport is the JSON output of `wallboard breaks`. Durations are in seconds. A limit of null
// means that there is no limit. A total of null means that the total of the day is unknown.
type breakReport struct {
	Since   time.Time      `json:"observedSince"`
	Breaks  []agentBreak   `json:"breaks"`
	Release *releaseReport `json:"release"`
}

// agentBreak describes the breaks that an agent took today with one activity code.
type agentBreak struct {
	Username      string   `json:"username"`
	AgentName     string   `json:"agent"`
	BreakName     string   `json:"break"`
	OnBreak       bool     `json:"now"` // the agent is on a break with this code now
	BreakCount    int      `json:"breaks"`
	Longest       float64  `json:"longest"`
	Allowed       *float64 `json:"allowed"`
	Overruns      int      `json:"overruns"`
	TotalToday    *float64 `json:"today"`
	AllowedPerDay *float64 `json:"allowedPerDay"`
}

func newBreaks(b *commandSetup) *cobra.Command {
	var fl breaksFlags
	cmd := &cobra.Command{
		Use:   "breaks",
		Short: "Report on the breaks of the day, for each agent and kind of break",
		Long: "Breaks connects, waits until the figures of the agents are live, and prints how often and how long each agent\n" +
			"has been on each kind of break today, with the limits of [[break]]. The total is the platform's count; the\n" +
			"number of breaks and the longest one are as observed, since the time below the table. With [record] this\n" +
			"includes the recorded hours. Then it prints how many agents can leave now and in each half hour, and what one\n" +
			"agent more or less out means for the callers; with --json also who has had no break for longest.",
		Example: "wallboard breaks --over\nwallboard breaks --json",
		Args:    cmdutil.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			platforms, closeAll, err := b.observe(cmd.Context(), slog.LevelWarn, app.PlatformOptions{LoadAlerts: true}, b.readConfigured)
			if err != nil {
				return err
			}
			defer closeAll()
			report, err := readBreaks(cmd.Context(), platforms[0], fl)
			if err != nil {
				return err
			}
			if b.JSON {
				return cmdutil.WriteJSON(b.Streams.Out, report)
			}
			return report.write(b.Streams.Out)
		},
	}
	cmd.Flags().DurationVar(&fl.wait, "for", 10*time.Second, "maximum time to wait until everything is live")
	cmd.Flags().BoolVar(&fl.onlyOver, "over", false, "only breaks over a limit")
	return cmd
}

// readBreaks runs a platform until the breaks of the day are known, and returns a report about
// them. It returns an error if the feed or the breaks do not arrive in time.
func readBreaks(ctx context.Context, p *app.Platform, fl breaksFlags) (*breakReport, error) {
	v, err := p.TextViewer()
	if err != nil {
		return nil, err
	}
	ctx, stop := p.Run(ctx, nil)
	defer stop()
	if err := v.AwaitLive(ctx, fl.wait); err != nil {
		return nil, err
	}
	if !awaitBreaks(ctx, v, fl.wait, time.Time{}) {
		return nil, errors.New("no figures of agents were received; `wallboard status` says more")
	}
	if p.Config().Record.Enabled {
		awaitBreaks(ctx, v, maxRecordedWait, v.EvaluatedAt.Add(-time.Minute))
	}
	report := newBreakReport(v, fl.onlyOver)
	report.Release = newReleaseReport(v, readReleasePlan(ctx, v, maxRecordedWait))
	return report, nil
}

// maxRecordedWait limits how long the command waits for recorded hours. After that it reports
// without them.
const maxRecordedWait = 3 * time.Second

// awaitBreaks waits until breaks have been observed. If before is not zero, it also waits until the
// observation begins earlier than before. It returns false if this takes longer than limit or the
// context ends.
func awaitBreaks(ctx context.Context, v *headless.Viewer, limit time.Duration, before time.Time) bool {
	const step = 200 * time.Millisecond
	for waited := time.Duration(0); ; waited += step {
		var since time.Time
		v.Observations().WithBreaks(func(t *breaks.Tracker) { since = t.ObservedSince() })
		if !since.IsZero() && (before.IsZero() || since.Before(before)) {
			return true
		}
		if waited >= limit || ctx.Err() != nil {
			return false
		}
		v.EvaluateFor(ctx, step)
	}
}

// newBreakReport returns a report of the breaks that a viewer has observed. If over is true, it
// contains only breaks that exceed a limit.
func newBreakReport(v *headless.Viewer, over bool) *breakReport {
	report := &breakReport{Breaks: []agentBreak{}}
	var records []breaks.DayTotal
	v.Observations().WithBreaks(func(t *breaks.Tracker) { records, report.Since = t.Day(v.EvaluatedAt), t.ObservedSince() })
	names := v.Names()
	var namesakes model.Namesakes
	if v.LastSnapshot != nil {
		namesakes.Update(v.LastSnapshot.Users)
	}
	for i := range records {
		r := &records[i]
		if over && !r.Exceeds() {
			continue
		}
		name := phrases.DistinctPerson(v.LastSnapshot, names, &namesakes, r.Username, model.Call)
		if name == r.Username {
			name = cmp.Or(r.Name, name)
		}
		one := agentBreak{
			Username: r.Username, AgentName: name, BreakName: names.Of(model.NameActivity, r.Code), OnBreak: r.Away,
			BreakCount: r.Breaks, Longest: r.Longest.Round(time.Second).Seconds(), Overruns: r.Overruns,
		}
		for _, limit := range []struct {
			of time.Duration
			to **float64
		}{{r.Limit.PerBreak, &one.Allowed}, {r.Limit.PerDay, &one.AllowedPerDay}} {
			if limit.of > 0 {
				*limit.to = new(limit.of.Seconds())
			}
		}
		if s, ok := r.Total.Seconds(); ok {
			one.TotalToday = new(s.Seconds())
		}
		report.Breaks = append(report.Breaks, one)
	}
	return report
}

// write prints the report as a table.
func (report *breakReport) write(w io.Writer) error {
	length := func(seconds *float64) string {
		if seconds == nil {
			return "-"
		}
		return phrases.Duration(time.Duration(*seconds * float64(time.Second)))
	}
	rows := [][]string{{"AGENT", "BREAK", "NOW", "BREAKS", "LONGEST", "ALLOWED", "OVER", "TODAY", "PER DAY"}}
	for i := range report.Breaks {
		r := &report.Breaks[i]
		now, longest := "", "-"
		if r.OnBreak {
			now = "yes"
		}
		if r.BreakCount > 0 {
			longest = length(&r.Longest)
		}
		rows = append(rows, []string{
			r.AgentName, r.BreakName, now, fmt.Sprint(r.BreakCount), longest, length(r.Allowed), fmt.Sprint(r.Overruns), length(r.TotalToday), length(r.AllowedPerDay),
		})
	}
	if len(report.Breaks) > 0 {
		if err := cmdutil.WriteTable(w, rows); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%s. Breaks observed since %s.\n",
		phrases.Capital(phrases.Count(len(report.Breaks), "record", "records")), report.Since.Local().Format("2 Jan 15:04"))
	if err != nil || report.Release == nil {
		return cmdutil.WrapWriteError(err)
	}
	return report.Release.write(w)
}
