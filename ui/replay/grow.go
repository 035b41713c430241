package replay

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/dialog"
)

// growEvery is the interval at which a replay checks whether its recording has grown. A demo
// adds the hours before its start some seconds after it opened.
const growEvery = time.Second

// grownMsg makes a replay check whether its recording has grown.
type grownMsg struct{ *Replay }

// Arrive checks, and schedules the next check.
func (m grownMsg) Arrive() tea.Cmd { return m.grown() }

// Follow returns the command that schedules the next check.
func (r *Replay) Follow() tea.Cmd {
	ctx := r.Board.Context()
	return dialog.Guard(func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(growEvery):
			return grownMsg{r}
		}
	})
}

// grown updates the span and the marks. If the recording now goes further back, it jumps to
// an instant that the viewer asked for before.
func (r *Replay) grown() tea.Cmd {
	from, to := r.Film.Span()
	if from.Equal(r.from) && to.Equal(r.to) {
		return r.Follow()
	}
	earlier := from.Before(r.from)
	r.mark()
	r.Board.Refresh()
	if earlier && !r.requested.IsZero() {
		now := r.Board.Say("The recording now goes back to " + FormatInstant(r.from, r.to, r.Board.Look()) + ".")
		return tea.Batch(now, r.Jump(r.requested), r.Follow())
	}
	return r.Follow()
}

// mark reads the span and the marks of the recording, and adds the critical alerts of the
// live board that began within it.
func (r *Replay) mark() {
	r.from, r.to = r.Film.Span()
	marks := r.Film.Marks()
	r.takeOvers = withKnown(marked(marks), r.known)
	for i := range r.known {
		if a := &r.known[i]; a.Worst == alert.Critical && !a.Since.Before(r.from) {
			marks = append(marks, model.Mark{At: a.Since, Kind: model.MarkCritical, Text: a.Text})
		}
	}
	r.marks = JumpMarks(marks)
}
