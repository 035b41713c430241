package operations

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/report/handover"
	"wallboard/model/contact"
	"wallboard/model/resource"
)

func newHistoryReport(set *cmdutil.Setup) *cobra.Command {
	a := &historyCommand{set: set}
	var date, form, file string
	var all bool
	cmd := a.newCommand("report", "Report a day: by the hour, compared with a typical day of the same weekday",
		"  wallboard history report --date 2026-03-17\n  wallboard history report --date yesterday --format html --out day.html",
		func(ctx context.Context) error {
			day, err := a.reportDay(date)
			if err != nil {
				return err
			}
			write, ok := handover.DayFormatters(nil)[form]
			if !ok {
				return cmdutil.NewUsageError(fmt.Errorf("--format %q: want %s, %s, %s or %s", form, handover.FormText, handover.FormCSV, handover.FormMarkdown, handover.FormHTML))
			}
			r, err := handover.ReadDay(ctx, a.client, day, a.showProgress)
			if err != nil {
				return err
			}
			if !all {
				r.Organizations = r.Organizations[:min(len(r.Organizations), handover.DefaultOrganizations)]
			}
			r.Intervals = a.readRecordedIntervals(ctx, r.Date)
			a.endProgress()
			if set.JSON {
				return cmdutil.WriteJSON(set.Streams.Out, resultDocument{Command: a.command, Outcome: resource.OutcomeConfirmed.String(), Result: r})
			}
			return cmdutil.WriteOutput(set.Streams.Out, file, write(r))
		})
	fs := cmd.Flags()
	fs.StringVar(&date, "date", "today", "day to report: 2026-03-17, today, yesterday, monday or -7d")
	fs.BoolVar(&all, "all", false, "list all organizations, not the first 10")
	fs.StringVar(&form, "format", handover.FormText, "form of the report: text, csv, markdown, html (one page with charts)")
	fs.StringVar(&file, "out", "", "write the report to this file")
	return cmd
}

// reportDay parses the day of a report: a name such as "today", or a date. It returns an error
// for a day in the future.
func (a *historyCommand) reportDay(text string) (time.Time, error) {
	now := time.Now().In(a.client.Location())
	if text == "today" {
		return now, nil
	}
	day, err := parseDate(text, now)
	if err == nil && day.After(now) {
		err = cmdutil.NewUsageError(fmt.Errorf("--date %s is in the future", text))
	}
	return day, err
}

// parseDate parses the flag --date, the name of a day or a date. It returns the start of that
// day in the time zone of now.
func parseDate(text string, now time.Time) (time.Time, error) {
	if day, ok := contact.ParseDay(text, now); ok {
		return day, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return day, cmdutil.NewUsageError(fmt.Errorf("--date %q is not a day: write it like 2026-03-17", text))
	}
	// Use noon, because noon exists on every day even if the clocks change.
	return contact.StartOfDay(time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, now.Location()), 0), nil
}
