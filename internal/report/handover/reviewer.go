package handover

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/alert/situation"
	"wallboard/internal/alert/statefile"
	"wallboard/internal/config"
	"wallboard/internal/record"
	"wallboard/internal/record/analysis"
	"wallboard/internal/words"
	"wallboard/model"
)

// recordedJournal returns the incidents of a recording. An incident without an end is taken to
// end at the next interruption or at the end of the recording.
func recordedJournal(in record.Info) *situation.Journal {
	var stops []time.Time
	for _, g := range in.Interruption {
		stops = append(stops, g.From)
	}
	return situation.NewJournal(in.Marks, nil).EndSituationsAt(append(stops, in.Last))
}

// FindIncident returns the worst incident that was open at an instant and whose name contains place. If there
// is none, the error names the other incidents or the nearest one.
func FindIncident(in record.Info, at time.Time, place string, names model.Names) (*situation.PastSituation, error) {
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
	next := journal.NearestSituation(at)
	if next.Began.IsZero() {
		return nil, fmt.Errorf("no incident was open at %s", when)
	}
	return nil, fmt.Errorf("no incident was open at %s; the nearest one: %s from %s to %s", when, next.Place.Title,
		next.Began.In(in.Location()).Format("2 Jan 15:04"), next.Ended.In(in.Location()).Format("15:04"))
}

// Reviewer writes reviews of the incidents of a recording.
type Reviewer struct {
	Config      *config.Config
	Recording   *record.Recording
	Names       model.Names
	NewEngine   func() (*alert.Engine, error) // returns an engine with the configured rules
	ShiftLength time.Duration
	OpenedBy    string          // the arguments that make a command open the recording
	Words       *words.Language // language of the review; nil: English
}

// Review returns the review of an incident in Markdown. If the recording has no causes of the incident, it
// determines them.
func (w *Reviewer) Review(ctx context.Context, in *situation.IncidentSummary) (text string, err error) {
	if len(in.Causes) == 0 {
		if in.Causes, err = w.causes(ctx, in); err != nil {
			return "", err
		}
	}
	goals, err := w.NewEngine()
	if err != nil {
		return "", err
	}
	zone, until := w.Recording.Info().Location(), w.Recording.Info().Last
	report := New(Input{Site: w.Config.UI.Site, Alerts: goals, Names: w.Names, From: in.Began.Add(-w.ShiftLength), At: until.In(zone), WatchedSince: w.Recording.Info().First, Words: w.Words})
	report.AddMarks(RecordingData{Marks: w.Recording.Info().Marks, Start: w.Recording.Info().First, Gaps: w.Recording.Info().Interruption})
	review := report.ReviewOf(*in, w.Config.Playbooks())
	review.ReplayCommand, review.CutCommand = w.commands(in)
	replay := w.Recording.Replay(in.Began, 1, nil)
	if err := review.Report.MeasureEffects(ctx, func(ctx context.Context, actions []analysis.Action) ([]string, error) {
		return analysis.ComparedEffectTexts(ctx, replay, actions)
	}); err != nil {
		return "", err
	}
	review.MeasureCost(ctx, func(ctx context.Context, scope analysis.Scope, from, to time.Time) (analysis.IncidentCost, bool, error) {
		return analysis.MeasureCost(ctx, replay, scope, from, to)
	})
	rules := w.Config.AlertOptions(w.Names)
	if review.EarlierRules, err = FindEarlierRules(ctx, in, &rules, w.Recording.Info().First, w.Recording.Info().Last, func(from, to time.Time) iter.Seq2[*model.Snapshot, error] {
		return w.Recording.Snapshots(from, to, alert.JudgedOperations()...)
	}); err != nil {
		return "", err
	}
	return ReviewMarkdown(review), nil
}

// commands returns the shell commands that replay an incident, and write a file with it.
func (w *Reviewer) commands(in *situation.IncidentSummary) (replay, cut string) {
	const margin = 10 * time.Minute
	from, to := in.Began.Add(-margin), in.EndTime(w.Recording.Info().Last).Add(margin)
	if from.Before(w.Recording.Info().First) {
		from = w.Recording.Info().First
	}
	if to.After(w.Recording.Info().Last) {
		to = w.Recording.Info().Last
	}
	flag := func(name string, at time.Time) string {
		return " --" + name + " '" + at.In(w.Recording.Info().Location()).Format(time.DateTime) + "'"
	}
	opened := strings.TrimSuffix(" "+w.OpenedBy, " ")
	return "wallboard play" + opened + flag("at", in.Began), "wallboard record cut" + opened + flag("from", from) + flag("to", to) + " --out incident.wbr"
}

// recordedNotes are the notes and marks in a recording.
type recordedNotes []model.Note

// All implements [diagnosis.Notes].
func (n recordedNotes) All() []model.Note { return n }

// RecordSurge implements [diagnosis.Notes]. It does nothing, because a recording does not change.
func (recordedNotes) RecordSurge(string, time.Time) {}

// causes judges the incident again and returns its causes at its worst.
func (w *Reviewer) causes(ctx context.Context, in *situation.IncidentSummary) ([]string, error) {
	const before, after = 30 * time.Minute, 3 * time.Minute
	engine, err := w.NewEngine()
	if err != nil {
		return nil, err
	}
	tracker := situation.New(situation.Options{
		Goal: engine.Goal, Names: w.Names, Zone: w.Recording.Info().Location(), Notes: recordedNotes(statefile.RecordedNotes(w.Recording.Info().Marks, w.Recording.Info().Last)),
	})
	until := in.EndTime(w.Recording.Info().Last).Add(after)
	var view *situation.View
	var last *model.Snapshot
	var causes []string
	for s, err := range w.Recording.Replay(in.Began, 1, nil).SampledSnapshots(in.Began.Add(-before), until, backtest.Step) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("judge the incident: %w", err)
		}
		changes := engine.Evaluate(s, s.At)
		view, last = tracker.Update(s, engine.Active(), changes, s.At).In(w.Words), s
		for i := range view.Live {
			if one := &view.Live[i]; one.Place.Key == in.Place.Key && one.HighestLevel == in.HighestLevel && len(one.CauseLines()) > 0 {
				causes = one.CauseLines()
			}
		}
	}
	for _, p := range situation.SummarizeEndedAlerts(last, w.Names, engine.History(), view) {
		if p.Place.Key == in.Place.Key && len(p.WorstEpisode.Causes) > 0 {
			return p.WorstEpisode.Causes, nil
		}
	}
	return causes, nil
}
