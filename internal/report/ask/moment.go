package ask

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/alert/situation"
	"wallboard/internal/hub"
	"wallboard/internal/words"
	"wallboard/model"
)

// Engine holds the figures, alerts and observations at a moment. *hub.Viewer implements it.
type Engine interface {
	Active() []alert.Alert
	History() []alert.Alert
	AlertsOf(k alert.Key) []alert.Alert
	ExplainAlert(id string) (alert.Explanation, error)
	Value(name string, k alert.Key) model.Figure
	Goal(service string) alert.Goal
	KPIs(s alert.Scope) []alert.KPI
	Observations() hub.Observations
}

// Moment is an evaluated snapshot.
type Moment struct {
	Engine     Engine
	Snapshot   *model.Snapshot
	Situations *situation.View
	At         time.Time // on the server's clock
	IsRecorded bool      // the snapshot is from a recording
}

// Recording provides recorded snapshots with what the viewer may see. *hub.Replay implements it.
type Recording interface {
	Span() (from, to time.Time)
	IsEmptyAt(at time.Time) bool
	Marks() []model.Mark
	SampledSnapshots(from, to time.Time, step time.Duration, only ...model.Op) iter.Seq2[*model.Snapshot, error]
}

// Responder answers a viewer's questions. The functions in its fields return only what the viewer may see.
// A Responder is safe for concurrent use if these functions are.
type Responder struct {
	// Present returns the present moment, or nil before the first snapshot.
	Present func() *Moment
	Names   model.Names
	Zone    *time.Location      // time zone of times of day
	Words   *words.Language     // language of the answers; nil: English
	Rules   func() []alert.Rule // the alert rules that the viewer may see; nil: unknown
	// MaskText masks the names in a text of the configuration. A nil MaskText changes nothing.
	MaskText func(string) string
	// OpenRecording opens the recording for past moments and returns a function that releases it. A nil OpenRecording
	// means that nothing is recorded.
	OpenRecording func() (Recording, func(), error)
	// IsGrowing reports whether earlier hours are still being added to the recording; nil: they are not.
	IsGrowing func() bool
	// EngineOptions are the options of the hub that evaluates past moments, without RecordedIncidents.
	EngineOptions hub.Options
	// DayForecast returns the forecast that the viewer's board shows for a service, or for the floor
	// if service is "". A nil DayForecast means that there is no board: the forecast is then computed
	// from the observations of the hub alone.
	DayForecast func(service string, ch model.Channel, c *model.ServiceCalls) forecast.Forecast

	mu             sync.Mutex // guards lastPastMoment
	lastPastMoment *Moment    // the past moment that was evaluated last; nil: none
}

// now returns the time from which the times of day in questions are counted.
func (f *Responder) now() time.Time {
	if m := f.Present(); m != nil {
		return m.At.In(f.Zone)
	}
	return time.Now().In(f.Zone)
}

// notRecorded returns the error for a time at which nothing was recorded.
func (f *Responder) notRecorded(r Recording, at time.Time) error {
	clock := func(t time.Time) words.Text {
		t = t.In(f.Zone)
		return words.DateClock(words.Date(t), words.ClockOf(t, nil))
	}
	from, to := r.Span()
	text := words.AskNotRecorded(clock(at), clock(from), clock(to))
	if f.IsGrowing != nil && f.IsGrowing() {
		text = words.JoinSentences(text, words.AskGrowing())
	}
	return words.NewError(text, nil)
}

// errNoRecording is the error of [Responder.pastMoment] without a recording.
var errNoRecording = words.NewError(words.AskNoRecording(), nil)

// At returns the moment at an instant or, for the zero time, the present. It returns nil before the first
// snapshot. The error is a sentence for the viewer.
func (f *Responder) At(ctx context.Context, at time.Time) (*Moment, error) {
	if at.IsZero() {
		return f.Present(), nil
	}
	return f.pastMoment(ctx, at)
}

// pastMoment returns the moment at an instant. Successive questions about the same instant evaluate it once.
func (f *Responder) pastMoment(ctx context.Context, at time.Time) (*Moment, error) {
	f.mu.Lock()
	last := f.lastPastMoment
	f.mu.Unlock()
	if last != nil && last.At.Equal(at) {
		return last, nil
	}
	m, err := f.evaluatePast(ctx, at)
	if err == nil {
		f.mu.Lock()
		f.lastPastMoment = m
		f.mu.Unlock()
	}
	return m, err
}

// evaluatePast evaluates the recorded snapshots before an instant like a rewound board, and returns
// the moment.
func (f *Responder) evaluatePast(ctx context.Context, at time.Time) (*Moment, error) {
	if f.OpenRecording == nil {
		return nil, errNoRecording
	}
	r, release, err := f.OpenRecording()
	if err != nil {
		return nil, words.NewError(words.AskUnreadable(words.TextOf(err)), err)
	}
	defer release()
	if r.IsEmptyAt(at) {
		return nil, f.notRecorded(r, at)
	}
	o := f.EngineOptions
	o.RecordedIncidents = hub.NewRecordedIncidents(r.Marks(), nil, nil)
	viewer, err := hub.NewPrivateViewer(o)
	if err != nil {
		return nil, words.NewError(words.AskAlertsUnknown(words.TextOf(err)), err)
	}
	m := &Moment{Engine: viewer, At: at, IsRecorded: true}
	var early []*model.Snapshot // snapshots of the last hour that precede the evaluated ones
	for s, err := range sampleSnapshots(r.SampledSnapshots(at.Add(-situation.RecentPeriod), at, time.Second)) {
		switch err = errors.Join(err, ctx.Err()); {
		case err != nil:
			return nil, words.NewError(words.AskTimeUnreadable(words.TextOf(err)), err)
		case s.At.Before(at.Add(-situation.WarmUp)):
			early = append(early, s)
			continue
		}
		isFirst := m.Snapshot == nil
		m.Snapshot = s
		viewer.Evaluate(s, s.At)
		if isFirst {
			if err := f.addHistory(ctx, viewer, early, at); err != nil {
				return nil, err
			}
			early = nil
		}
	}
	if m.Snapshot == nil {
		return nil, f.notRecorded(r, at)
	}
	view, _ := viewer.Situations()
	m.Situations = view.In(f.Words)
	return m, nil
}

// addHistory adds the part of the last hour before the evaluated snapshots, with which causes are compared.
func (f *Responder) addHistory(ctx context.Context, viewer *hub.Viewer, early []*model.Snapshot, at time.Time) error {
	engine, err := f.EngineOptions.Engine(model.FloorPart{})
	if err != nil {
		return words.NewError(words.AskAlertsUnknown(words.TextOf(err)), err)
	}
	history, all := situation.Backfill(ctx, engine, f.Names, situation.RecentPart(at, at.Add(-situation.WarmUp), at), slices.Values(early))
	if !all {
		return ctx.Err()
	}
	viewer.Observations().AddHistory(history)
	return nil
}

// sampleSnapshots yields the first snapshot, then each snapshot that is at least a step later than the one yielded
// before, and the last snapshot. Callers must take all of them from one sequence, because each sequence for a
// viewer without names assigns new numbers to the agents.
func sampleSnapshots(snapshots iter.Seq2[*model.Snapshot, error]) iter.Seq2[*model.Snapshot, error] {
	return func(yield func(*model.Snapshot, error) bool) {
		var next time.Time
		var skipped *model.Snapshot
		for s, err := range snapshots {
			if err == nil && s.At.Before(next) {
				skipped = s
				continue
			}
			if !yield(s, err) || err != nil {
				return
			}
			next, skipped = s.At.Add(situation.WarmUpStep), nil
		}
		if skipped != nil {
			yield(skipped, nil)
		}
	}
}
