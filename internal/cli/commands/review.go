package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/alert/situation"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/app"
	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/config"
	"wallboard/internal/record"
	"wallboard/internal/record/analysis"
	"wallboard/internal/report/handover"
	"wallboard/model"
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
	at, err := ParseInstant(fl.at, info, info.Last)
	if err != nil {
		return cmdutil.NewUsageError(fmt.Errorf("--at %w", err))
	}
	names := mergeNames(c.Names(), info.About.Codes)
	past, err := findIncident(info, at, fl.place, names)
	if err != nil {
		return err
	}
	w := &reviewer{config: c, recording: r, info: info, names: names, openedBy: fl.selection.ShellArguments(setup, args)}
	in := past.Story()
	text, err := w.review(ctx, &in)
	if err != nil {
		return err
	}
	if setup.JSON {
		return writeReviewJSON(setup.Streams.Out, fl.file, &in, text)
	}
	return cmdutil.WriteOutput(setup.Streams.Out, fl.file, text)
}

// writeReviewJSON writes an incident and its review as JSON to a file, or to out if file is "".
func writeReviewJSON(out io.Writer, file string, in *situation.Story, markdown string) error {
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
	}{in.Place.Title, in.Worst.String(), in.Began, in.Ended, in.Unfinished, in.Headline, in.Causes, markdown}); err != nil {
		return err
	}
	return cmdutil.WriteOutput(out, file, b.String())
}

// recordedJournal returns the incidents of a recording. An incident without an end is taken to
// end at the next interruption or at the end of the recording.
func recordedJournal(in record.Info) *situation.Journal {
	var stops []time.Time
	for _, g := range in.Interruption {
		stops = append(stops, g.From)
	}
	return situation.NewJournal(in.Marks, nil).EndAt(append(stops, in.Last))
}

// findIncident returns the worst incident that was open at an instant and whose name contains
// place.
func findIncident(in record.Info, at time.Time, place string, names model.Names) (*situation.PastSituation, error) {
	journal := recordedJournal(in)
	list := journal.PastSituationsAt(at, names)
	var others []string
	for i := range list {
		title := list[i].Place.Title
		if strings.Contains(strings.ToLower(title), strings.ToLower(place)) {
			return &list[i], nil
		}
		others = append(others, title)
	}
	when := at.In(in.Location()).Format("2 Jan 15:04")
	if len(others) > 0 {
		return nil, fmt.Errorf("no incident at %s has a name with %q; there were: %s", when, place, strings.Join(others, ", "))
	}
	text := "no incident was open at " + when
	if next := journal.Nearest(at); !next.Began.IsZero() {
		text += "; the nearest one: " + next.Place.Title + " from " + next.Began.In(in.Location()).Format("2 Jan 15:04") + " to " + next.Ended.In(in.Location()).Format("15:04")
	}
	return nil, errors.New(text)
}

// reviewer writes reviews of the incidents of a recording.
type reviewer struct {
	config    *config.Config
	recording *record.Recording
	info      record.Info
	names     model.Names
	// openedBy holds the arguments that make a command open the recording.
	openedBy string
}

// review returns the review of an incident in Markdown. If the recording has no causes of the incident, it
// determines them.
func (w *reviewer) review(ctx context.Context, in *situation.Story) (text string, err error) {
	if len(in.Causes) == 0 {
		if in.Causes, err = w.causes(ctx, in); err != nil {
			return "", err
		}
	}
	goals, err := app.NewEngine(w.config, w.names)
	if err != nil {
		return "", err
	}
	zone, until := w.info.Location(), w.info.Last
	report := handover.New(handover.Input{Site: w.config.UI.Site, Alerts: goals, Names: w.names, From: in.Began.Add(-app.ShiftLength), At: until.In(zone), WatchedSince: w.info.First})
	report.AddMarks(handover.Recorded{Marks: w.info.Marks, Begins: w.info.First, Gaps: w.info.Interruption})
	review := report.ReviewOf(*in, w.config.Playbooks())
	review.ReplayCommand, review.CutCommand = w.commands(in)
	replay := w.recording.Replay(in.Began, 1, nil)
	if err := review.Report.MeasureEffects(ctx, func(ctx context.Context, actions []analysis.Action) ([]string, error) {
		return analysis.ComparedEffects(ctx, replay, actions)
	}); err != nil {
		return "", err
	}
	review.MeasureCost(ctx, func(ctx context.Context, scope analysis.Scope, from, to time.Time) (analysis.IncidentCost, bool, error) {
		return analysis.MeasureCost(ctx, replay, scope, from, to)
	})
	rules := w.config.AlertOptions(w.names)
	if review.Earlier, err = handover.FindEarlier(ctx, in, &rules, w.info.First, w.info.Last, func(from, to time.Time) iter.Seq2[*model.Snapshot, error] {
		return w.recording.Snapshots(from, to, alert.Tables()...)
	}); err != nil {
		return "", err
	}
	return handover.ReviewMarkdown(review), nil
}

// commands returns the shell commands that replay an incident, and write a file with it.
func (w *reviewer) commands(in *situation.Story) (replay, cut string) {
	const margin = 10 * time.Minute
	from, to := in.Began.Add(-margin), in.Until(w.info.Last).Add(margin)
	if from.Before(w.info.First) {
		from = w.info.First
	}
	if to.After(w.info.Last) {
		to = w.info.Last
	}
	flag := func(name string, at time.Time) string {
		return " --" + name + " '" + at.In(w.info.Location()).Format(time.DateTime) + "'"
	}
	opened := strings.TrimSuffix(" "+w.openedBy, " ")
	return "wallboard play" + opened + flag("at", in.Began), "wallboard record cut" + opened + flag("from", from) + flag("to", to) + " --out incident.wbr"
}

// recordedNotes are the notes and marks in a recording.
type recordedNotes []model.Note

// All implements [diagnosis.Notes].
func (n recordedNotes) All() []model.Note { return n }

// RecordSurge implements [diagnosis.Notes]. It does nothing, because a recording does not change.
func (recordedNotes) RecordSurge(string, time.Time) {}

// causes judges the incident again and returns its causes at its worst.
func (w *reviewer) causes(ctx context.Context, in *situation.Story) ([]string, error) {
	const before, after = 30 * time.Minute, 3 * time.Minute
	engine, err := app.NewEngine(w.config, w.names)
	if err != nil {
		return nil, err
	}
	tracker := situation.New(situation.Options{
		Goal: engine.Goal, Names: w.names, Zone: w.info.Location(), Notes: recordedNotes(statefile.RecordedNotes(w.info.Marks, w.info.Last)),
	})
	until := in.Until(w.info.Last).Add(after)
	var view *situation.View
	var last *model.Snapshot
	var causes []string
	for s, err := range w.recording.Replay(in.Began, 1, nil).Through(in.Began.Add(-before), until, backtest.Step) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("judge the incident: %w", err)
		}
		changes := engine.Evaluate(s, s.At)
		view, last = tracker.Update(s, engine.Active(), changes, s.At), s
		for i := range view.Live {
			if one := &view.Live[i]; one.Place.Key == in.Place.Key && one.Highest == in.Worst && len(one.CauseLines()) > 0 {
				causes = one.CauseLines()
			}
		}
	}
	for _, p := range situation.SummarizePast(last, w.names, engine.History(), view) {
		if p.Place.Key == in.Place.Key && len(p.Gravest.Causes) > 0 {
			return p.Gravest.Causes, nil
		}
	}
	return causes, nil
}
