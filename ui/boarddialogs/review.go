package boarddialogs

import (
	"context"
	"path/filepath"
	"strings"

	"wallboard/internal/alert/situation"
	"wallboard/internal/record/analysis"
	"wallboard/internal/report/handover"
	"wallboard/internal/words"
	"wallboard/ui/panes"
)

// IncidentReview writes the review of an incident to a file.
type IncidentReview struct {
	Incident situation.Story

	scene     *panes.Scene
	input     HandoverInputs
	playbooks []situation.Playbook
}

// NewIncidentReview returns the review of an incident. It returns nil if the board cannot save
// files.
func NewIncidentReview(sc *panes.Scene, input HandoverInputs, incident situation.Story, playbooks []situation.Playbook) *IncidentReview {
	if input.Save == nil {
		return nil
	}
	return &IncidentReview{incident, sc, input, playbooks}
}

// SaveReview writes a review to a file beside the recording of the incident, and returns its path.
// recording is the path of the recording. If recording is "", missing is the reason why there is no
// recording.
type SaveReview func(ctx context.Context, recording, missing string) (path string, err error)

// Prepare reads the data of the review from the board and returns a function that writes the
// review. That function reads files and may be called outside the goroutine of the board. measure
// measures the cost of the incident, and backtest finds rules that would have reported it earlier;
// nil means that there is no recording.
func (r *IncidentReview) Prepare(measure analysis.CostFunc, backtest handover.EarlierFunc) SaveReview {
	report := r.input.report(r.scene)
	return func(ctx context.Context, recording, missing string) (string, error) {
		review, err := r.review(ctx, report, measure, backtest)
		if err != nil {
			return "", err
		}
		review.Recording, review.RecordingNote = recording, missing
		name := "incident-" + r.Incident.Began.In(r.input.Zone).Format("2006-01-02-1504") + ".md"
		if recording != "" {
			name = strings.TrimSuffix(filepath.Base(recording), ".wbr") + ".md"
		}
		return r.input.Save(name, []byte(handover.ReviewMarkdown(review)))
	}
}

// review returns the review of the incident, with the effects of the actions, the cost and the
// rules that would have reported it earlier. It returns the error of ctx if ctx has ended.
func (r *IncidentReview) review(ctx context.Context, report handover.Report, measure analysis.CostFunc, backtest handover.EarlierFunc) (handover.Review, error) {
	l := r.scene.Look.Format.Words
	report.From = r.Incident.Began.Add(-shiftLength)
	r.input.addActions(&report, l)
	review := report.ReviewOf(r.Incident, r.playbooks)
	if err := review.Report.MeasureEffects(ctx, r.input.Measure); err != nil {
		addOutcomeNote(&review.Report, err, l)
	}
	review.MeasureCost(ctx, measure)
	if backtest != nil {
		var err error
		if review.Earlier, err = backtest(ctx, &r.Incident); err != nil {
			review.EarlierNote = words.DialogRulesNotTested(words.TextOf(err)).In(l)
		}
	}
	return review, ctx.Err()
}
