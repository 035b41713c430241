package history

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/model"
	"wallboard/model/contact"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// question is a request of a view to the platform.
type question interface {
	// read requests the answer that the view draws.
	read(ctx context.Context, r Reader, far func(contact.Progress)) (any, error)
	// same reports whether another question has the same answer, apart from its age.
	same(other question) bool
	// ages reports whether the answer becomes outdated.
	ages(today time.Time) bool
}

// phase is the state of a view's request.
type phase int

const (
	idle phase = iota // never requested
	asking
	ready
	failed
	calledOff
)

// Maximum age of an answer.
const (
	fresh      = 5 * time.Minute
	retryAfter = time.Minute // after a failure on a kiosk, where no key can retry
)

// asker sends the requests of one view, one at a time, and keeps the last answer.
type asker struct {
	board  *Board
	budget *contact.Budget  // request budget of the page, as of the last answer
	took   func(answer any) // receives the answers; nil: the answer is discarded

	phase    phase
	asked    question
	jobs     uint64
	job      uint64 // id of the running request; other answers are dropped
	cancel   context.CancelFunc
	begun    time.Time // on the local clock
	at       time.Time // arrival of the answer, on the local clock
	progress contact.Progress
	answer   any // answer to asked; nil: none yet
	err      string
}

// stop cancels the running request.
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

// tend sends a request unless it was sent already and its answer is recent. A nil question
// sends none.
func (a *asker) tend(q question) tea.Cmd {
	if q == nil || a.phase != idle && a.asked.same(q) && !a.due() {
		return nil
	}
	return a.ask(q)
}

// due reports whether the answer is outdated.
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

// again repeats a request unless one is running.
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
		ctx = contact.InBackground(ctx)
	}
	a.phase, a.asked, a.job, a.cancel = asking, q, a.jobs, cancel
	a.begun, a.progress, a.err = a.board.Floor.Ours, contact.Progress{}, ""
	far := make(chan contact.Progress, 1)
	reader, job := a.board.Reader, a.jobs
	work := dialog.Guard(func() tea.Msg {
		defer cancel()
		defer close(far)
		v, err := q.read(ctx, reader, func(now contact.Progress) {
			select { // keep only the newest
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

// follow waits for the next progress report.
func (a *asker) follow(job uint64, far <-chan contact.Progress) tea.Cmd {
	return dialog.Guard(func() tea.Msg {
		now, ok := <-far // closed after the answer or a cancellation
		if !ok {
			return nil
		}
		return progressMsg{a, job, now, a.follow(job, far)}
	})
}

// Msg carries an answer of the platform, or its progress.
type Msg interface {
	// Arrive applies the message and returns the next command.
	Arrive() tea.Cmd
}

// answerMsg carries an answer.
type answerMsg struct {
	to     *asker
	job    uint64
	value  any
	err    error
	budget contact.Budget
}

// Arrive implements [Msg]. Answers to earlier requests are dropped.
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
		a.phase, a.err = failed, model.CleanText(style.OneLine(m.err.Error()), model.MaxBody)
		a.answer = nil
	default:
		a.phase, a.answer = ready, m.value
		a.took(m.value)
	}
	return nil
}

// progressMsg carries the progress of a request.
type progressMsg struct {
	to   *asker
	job  uint64
	far  contact.Progress
	next tea.Cmd // waits for the next report
}

// Arrive implements [Msg].
func (m progressMsg) Arrive() tea.Cmd {
	if m.to.job == m.job {
		m.to.progress = m.far
	}
	return m.next
}

// state describes the progress of the request or the age of the answer.
func (a *asker) state() string {
	lk := a.board.look()
	switch a.phase {
	case asking:
		text := "asking the platform"
		if far := progressWords(lk, a.progress); far != "" {
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
		if a.board.Floor.Replay {
			at = "as known now" // the answer is newer than the replay
		}
		if a.board.Reader != nil && a.board.Reader.Insecure() {
			return at + ", from a server that is not verified"
		}
		return at
	case idle, failed, calledOff:
	}
	return ""
}

// progressWords describes the progress of a long request.
func progressWords(lk *style.Look, far contact.Progress) string {
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
