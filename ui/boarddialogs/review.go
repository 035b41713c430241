package boarddialogs

import (
	"context"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert/situation"
	"wallboard/internal/record/analysis"
	"wallboard/internal/report/handover"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/style"
)

// IncidentReview writes the review of an incident to a file.
type IncidentReview struct {
	Incident situation.IncidentSummary

	scene     *panes.Scene
	input     HandoverInputs
	playbooks []situation.Playbook
}

// NewIncidentReview returns the review of an incident. It returns nil if the board cannot save
// files.
func NewIncidentReview(sc *panes.Scene, input HandoverInputs, incident situation.IncidentSummary, playbooks []situation.Playbook) *IncidentReview {
	if input.SaveFile == nil {
		return nil
	}
	return &IncidentReview{incident, sc, input, playbooks}
}

// SaveReview writes a review to a file beside the recording of the incident, and returns its path and
// its text in Markdown. recording is the path of the recording. If recording is "", missing is the reason
// why there is no recording.
type SaveReview func(ctx context.Context, recording, missing string) (path, text string, err error)

// Prepare reads the data of the review from the board and returns a function that writes the
// review. That function reads files and may be called outside the goroutine of the board. measure
// measures the cost of the incident, and backtest finds rules that would have reported it earlier;
// nil means that there is no recording.
func (r *IncidentReview) Prepare(measure analysis.CostFunc, backtest handover.EarlierRulesFunc) SaveReview {
	report := r.input.report(r.scene)
	return func(ctx context.Context, recording, missing string) (path, text string, err error) {
		review, err := r.review(ctx, report, measure, backtest)
		if err != nil {
			return "", "", err
		}
		review.Recording, review.RecordingNote = recording, missing
		name := "incident-" + r.Incident.Began.In(r.input.Zone).Format("2006-01-02-1504") + ".md"
		if recording != "" {
			name = strings.TrimSuffix(filepath.Base(recording), ".wbr") + ".md"
		}
		text = handover.ReviewMarkdown(review)
		path, err = r.input.SaveFile(name, []byte(text))
		return path, text, err
	}
}

// SavedReview is the text of a review in Markdown, and a line that says where its files are.
type SavedReview struct{ Text, Saved string }

// OpenReview opens a dialog that saves the review of an incident at a place and shows it. Closing the
// dialog does not stop the saving.
func OpenReview(dialogs *dialog.Stack, place string, save func() SavedReview) tea.Cmd {
	l := dialogs.Look().Format.Words
	return dialogs.Open(&dialog.Sheet[SavedReview]{
		Dialogs: dialogs, Name: words.HandoverReview(place).In(l), Progress: words.ReplaySaving().In(l),
		Read: func(context.Context) (SavedReview, error) { return save(), nil },
		Draw: func(lk *style.Look, r SavedReview, w int) []dialog.Line {
			_, text, _ := strings.Cut(r.Text, "\n") // without the title, which is that of the dialog
			return append(dialog.ParagraphLines(lk, themes.Dim, r.Saved, w), markdownLines(lk, text, w)...)
		},
	})
}

// review returns the review of the incident, with the effects of the actions, the cost and the
// rules that would have reported it earlier. It returns the error of ctx if ctx has ended.
func (r *IncidentReview) review(ctx context.Context, report handover.Report, measure analysis.CostFunc, backtest handover.EarlierRulesFunc) (handover.Review, error) {
	l := r.scene.Look.Format.Words
	report.From = r.Incident.Began.Add(-shiftLength)
	r.input.addActions(&report, l)
	review := report.ReviewOf(r.Incident, r.playbooks)
	if err := review.Report.MeasureEffects(ctx, r.input.MeasureFunc); err != nil {
		addOutcomeNote(&review.Report, err, l)
	}
	review.MeasureCost(ctx, measure)
	if backtest != nil {
		var err error
		if review.EarlierRules, err = backtest(ctx, &r.Incident); err != nil {
			review.EarlierNote = words.DialogRulesNotTested(words.TextOf(err)).In(l)
		}
	}
	return review, ctx.Err()
}
