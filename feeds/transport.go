package feeds

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphqlhttp"
	"wallboard/feeds/graphqlws"
	"wallboard/feeds/login"
	"wallboard/model"
)

// transport carries operations: a WebSocket or separate HTTP requests.
type transport interface {
	dialect.Connection
	Abort(reason error)
	Subprotocol() string
	Opened() time.Time
	ResponseHeader() http.Header
	Stats() graphqlws.Stats
}

// connection is the current connection and its displayed state. The feed's mutex guards it; [link]
// opens the connections.
type connection struct {
	displayed     model.Link
	notice        string // banner text
	conn          transport
	endSession    context.CancelFunc // ends the session
	redial        *redial            // the options for the next connection
	lost          uint64             // connections lost
	recovered     uint64             // lost connections after which everything became live again
	sleepDetector sleepDetector
}

// redial holds the options of a connection that replaces the current one.
type redial struct {
	opts  Options
	login *login.Login
}

// up sets the current connection. way is how it logged in; pollEvery is the
// polling interval if it has no subscriptions.
func (l *connection) up(conn transport, way string, pollEvery time.Duration) {
	if l.displayed.Subprotocol != "" {
		l.displayed.Reconnects++
	}
	l.conn, l.notice = conn, ""
	l.displayed.Subprotocol, l.displayed.Way = conn.Subprotocol(), way
	l.displayed.Attempt, l.displayed.NextTry = 0, time.Time{}
	if l.displayed.PollEvery = 0; l.polls() {
		l.displayed.PollEvery = pollEvery
	}
}

// polls reports whether the current connection is HTTP polling.
func (l *connection) polls() bool {
	_, polls := l.conn.(*graphqlhttp.PollingConn)
	return polls
}

// down clears the connection; heard is when the last frame arrived.
func (l *connection) down(state model.LinkState, next time.Time, attempt int, heard time.Time) {
	if l.conn != nil {
		l.displayed.LastFrame = heard
		if state == model.LinkBackoff || state == model.LinkRefused {
			l.lost++
		}
	}
	l.conn = nil
	l.displayed.NextTry, l.displayed.Attempt = next, attempt
}

// lastHeard returns when the last frame arrived, zero without a connection.
func (l *connection) lastHeard() time.Time {
	if l.conn == nil {
		return time.Time{}
	}
	return l.conn.Stats().LastFrame
}

// set changes the displayed state.
func (l *connection) set(state model.LinkState, reason string, now time.Time) {
	if l.displayed.State != state {
		l.displayed.State, l.displayed.Since = state, now
	}
	l.displayed.Reason = reason
}

// endpoint returns an address without anything that may be secret.
func endpoint(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + u.Path
}
