package paint

import (
	"bytes"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// answerTime is how long a terminal may take to answer a question.
const answerTime = time.Second

// questions are what a terminal was asked and has not answered. A program that gives
// its terminal back waits for them, or the answers would be typed into the shell. They
// are safe for concurrent use.
type questions struct {
	mu      sync.Mutex
	open    map[string]bool
	asked   time.Time     // when the last was
	settled chan struct{} // closed when none is open
}

// asks are the questions that are asked, as they are written.
func asks() []string {
	return []string{ansi.RequestModeSynchronizedOutput, ansi.RequestModeUnicodeCore, ansi.RequestKittyKeyboard, backgroundQuestion}
}

// backgroundQuestion asks for the background colour. It begins the requests of both
// Bubble Tea and [session], whose ends differ.
const backgroundQuestion = "\x1b]11;?"

// note notes the questions in what is written to the terminal.
func (q *questions) note(b []byte) {
	if bytes.IndexByte(b, '?') < 0 {
		return
	}
	for _, question := range asks() {
		if !bytes.Contains(b, []byte(question)) {
			continue
		}
		q.mu.Lock()
		if len(q.open) == 0 {
			q.open, q.settled = make(map[string]bool), make(chan struct{})
		}
		q.open[question], q.asked = true, time.Now()
		q.mu.Unlock()
	}
}

// answer notes an answer of the terminal.
func (q *questions) answer(e uv.Event) {
	question := ""
	switch e := e.(type) {
	case uv.ModeReportEvent:
		question = ansi.RequestMode(e.Mode)
	case uv.KeyboardEnhancementsEvent:
		question = ansi.RequestKittyKeyboard
	case uv.BackgroundColorEvent:
		question = backgroundQuestion
	default:
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open[question] {
		q.drop(question)
	}
}

// drop takes a question from those that are open; q.mu is held.
func (q *questions) drop(question string) {
	delete(q.open, question)
	if len(q.open) == 0 {
		close(q.settled)
	}
}

// forget drops all questions: nobody reads the answers.
func (q *questions) forget() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for question := range q.open {
		q.drop(question)
	}
}

// pending returns what ends when all questions are answered, and how long to wait for
// it at the most; 0: there is nothing to wait for.
func (q *questions) pending() (settled <-chan struct{}, most time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.open) == 0 {
		return nil, 0
	}
	return q.settled, max(answerTime-time.Since(q.asked), 0)
}

// await waits for the answers.
func (q *questions) await() {
	settled, most := q.pending()
	if most == 0 {
		return
	}
	late := time.NewTimer(most)
	defer late.Stop()
	select {
	case <-settled:
	case <-late.C:
	}
}
