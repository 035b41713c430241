package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/report/handover"
)

type reviewFlags struct {
	at, place, file string
	selection       cmdutil.RecordingSelection
}

// ReviewCommand returns `wallboard review`.
func ReviewCommand(setup *cmdutil.Setup) *cobra.Command {
	var fl reviewFlags
	cmd := &cobra.Command{
		Use: "review [FILE|FOLDER]", Short: "Write the review of an incident from the recording",
		Long: "Review writes a review of the incident at a time in Markdown: timeline, cause, what was done and its effect, the\n" +
			"playbook, the cost in contacts, and what a rule could have reported earlier, by a backtest. If there were several\n" +
			"incidents, it takes the worst; --place selects another. On a board, ctrl+e writes the review of the selected\n" +
			"incident and its recording.",
		Example: "wallboard review --at 14:05\nwallboard review --at '2026-03-17 14:05' --place 'Sales' --out review.md\nwallboard review incident.wbr --at 14:05",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if fl.at == "" {
				return cmdutil.NewUsageError(errors.New("--at is missing: write a time at which the incident was open, such as 14:05"))
			}
			return runReview(cmd.Context(), setup, args, &fl)
		},
	}
	cmd.Flags().StringVar(&fl.at, "at", "", "a time of the incident: a time of day (14:05), a date and time, or a duration before the end (40m)")
	cmd.Flags().StringVar(&fl.place, "place", "", "only an incident whose name contains this text")
	cmd.Flags().StringVar(&fl.file, "out", "", "write the review to this file")
	fl.selection.AddFlags(cmd)
	return cmd
}

func runReview(ctx context.Context, setup *cmdutil.Setup, args []string, fl *reviewFlags) error {
	c, err := setup.Load(true)
	if err != nil {
		return err
	}
	r, err := fl.selection.OpenWithConfig(setup.Streams, c, args)
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // read-only: closing cannot lose data
	info := r.Info()
	at, err := info.ParseInstant(fl.at, info.Last)
	if err != nil {
		return cmdutil.NewUsageError(fmt.Errorf("--at %w", err))
	}
	names := info.About.MergeNames(c.Names())
	past, err := handover.FindIncident(info, at, fl.place, names)
	if err != nil {
		return err
	}
	w := &handover.Reviewer{
		Config: c, Recording: r, Names: names, OpenedBy: fl.selection.ShellArguments(setup, args),
		NewEngine: func() (*alert.Engine, error) { return app.NewEngine(c, names) }, ShiftLength: app.ShiftLength,
	}
	in := past.IncidentSummary()
	text, err := w.Review(ctx, &in)
	if err != nil {
		return err
	}
	if setup.JSON {
		return writeReviewJSON(setup.Streams.Out, fl.file, &in, text)
	}
	return cmdutil.WriteOutput(setup.Streams.Out, fl.file, text)
}

// writeReviewJSON writes an incident and its review as JSON to a file, or to out if file is "".
func writeReviewJSON(out io.Writer, file string, in *situation.IncidentSummary, markdown string) error {
	var b bytes.Buffer
	if err := cmdutil.WriteJSON(&b, struct {
		Place    string    `json:"place"`
		Level    string    `json:"level"`
		Began    time.Time `json:"began"`
		Ended    time.Time `json:"ended"`
		Open     bool      `json:"open"` // it was still open at Ended, when the recording stopped
		Headline string    `json:"headline"`
		Causes   []string  `json:"causes"`
		Markdown string    `json:"markdown"`
	}{in.Place.Title, in.HighestLevel.String(), in.Began, in.Ended, in.Unfinished, in.Headline, in.Causes, markdown}); err != nil {
		return err
	}
	return cmdutil.WriteOutput(out, file, b.String())
}
