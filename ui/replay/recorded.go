package replay

import (
	"context"
	"iter"
	"slices"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/backtest"
	"wallboard/internal/alert/situation"
	"wallboard/internal/record"
	"wallboard/internal/record/analysis"
	"wallboard/internal/report/ask"
	"wallboard/internal/report/handover"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/history"
	"wallboard/ui/widgets"
)

// openFunc opens a recording and returns a function that releases it. It is called from commands,
// outside the goroutine of the board.
type openFunc func() (recording Recording, release func(), err error)

// withRecording opens a recording, calls read with it, releases it, and returns the results of
// read.
func withRecording[T any](open openFunc, read func(Recording) (T, error)) (T, error) {
	recording, release, err := open()
	if err != nil {
		var none T
		return none, err
	}
	defer release()
	return read(recording)
}

// recordingOpener returns a function that opens the recording that the board can read: the replayed
// recording or, on a live board, that of the board's floor. recordingOpener must be called from
// Update, and the returned function from commands. The viewer sees the message of its error.
func (b *BoardArchive) recordingOpener() openFunc {
	if recording := b.Replayed; recording != nil {
		return func() (Recording, func(), error) { return recording, func() {}, nil }
	}
	open := b.Open
	return func() (Recording, func(), error) {
		if open == nil {
			return nil, nil, words.NewError(words.ReplayOff(), nil)
		}
		recording, err := open()
		if err != nil {
			return nil, nil, err
		}
		return recording, func() { _ = recording.Close() }, nil // opened for reading only, so closing cannot lose data
	}
}

// hasRecording reports whether the board can read a recording: the replayed recording, or that of
// the board's floor.
func (b *BoardArchive) hasRecording() bool {
	return b.Replayed != nil || b.Open != nil
}

// History returns the recording for the page History, or nil if there is none.
func (b *BoardArchive) History() history.Recording {
	if !b.hasRecording() {
		return nil
	}
	return recordedDays{b.Goal, b.recordingOpener()}
}

// recordedDays reads the figures of recorded days, by interval, for the page History.
type recordedDays struct {
	goalOf func(service string) alert.Goal
	open   openFunc
}

var _ history.Recording = recordedDays{}

// Intervals implements [history.Recording].
func (r recordedDays) Intervals(
	ctx context.Context, from, to time.Time, length time.Duration, scope analysis.Scope, progress analysis.Progress,
) ([]analysis.Interval, error) {
	return withRecording(r.open, func(recording Recording) ([]analysis.Interval, error) {
		return analysis.Intervals(ctx, recording, from, to, length, scope, progress)
	})
}

// ServiceLevelFormula implements [history.Recording].
func (r recordedDays) ServiceLevelFormula(service string) model.ServiceLevelFormula {
	return r.goalOf(service).Formula
}

// ServiceLevelTarget implements [history.Recording].
func (r recordedDays) ServiceLevelTarget(service string) model.Float {
	return r.goalOf(service).ServiceLevel
}

// Shifts returns a function that reads an agent's shifts from the recording, up to the instant on
// the screen. It returns nil if there is no recording or shifts are hidden.
func (b *BoardArchive) Shifts() widgets.ShiftReader {
	if !b.hasRecording() || b.HideShifts {
		return nil
	}
	open, to, nameless := b.recordingOpener(), b.Floor.Now(), b.Pseudonymous && b.Replayed == nil
	archive := *b.Archive
	return func(ctx context.Context, username string) ([]analysis.Shift, error) {
		if nameless {
			return nil, words.NewError(words.ReplayNameless(), nil)
		}
		archive.logAccess(RecordingAccess{ShiftUser: username})
		return withRecording(open, func(recording Recording) ([]analysis.Shift, error) {
			return analysis.ReadShift(ctx, recording, to.Add(-longestShift), to, username)
		})
	}
}

// longestShift is the maximum length of a shift. Anything earlier belongs to a previous shift.
const longestShift = 16 * time.Hour

// EffectFunc returns a function that measures the effects of actions. If compare is true, the function
// also compares them with similar moments. EffectFunc returns nil if there is no recording. During a
// replay, the function ignores snapshots after the instant on the screen.
func (b *BoardArchive) EffectFunc(compare bool) analysis.EffectsFunc {
	if !b.hasRecording() {
		return nil
	}
	open, now, shown := b.recordingOpener(), b.Floor.Now(), b.Replayed != nil
	measure := analysis.EffectTexts
	if compare {
		measure = analysis.ComparedEffectTexts
	}
	return func(ctx context.Context, pastActions []analysis.Action) ([]string, error) {
		return withRecording(open, func(recording Recording) ([]string, error) {
			if shown {
				return measure(ctx, limitedSnapshots{recording, now}, pastActions)
			}
			return measure(ctx, recording, pastActions)
		})
	}
}

// MarkReader returns a function that reads the marks in the recording of the board's floor. It
// returns nil if there is no recording.
func (b *BoardArchive) MarkReader() handover.RecordingReader {
	if b.Open == nil {
		return nil
	}
	open := b.recordingOpener()
	return func(context.Context) (handover.RecordingData, error) {
		return withRecording(open, func(recording Recording) (handover.RecordingData, error) { return RecordedShift(recording), nil })
	}
}

// RecordedShift returns the marks, the span and the gaps of a recording for the handover report.
func RecordedShift(recording Recording) handover.RecordingData {
	out := handover.RecordingData{Marks: recording.Marks()}
	out.Start, out.End = recording.Span()
	if r, ok := recording.(interface{ Info() record.Info }); ok {
		out.Gaps = r.Info().Interruption
	}
	return out
}

// CostFunc returns a function that measures the cost of incidents. It returns nil if there is no
// recording.
func (b *BoardArchive) CostFunc() analysis.CostFunc {
	if !b.hasRecording() {
		return nil
	}
	open := b.recordingOpener()
	return func(ctx context.Context, scope analysis.Scope, from, to time.Time) (cost analysis.IncidentCost, ok bool, err error) {
		cost, err = withRecording(open, func(recording Recording) (c analysis.IncidentCost, err error) {
			c, ok, err = analysis.MeasureCost(ctx, recording, scope, from, to)
			return c, err
		})
		return cost, ok, err
	}
}

// earlierRuleFinder returns a function that finds rules that would have reported an incident earlier. It
// returns nil if there is no recording or the rules are unknown.
func (b *BoardArchive) earlierRuleFinder() handover.EarlierRulesFunc {
	if b.Rules == nil || !b.hasRecording() {
		return nil
	}
	open, rules, now := b.recordingOpener(), b.Rules(), b.Floor.Now()
	return func(ctx context.Context, in *situation.IncidentSummary) ([]handover.EarlierRule, error) {
		return withRecording(open, func(recording Recording) ([]handover.EarlierRule, error) {
			first, last := recording.Span()
			if now.Before(last) {
				last = now
			}
			return handover.FindEarlierRules(ctx, in, &rules, first, last, func(from, to time.Time) iter.Seq2[*model.Snapshot, error] {
				return recording.SampledSnapshots(from, to, backtest.Step, alert.JudgedOperations()...)
			})
		})
	}
}

// limitedSnapshots limits a recording to the time up to the instant that the replay has reached.
type limitedSnapshots struct {
	Player

	end time.Time
}

// Marks returns the marks up to the end, so that effects are compared only with moments without an
// action.
func (u limitedSnapshots) Marks() []model.Mark {
	marks := u.Player.Marks()
	if i := slices.IndexFunc(marks, func(m model.Mark) bool { return m.At.After(u.end) }); i >= 0 {
		return marks[:i]
	}
	return marks
}

// Span implements [analysis.Snapshots].
func (u limitedSnapshots) Span() (from, to time.Time) {
	from, to = u.Player.Span()
	if u.end.Before(to) {
		to = u.end
	}
	return from, to
}

// SampledSnapshots implements [analysis.Snapshots].
func (u limitedSnapshots) SampledSnapshots(from, to time.Time, step time.Duration, only ...model.Op) iter.Seq2[*model.Snapshot, error] {
	if u.end.Before(to) {
		to = u.end
	}
	return u.Player.SampledSnapshots(from, to, step, only...)
}

// QuestionRecording returns the function that opens the recording for a question about the past, or
// nil if there is no recording. It must be called from Update, and the returned function from
// commands. On a server, the function waits for its turn.
func (b *BoardArchive) QuestionRecording() func() (ask.Recording, func(), error) {
	if !b.hasRecording() {
		return nil
	}
	open, archive, ctx := b.recordingOpener(), *b.Archive, b.Context
	return func() (ask.Recording, func(), error) {
		turn := archive.Queue.WaitUrgent(ctx)
		if turn == nil {
			return nil, nil, context.Cause(ctx)
		}
		recording, release, err := open()
		if err != nil {
			turn.Release()
			return nil, nil, err
		}
		from, _ := recording.Span()
		archive.logAccess(RecordingAccess{ReplayFrom: from})
		return recording, func() { release(); turn.Release() }, nil
	}
}
