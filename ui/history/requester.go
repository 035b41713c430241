package history

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/model/contact"
	"wallboard/ui/dialog"
)

// query is a request for the data of a view. It is sent to the platform or the recording.
type query interface {
	// read returns the answer for the view to draw. During a long request, it calls progress
	// repeatedly.
	read(ctx context.Context, r Reader, progress func(contact.Progress)) (any, error)
	// equals reports whether other asks for the same data.
	equals(other query) bool
	// becomesOutdated reports whether the answer may change later and must then be requested again
	// after maxAnswerAge. today is the start of today.
	becomesOutdated(today time.Time) bool
}

// phase is the state of the request of a view.
type phase int

const (
	phaseIdle phase = iota // nothing has been requested yet
	phaseRequesting
	phaseReady
	phaseFailed
	phaseCanceled
)

// Delays before a query is sent again.
const (
	maxAnswerAge  = 5 * time.Minute // age from which an answer that may change is requested again
	retryDelay    = time.Minute     // after a failure on a kiosk, where no viewer can press a key to retry
	recoveryDelay = 5 * time.Second // after the service was down, once it works again
)

// requester sends the queries of one view, one at a time, and stores the answer to the last
// query.
type requester struct {
	board    *Board
	budget   *contact.Budget  // request budget of the page at the time of the last answer
	onAnswer func(answer any) // called with each answer, and with nil when an answer is discarded

	phase       phase
	query       query
	lastJobID   uint64 // ID of the last request
	jobID       uint64 // ID of the running request; 0: none; answers to other requests are ignored
	cancel      context.CancelFunc
	startedAt   time.Time // on the local clock
	answeredAt  time.Time // when the answer arrived, on the local clock
	progress    contact.Progress
	answer      any   // answer to query; nil: no answer yet
	err         error // why there is no answer; nil: no failure
	serviceDown bool  // the history service was down when the request failed
}

// stop cancels the running request, if any.
func (a *requester) stop() {
	if a.phase != phaseRequesting {
		return
	}
	a.cancel()
	a.jobID = 0
	a.phase = phaseCanceled
	if a.answer != nil {
		a.phase = phaseReady
	}
}

// request sends the query q, unless q is nil or was the last query and its answer is not
// outdated.
func (a *requester) request(q query) tea.Cmd {
	if q == nil || a.phase != phaseIdle && a.query.equals(q) && !a.isOutdated() {
		return nil
	}
	return a.send(q)
}

// isOutdated reports whether the last query must be sent again, because its answer is too old or
// because it failed and can be retried.
func (a *requester) isOutdated() bool {
	age := a.board.Floor.LocalNow.Sub(a.answeredAt)
	switch a.phase {
	case phaseReady:
		return a.query.becomesOutdated(a.board.today()) && age >= maxAnswerAge
	case phaseFailed:
		return a.board.Kiosk && age >= retryDelay || a.serviceDown && age >= recoveryDelay && a.board.serviceWorks()
	case phaseIdle, phaseRequesting, phaseCanceled:
	}
	return false
}

// requestAgain sends the query q even if its answer is not outdated. It does nothing if q is nil or a
// request is running.
func (a *requester) requestAgain(q query) tea.Cmd {
	if q == nil || a.phase == phaseRequesting {
		return nil
	}
	return a.send(q)
}

// send sends the query q. It first cancels the running request, if there is one.
func (a *requester) send(q query) tea.Cmd {
	a.stop()
	if a.query == nil || !a.query.equals(q) {
		a.answer = nil
		a.onAnswer(nil)
	}
	a.lastJobID++
	ctx, cancel := context.WithCancel(a.board.Dialogs.Context())
	if a.board.Kiosk || a.answer != nil {
		ctx = contact.InBackground(ctx)
	}
	a.phase, a.query, a.jobID, a.cancel = phaseRequesting, q, a.lastJobID, cancel
	a.startedAt, a.progress, a.err = a.board.Floor.LocalNow, contact.Progress{}, nil
	reports := make(chan contact.Progress, 1)
	reader, job := a.board.Reader, a.lastJobID
	work := dialog.RecoverPanic(func() tea.Msg {
		defer cancel()
		defer close(reports)
		v, err := q.read(ctx, reader, func(report contact.Progress) {
			select { // replaces a report that has not been received yet
			case <-reports:
			default:
			}
			reports <- report
		})
		msg := answerMsg{requester: a, job: job, value: v, err: err}
		if reader != nil {
			msg.budget = reader.Budget()
		}
		return msg
	})
	return tea.Batch(work, a.awaitProgress(job, reports))
}

// awaitProgress returns a command that waits for the next progress report of the request job.
func (a *requester) awaitProgress(job uint64, reports <-chan contact.Progress) tea.Cmd {
	return dialog.RecoverPanic(func() tea.Msg {
		report, ok := <-reports // closed after the answer or after the request was canceled
		if !ok {
			return nil
		}
		return progressMsg{a, job, report, a.awaitProgress(job, reports)}
	})
}

// Msg carries the result of a command: an answer of the platform, or the progress of a request.
type Msg interface {
	// Apply applies the result. It returns the next command, or nil.
	Apply() tea.Cmd
}

type answerMsg struct {
	requester *requester
	job       uint64
	value     any
	err       error
	budget    contact.Budget
}

// Apply implements [Msg]. It ignores the answer if another request has been sent since.
func (m answerMsg) Apply() tea.Cmd {
	a := m.requester
	*a.budget = m.budget
	if m.job != a.jobID {
		return nil
	}
	a.jobID, a.answeredAt = 0, a.board.Floor.LocalNow
	switch {
	case errors.Is(m.err, context.Canceled):
		a.phase = phaseCanceled
	case m.err != nil:
		a.phase, a.err = phaseFailed, m.err
		a.answer, a.serviceDown = nil, !a.board.serviceWorks()
	default:
		a.phase, a.answer = phaseReady, m.value
		a.onAnswer(m.value)
	}
	return nil
}

type progressMsg struct {
	requester   *requester
	job         uint64
	progress    contact.Progress
	waitForNext tea.Cmd // waits for the next progress report
}

// Apply implements [Msg].
func (m progressMsg) Apply() tea.Cmd {
	if m.requester.jobID == m.job {
		m.requester.progress = m.progress
	}
	return m.waitForNext
}

// stateText describes the progress of the running request, or the age of the answer. It returns the
// zero Text if there is neither.
func (a *requester) stateText() words.Text {
	switch a.phase {
	case phaseRequesting:
		text := progressText(a.progress)
		if text.IsZero() {
			text = words.DialogReading()
		}
		var elapsed, hint words.Text
		if duration := a.board.Floor.LocalNow.Sub(a.startedAt); duration >= 3*time.Second {
			elapsed = words.Duration(duration)
		}
		if !a.board.Kiosk {
			hint = words.HistoryEscCancels()
		}
		return words.JoinStatements(text, elapsed, hint)
	case phaseReady:
		at := words.HistoryAsOf(words.ClockOf(a.board.serverTime(a.answeredAt), nil))
		if a.board.Floor.Replay {
			at = words.HistoryAsKnownNow() // the answer is newer than the replayed instant
		}
		if a.board.Reader != nil && a.board.Reader.Insecure() {
			return words.HistoryUnverified(at)
		}
		return at
	case phaseIdle, phaseFailed, phaseCanceled:
	}
	return words.Text{}
}

// progressText describes the progress of a request: how many records have been read, and how long
// the request must wait because of the platform's request limit. It returns the zero Text if neither is known.
func progressText(progress contact.Progress) words.Text {
	var read, wait words.Text
	switch {
	case progress.Total > 0:
		read = words.HistoryReadOf(progress.Read, progress.Total)
	case progress.Read > 0:
		read = words.HistoryRead(progress.Read)
	}
	if progress.Wait > 0 {
		wait = words.HistoryWaiting(progress.Wait)
	}
	return words.JoinStatements(read, wait)
}
