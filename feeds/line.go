package feeds

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/login"
	"wallboard/feeds/polling"
	"wallboard/feeds/requests"
	"wallboard/model"
)

// transport is what carries operations: a WebSocket, or requests of their own.
type transport interface {
	requests.Connection
	Abort(reason error)
	Subprotocol() string
	Opened() time.Time
	ResponseHeader() http.Header
	Stats() graphqlws.Stats
}

// line is the connection that there is, and what is shown of it. The feed's mutex
// guards it; who makes the connections is [link].
type line struct {
	shown  model.Link
	notice string // the banner
	conn   transport
	hangUp context.CancelFunc // ends the session
	next   *redial            // the connection that is to take the present one's place
	cuts   uint64             // times a connection that was up ended
	healed uint64             // cuts after which everything was live again
	pulse  pulse
}

// redial is a connection that takes the place of the present one.
type redial struct {
	opts  Options
	login *login.Login
}

// up takes a connection over, that was logged in to in a way. pollEvery is how often
// everything is asked for if it has no subscriptions.
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

// polls reports whether there is a connection over which everything is asked for
// again and again.
func (l *line) polls() bool {
	_, polls := l.conn.(*polling.Conn)
	return polls
}

// down notes that there is no connection; heard is when something came last.
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

// heard is when something came last, zero where there is no connection.
func (l *line) heard() time.Time {
	if l.conn == nil {
		return time.Time{}
	}
	return l.conn.Stats().LastFrame
}

// set changes the state as it is shown.
func (l *line) set(state model.LinkState, reason string, now time.Time) {
	if l.shown.State != state {
		l.shown.State, l.shown.Since = state, now
	}
	l.shown.Reason = reason
}

// endpoint is an address without anything that may be secret.
func endpoint(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + u.Path
}
