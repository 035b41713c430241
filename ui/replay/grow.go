package replay

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/task"
)

// growEvery is how often a reel looks whether there is more of its recording: something is
// recorded meanwhile, and what a demo has lived before comes some seconds after it opened.
const growEvery = time.Second

// grownMsg has a reel look whether there is more.
type grownMsg struct{ *Replay }

// Arrive has it look, and look again later.
func (m grownMsg) Arrive() tea.Cmd { return m.grown() }

// Follow has a reel beside which something is live know what is recorded meanwhile, as long as
// it is shown.
func (r *Replay) Follow() tea.Cmd {
	ctx := r.Board.Context()
	return task.Guard(func() tea.Msg {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(growEvery):
			return grownMsg{r}
		}
	})
}

// grown takes over what came, and goes to where somebody wanted to be before there was
// anything.
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

// mark takes over from when to when the recording goes, and the marks that it has: of what is
// live, too. What was before the recording begins is no place to go to.
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
