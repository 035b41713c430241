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

// connection is the current connection and its displayed state. The feed's mutex guards it. [connectionLoop]
// opens the connections.
type connection struct {
	displayed       model.Link
	notice          string // banner text
	conn            transport
	cancelSession   context.CancelFunc // ends the session
	requestedRedial *redial            // requested options for the next connection; nil: none
	lostCount       uint64             // connections lost
	recoveredCount  uint64             // lost connections after which everything became live again
	suspendDetector suspendDetector
}

// redial holds the options of a connection that replaces the current one.
type redial struct {
	opts  Options
	login *login.Login
}

// setConn sets the current connection. way names how it logged in; pollEvery is the
// interval if it polls over HTTP.
func (l *connection) setConn(conn transport, way string, pollEvery time.Duration) {
	if l.displayed.Subprotocol != "" {
		l.displayed.Reconnects++
	}
	l.conn, l.notice = conn, ""
	l.displayed.Subprotocol, l.displayed.Way = conn.Subprotocol(), way
	l.displayed.Attempt, l.displayed.NextTry = 0, time.Time{}
	if l.displayed.PollEvery = 0; l.isPolling() {
		l.displayed.PollEvery = pollEvery
	}
}

// isPolling reports whether the current connection is HTTP polling.
func (l *connection) isPolling() bool {
	_, polls := l.conn.(*graphqlhttp.PollingConn)
	return polls
}

// clearConn clears the connection; heard is when the last frame arrived.
func (l *connection) clearConn(state model.LinkState, next time.Time, attempt int, heard time.Time) {
	if l.conn != nil {
		l.displayed.LastFrame = heard
		if state == model.LinkBackoff || state == model.LinkRefused {
			l.lostCount++
		}
	}
	l.conn = nil
	l.displayed.NextTry, l.displayed.Attempt = next, attempt
}

// lastFrameAt returns when the last frame arrived, zero without a connection.
func (l *connection) lastFrameAt() time.Time {
	if l.conn == nil {
		return time.Time{}
	}
	return l.conn.Stats().LastFrame
}

// setState changes the displayed state.
func (l *connection) setState(state model.LinkState, reason string, now time.Time) {
	if l.displayed.State != state {
		l.displayed.State, l.displayed.Since = state, now
	}
	l.displayed.Reason = reason
}

// publicAddress returns an address without its user information and query, which may be
// secret.
func publicAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + u.Path
}
