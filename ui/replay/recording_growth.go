package replay

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/hub"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/ui/dialog"
)

// growthCheckInterval is how often a replay checks whether its recording has grown. A demo adds the
// hours before its start to the recording a few seconds after the board has opened it.
const growthCheckInterval = time.Second

// checkGrowthMsg makes a replay check whether its recording has grown.
type checkGrowthMsg struct{ *Replay }

// Apply implements history.Msg. It updates the span of the replay and schedules the next check.
func (m checkGrowthMsg) Apply() tea.Cmd { return m.updateSpan() }

// CheckGrowth returns a command that waits for growthCheckInterval and then checks whether the
// recording has grown.
func (r *Replay) CheckGrowth() tea.Cmd {
	ctx := r.Board.Context()
	return dialog.RecoverPanic(func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(growthCheckInterval):
			return checkGrowthMsg{r}
		}
	})
}

// updateSpan reads the span and the marks again if the recording has grown, and schedules the next
// check. If the viewer requested an instant before the old start and the recording now starts
// earlier, it jumps to this instant.
func (r *Replay) updateSpan() tea.Cmd {
	from, to := r.Recording.Span()
	if from.Equal(r.from) && to.Equal(r.to) {
		return r.CheckGrowth()
	}
	earlier := from.Before(r.from)
	r.readGrowth()
	r.Board.Refresh()
	if earlier && !r.requestedStart.IsZero() {
		now := r.showMessage(words.ReplayGoesBack(instantText(r.from, r.to, r.Board.Look().Zone())))
		return tea.Batch(now, r.Jump(r.requestedStart), r.CheckGrowth())
	}
	return r.CheckGrowth()
}

// readGrowth reads the span of a recording that has grown. It reads the marks only if the marks or
// the start of the recording have changed, which is rare.
func (r *Replay) readGrowth() {
	from, to := r.Recording.Span()
	if marks := r.Recording.Marks(); !from.Equal(r.from) || !slices.EqualFunc(marks, r.recordedMarks, isSameMark) {
		r.readMarks()
		return
	}
	r.from, r.to = from, to
}

// isSameMark reports whether two marks of the same recording are equal. It does not compare all
// fields, because a recorded mark never changes.
func isSameMark(a, b model.Mark) bool {
	return a.At.Equal(b.At) && a.Kind == b.Kind && a.Text == b.Text
}

// readMarks reads the span and the marks of the recording. It merges the recorded take-overs with
// those of the live board, and adds a mark for each critical alert of the live board that began
// within the recording.
func (r *Replay) readMarks() {
	r.from, r.to = r.Recording.Span()
	marks := r.Recording.Marks()
	r.recordedMarks = marks
	r.recordedIncidents = hub.NewRecordedIncidents(marks, r.liveAlerts, r.liveIncidents)
	for i := range r.liveAlerts {
		if a := &r.liveAlerts[i]; a.HighestLevel == alert.Critical && !a.Since.Before(r.from) {
			marks = append(marks, model.Mark{At: a.Since, Kind: model.MarkCritical, Text: a.Text, Message: a.TranslatableText().Stored()})
		}
	}
	r.marks = JumpMarks(marks)
}
