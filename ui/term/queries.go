package term

import (
	"bytes"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// answerTimeout is the maximum time to wait for the reply to a query. Over a slow connection a reply
// may take more than a second.
const answerTimeout = 2 * time.Second

// queries records the queries that the terminal has not answered. A program must wait for the
// replies before it returns the terminal, because late replies would become input of the shell.
// queries is safe for concurrent use.
type queries struct {
	mu         sync.Mutex
	unanswered map[string]bool // queries without a reply
	askedAt    time.Time       // time of the last query
	settled    chan struct{}   // closed when no reply is missing
	isClosed   bool            // the program is ending and must not send more queries
}

// trackedQueries returns the queries whose replies are tracked.
func trackedQueries() []string {
	return []string{ansi.RequestModeSynchronizedOutput, ansi.RequestModeUnicodeCore, ansi.RequestKittyKeyboard, ansi.RequestBackgroundColor}
}

// filterOutput records the tracked queries in b, which is output for the terminal, and returns b.
// After close, it removes the queries from b instead.
func (q *queries) filterOutput(b []byte) []byte {
	if bytes.IndexByte(b, '?') < 0 {
		return b
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, question := range trackedQueries() {
		switch {
		case !bytes.Contains(b, []byte(question)):
		case q.isClosed:
			b = bytes.ReplaceAll(b, []byte(question), nil)
		default:
			if len(q.unanswered) == 0 {
				q.unanswered, q.settled = make(map[string]bool), make(chan struct{})
			}
			q.unanswered[question], q.askedAt = true, time.Now()
		}
	}
	return b
}

// close makes filterOutput remove all further queries. Otherwise a program that is asked to end
// before it has sent its first queries would send them and return the terminal before the replies
// arrive.
func (q *queries) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.isClosed = true
}

// recordAnswer removes the query to which the event e is the reply, if there is one.
func (q *queries) recordAnswer(e uv.Event) {
	question := ""
	switch e := e.(type) {
	case uv.ModeReportEvent:
		question = ansi.RequestMode(e.Mode)
	case uv.KeyboardEnhancementsEvent:
		question = ansi.RequestKittyKeyboard
	case uv.BackgroundColorEvent:
		question = ansi.RequestBackgroundColor
	default:
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.unanswered[question] {
		q.drop(question)
	}
}

// drop removes a query. The caller must hold q.mu.
func (q *queries) drop(question string) {
	delete(q.unanswered, question)
	if len(q.unanswered) == 0 {
		close(q.settled)
	}
}

// dropAll removes all queries. It is called when replies are no longer read.
func (q *queries) dropAll() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for question := range q.unanswered {
		q.drop(question)
	}
}

// pending returns a channel that is closed when the terminal has replied to all queries, and the
// maximum time to wait for this. The time is 0 if no reply is missing or answerTimeout has passed.
func (q *queries) pending() (settled <-chan struct{}, maximum time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.unanswered) == 0 {
		return nil, 0
	}
	return q.settled, max(answerTimeout-time.Since(q.askedAt), 0)
}

// await waits until the terminal has replied to all queries, but at most until answerTimeout after
// the last query.
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
