package history

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/past"
	"wallboard/ui/look"
	"wallboard/ui/task"
)

// question is what a view asks.
type question interface {
	// read asks the platform. What it returns is what the view draws.
	read(ctx context.Context, r Reader, far func(past.Progress)) (any, error)
	// same reports whether another question has the same answer, but for the time
	// that has passed.
	same(other question) bool
	// ages reports whether the answer becomes old while it is looked at.
	ages(today time.Time) bool
}

// phase is how far the asking of a view has come.
type phase int

const (
	idle phase = iota // nothing was asked
	asking
	ready
	failed
	calledOff
)

// How old an answer may get while it is looked at.
const (
	fresh      = 5 * time.Minute
	retryAfter = time.Minute // of one that failed, where nobody can ask again
)

// asker asks the questions of one view, one at a time, and keeps the last answer.
type asker struct {
	board  *Board
	budget *past.Budget     // of the page, as of the last answer
	took   func(answer any) // tells the view of another answer, nil: of none

	phase  phase
	asked  question
	jobs   uint64
	job    uint64 // the answer to another one is dropped
	cancel context.CancelFunc
	begun  time.Time // on our clock
	at     time.Time // when the answer came, on our clock
	far    past.Progress
	answer any // to asked; nil: there is none yet
	err    string
}

// stop calls off what is asked.
func (a *asker) stop() {
	if a.phase != asking {
		return
	}
	a.cancel()
	a.job = 0
	a.phase = calledOff
	if a.answer != nil {
		a.phase = ready
	}
}

// tend asks a question unless that was asked already and its answer is not old; nil
// asks nothing.
func (a *asker) tend(q question) tea.Cmd {
	if q == nil || a.phase != idle && a.asked.same(q) && !a.due() {
		return nil
	}
	return a.ask(q)
}

// due reports whether an answer has become old.
func (a *asker) due() bool {
	age := a.board.Floor.Ours.Sub(a.at)
	switch a.phase {
	case ready:
		return a.asked.ages(a.board.today()) && age >= fresh
	case failed:
		return a.board.Kiosk && age >= retryAfter
	case idle, asking, calledOff:
	}
	return false
}

// again asks a question anew, unless one is being asked.
func (a *asker) again(q question) tea.Cmd {
	if q == nil || a.phase == asking {
		return nil
	}
	return a.ask(q)
}

func (a *asker) ask(q question) tea.Cmd {
	a.stop()
	if a.asked == nil || !a.asked.same(q) {
		a.answer = nil
		a.took(nil)
	}
	a.jobs++
	ctx, cancel := context.WithCancel(a.board.Dialogs.Context())
	if a.board.Kiosk || a.answer != nil {
		ctx = past.InBackground(ctx)
	}
	a.phase, a.asked, a.job, a.cancel = asking, q, a.jobs, cancel
	a.begun, a.far, a.err = a.board.Floor.Ours, past.Progress{}, ""
	far := make(chan past.Progress, 1)
	reader, job := a.board.Reader, a.jobs
	work := task.Guard(func() tea.Msg {
		defer cancel()
		defer close(far)
		v, err := q.read(ctx, reader, func(now past.Progress) {
			select { // the newest one counts
			case <-far:
			default:
			}
			far <- now
		})
		msg := answerMsg{to: a, job: job, value: v, err: err}
		if reader != nil {
			msg.budget = reader.Budget()
		}
		return msg
	})
	return tea.Batch(work, a.follow(job, far))
}

// follow waits until the answer to a question is farther.
func (a *asker) follow(job uint64, far <-chan past.Progress) tea.Cmd {
	return task.Guard(func() tea.Msg {
		now, ok := <-far // closed when there is an answer, which a call-off brings as well
		if !ok {
			return nil
		}
		return progressMsg{a, job, now, a.follow(job, far)}
	})
}

// Msg brings what was asked of the platform, or how far it is.
type Msg interface {
	// Arrive hands it to who asked, and returns what is to be done next.
	Arrive() tea.Cmd
}

// answerMsg brings a view its answer.
type answerMsg struct {
	to     *asker
	job    uint64
	value  any
	err    error
	budget past.Budget
}

// Arrive implements [Msg]: the answer is taken over, unless something else was asked
// since.
func (m answerMsg) Arrive() tea.Cmd {
	a := m.to
	*a.budget = m.budget
	if m.job != a.job {
		return nil
	}
	a.job, a.at = 0, a.board.Floor.Ours
	switch {
	case errors.Is(m.err, context.Canceled):
		a.phase = calledOff
	case m.err != nil:
		a.phase, a.err = failed, model.CleanText(look.OneLine(m.err.Error()), model.MaxBody)
		a.answer = nil
	default:
		a.phase, a.answer = ready, m.value
		a.took(m.value)
	}
	return nil
}

// progressMsg tells a view how far its answer is.
type progressMsg struct {
	to   *asker
	job  uint64
	far  past.Progress
	next tea.Cmd // waits for the next
}

// Arrive implements [Msg].
func (m progressMsg) Arrive() tea.Cmd {
	if m.to.job == m.job {
		m.to.far = m.far
	}
	return m.next
}

// state says how far the asking is, or of when the answer is.
func (a *asker) state() string {
	lk := a.board.look()
	switch a.phase {
	case asking:
		text := "asking the platform"
		if far := farWords(lk, a.far); far != "" {
			text = far
		}
		if took := a.board.Floor.Ours.Sub(a.begun); took >= 3*time.Second {
			text += " " + lk.Duration(took)
		}
		if !a.board.Kiosk {
			text += ", esc calls it off"
		}
		return text
	case ready:
		at := "as of " + a.board.server(a.at).Format("15:04")
		if a.board.Floor.Past {
			at = "as known now" // not then
		}
		if a.board.Reader != nil && a.board.Reader.Insecure() {
			return at + ", from a server that is not verified"
		}
		return at
	case idle, failed, calledOff:
	}
	return ""
}

// farWords says how far the reading of something long is.
func farWords(lk *look.Look, far past.Progress) string {
	text := ""
	switch {
	case far.Total > 0:
		text = lk.Count(far.Read) + " of " + lk.Count(far.Total) + " read"
	case far.Read > 0:
		text = lk.Count(far.Read) + " read"
	}
	if far.Wait > 0 {
		wait := "waiting " + lk.Duration(far.Wait) + " for the platform's limit of requests"
		if text != "" {
			return text + ", " + wait
		}
		return wait
	}
	return text
}
