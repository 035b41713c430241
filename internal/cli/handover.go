package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/cli/commands"
	"wallboard/internal/report/figureproof"
	"wallboard/internal/report/handover"
	"wallboard/internal/report/headless"
	"wallboard/internal/report/notify"
	"wallboard/model"
)

type handoverFlags struct {
	waitFlags
	since, file, receipts string
	send                  []string // names of [[notify]]
}

func newHandoverCommand(b *commandSetup) *cobra.Command {
	var fl handoverFlags
	cmd := &cobra.Command{
		Use:   "handover",
		Short: "Write a handover report of the shift",
		Long: "Handover connects, waits until everything is live, and writes a report in Markdown: how the day went, what was\n" +
			"worst and what is open; all open situations with their owners, notes and marks, all ended situations, services off\n" +
			"target, breaks over a limit, actions on the platform, the figures of the day against a typical day, and the campaigns.\n" +
			"The first page is complete as a story; what does not fit on it is in an appendix.\n\n" +
			"Incidents are those in the recording, and those that the boards of this machine stored while they were open.\n" +
			"On a board the key h writes the same report. --send sends it to a [[notify]] with mail or a webhook, and says for\n" +
			"each recipient what came of it; the exit code is 1 if one of them has not got it.",
		Example: "wallboard handover\nwallboard handover --since 06:00 --out shift.md\nwallboard handover --send anna --send team",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := fl.check(); err != nil {
				return err
			}
			return b.withPlatform(cmd.Context(), slog.LevelWarn, app.PlatformOptions{LoadAlerts: true, HasHistory: true}, func(p *app.Platform, v *headless.Viewer) error {
				return writeHandover(cmd.Context(), b.Streams.Out, p, v, fl)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&fl.since, "since", "", "start of the shift: a time of today (06:00), a date and time, or a duration before now (default 8h)")
	fs.StringVar(&fl.file, "out", "", "write the report to this file")
	fs.StringVar(&fl.receipts, "receipts", "", "write receipts for the figures of the report to this file, for wallboard verify")
	fs.StringArrayVar(&fl.send, "send", nil, "send the report to the [[notify]] with this name instead of writing it; may be repeated")
	fl.addTo(fs)
	return cmd
}

// writeHandover runs a platform and writes or sends a report about the current shift until now.
func writeHandover(ctx context.Context, out io.Writer, p *app.Platform, v *headless.Viewer, fl handoverFlags) error {
	loc := time.Local
	if reader := p.History.Reader(); reader != nil {
		loc = reader.Location()
	}
	now := time.Now().In(loc)
	if _, err := handover.ParseStart(fl.since, now, app.ShiftLength); err != nil { // check the flag before connecting
		return cmdutil.NewUsageError(fmt.Errorf("--since %w", err))
	}
	sender := p.HandoverSender("", nil)
	recipients, err := recipientsOf(sender, fl.send)
	if err != nil {
		return err
	}
	v.SetLanguage(viewerLanguage(p.Config()))
	feedCtx, stop := p.Run(ctx, nil)
	defer stop()
	if err := v.AwaitLive(feedCtx, fl.wait); err != nil {
		return err
	}
	v.EvaluateFor(feedCtx, fl.startEvaluation(ctx, p, v))
	if v.LastSnapshot != nil { // a board that records may have continued meanwhile: its recording knows when open situations began
		p.Hub.LoadIncidents(ctx, v.EvaluatedAt)
		v.Evaluate()
	}
	if v.LastSnapshot == nil {
		return errors.New("the platform has sent nothing to hand over; `wallboard status` says more")
	}
	now = now.Add(v.LastSnapshot.Health.ClockOffset)
	from, err := handover.ParseStart(fl.since, now, app.ShiftLength)
	if err != nil {
		return cmdutil.NewUsageError(fmt.Errorf("--since %w", err))
	}
	r := p.HandoverReport(ctx, v, from, now, viewerLanguage(p.Config()))
	if fl.receipts != "" {
		rules := figureproof.Rules{Goal: v.Goal, CustomExplainer: func(*model.Snapshot) figureproof.Explainer { return v }}
		if err := commands.WriteReceipts(nil, fl.receipts, figureproof.AllReceipts(v.LastSnapshot, rules, nil)); err != nil {
			return err
		}
	}
	text := handover.Markdown(r)
	if fl.file != "" || len(recipients) == 0 {
		if err := cmdutil.WriteOutput(out, fl.file, text); err != nil {
			return err
		}
	}
	results, err := handover.SendAll(ctx, sender, recipients, handover.NewDocument(&r, text))
	return errors.Join(cmdutil.WriteText(out, results), err)
}

// recipientsOf returns the recipients with the given names in the configuration. It returns an
// error if a name is unknown.
func recipientsOf(sender *notify.DocumentSender, names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		recipient, ok := sender.Recipient(name)
		if !ok {
			known := strings.Join(sender.Recipients(), ", ")
			return nil, cmdutil.NewUsageError(fmt.Errorf("--send %q: there is no such [[notify]] with mail or a webhook; there are: %s", name, cmp.Or(known, "none")))
		}
		out = append(out, recipient)
	}
	return out, nil
}
