package term

import (
	"bytes"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// answerTimeout limits how long a terminal may take to answer a query.
const answerTimeout = time.Second

// queries tracks the queries that the terminal has not answered. A program waits for the answers
// before it returns the terminal; otherwise they would appear as input of the shell. It is safe for
// concurrent use.
type queries struct {
	mu         sync.Mutex
	unanswered map[string]bool // queries without an answer
	askedAt    time.Time       // time of the last query
	settled    chan struct{}   // closed when no query is open
}

// trackedQueries returns the sequences of the queries that are tracked.
func trackedQueries() []string {
	return []string{ansi.RequestModeSynchronizedOutput, ansi.RequestModeUnicodeCore, ansi.RequestKittyKeyboard, backgroundQuery}
}

// backgroundQuery asks for the background color. It is the common beginning of the
// requests of Bubble Tea and [session].
const backgroundQuery = "\x1b]11;?"

// recordWritten records the queries in output for the terminal.
func (q *queries) recordWritten(b []byte) {
	if bytes.IndexByte(b, '?') < 0 {
		return
	}
	for _, question := range trackedQueries() {
		if !bytes.Contains(b, []byte(question)) {
			continue
		}
		q.mu.Lock()
		if len(q.unanswered) == 0 {
			q.unanswered, q.settled = make(map[string]bool), make(chan struct{})
		}
		q.unanswered[question], q.askedAt = true, time.Now()
		q.mu.Unlock()
	}
}

// recordAnswer records an answer of the terminal.
func (q *queries) recordAnswer(e uv.Event) {
	question := ""
	switch e := e.(type) {
	case uv.ModeReportEvent:
		question = ansi.RequestMode(e.Mode)
	case uv.KeyboardEnhancementsEvent:
		question = ansi.RequestKittyKeyboard
	case uv.BackgroundColorEvent:
		question = backgroundQuery
	default:
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.unanswered[question] {
		q.drop(question)
	}
}

// drop removes a query; q.mu must be held.
func (q *queries) drop(question string) {
	delete(q.unanswered, question)
	if len(q.unanswered) == 0 {
		close(q.settled)
	}
}

// dropAll drops all queries, because the answers are not read any more.
func (q *queries) dropAll() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for question := range q.unanswered {
		q.drop(question)
	}
}

// pending returns a channel that is closed when all queries are answered, and the maximum time to
// wait for it; 0: no query is open.
func (q *queries) pending() (settled <-chan struct{}, maximum time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.unanswered) == 0 {
		return nil, 0
	}
	return q.settled, max(answerTimeout-time.Since(q.askedAt), 0)
}

// await waits for the answers.
func (q *queries) await() {
	settled, maximum := q.pending()
	if maximum == 0 {
		return
	}
	timeout := time.NewTimer(maximum)
	defer timeout.Stop()
	select {
	case <-settled:
	case <-timeout.C:
	}
}
