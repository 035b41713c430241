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

// line is the current connection and its displayed state. The feed's mutex
// guards it; [link] makes the connections.
type line struct {
	shown         model.Link
	notice        string // banner text
	conn          transport
	hangUp        context.CancelFunc // ends the session
	next          *redial            // the options for the next connection
	cuts          uint64             // connections lost
	healed        uint64             // lost connections after which everything became live again
	sleepDetector sleepDetector
}

// redial holds the options of a connection that replaces the current one.
type redial struct {
	opts  Options
	login *login.Login
}

// up sets the current connection. way is how it logged in; pollEvery is the
// polling interval if it has no subscriptions.
func (l *line) up(conn transport, way string, pollEvery time.Duration) {
	if l.shown.Subprotocol != "" {
		l.shown.Reconnects++
	}
	l.conn, l.notice = conn, ""
	l.shown.Subprotocol, l.shown.Way = conn.Subprotocol(), way
	l.shown.Attempt, l.shown.NextTry = 0, time.Time{}
	if l.shown.PollEvery = 0; l.polls() {
		l.shown.PollEvery = pollEvery
	}
}

// polls reports whether the current connection is HTTP polling.
func (l *line) polls() bool {
	_, polls := l.conn.(*graphqlhttp.PollingConn)
	return polls
}

// down clears the connection; heard is when the last frame arrived.
func (l *line) down(state model.LinkState, next time.Time, attempt int, heard time.Time) {
	if l.conn != nil {
		l.shown.LastFrame = heard
		if state == model.LinkBackoff || state == model.LinkRefused {
			l.cuts++
		}
	}
	l.conn = nil
	l.shown.NextTry, l.shown.Attempt = next, attempt
}

// lastHeard returns when the last frame arrived, zero without a connection.
func (l *line) lastHeard() time.Time {
	if l.conn == nil {
		return time.Time{}
	}
	return l.conn.Stats().LastFrame
}

// set changes the displayed state.
func (l *line) set(state model.LinkState, reason string, now time.Time) {
	if l.shown.State != state {
		l.shown.State, l.shown.Since = state, now
	}
	l.shown.Reason = reason
}

// endpoint returns an address without anything that may be secret.
func endpoint(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + u.Path
}
