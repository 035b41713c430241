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
// before it returns the terminal; otherwise the answers would appear as input of the shell. queries
// is safe for concurrent use.
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

// backgroundQuery is the beginning of the sequence that asks for the background color. Bubble Tea
// and [session] end the sequence differently.
const backgroundQuery = "\x1b]11;?"

// recordWritten records the tracked queries in output for the terminal.
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

// recordAnswer drops the query that an event of the terminal answers, if any.
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

// dropAll drops all queries. It is called when answers are no longer read.
func (q *queries) dropAll() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for question := range q.unanswered {
		q.drop(question)
	}
}

// pending returns a channel that is closed when all queries are answered, and the maximum time to
// wait for that. The time is 0 if no query is open.
func (q *queries) pending() (settled <-chan struct{}, maximum time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.unanswered) == 0 {
		return nil, 0
	}
	return q.settled, max(answerTimeout-time.Since(q.askedAt), 0)
}

// await waits until all queries are answered, but at most until answerTimeout after the last query.
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
