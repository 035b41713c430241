package feeds

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphql"
	"wallboard/model"
)

// transport sends the operations of a session, over a WebSocket or in separate HTTP requests.
type transport interface {
	dialect.Connection
	Abort(reason error)
	Subprotocol() string
	Opened() time.Time
	ResponseHeader() http.Header
	Stats() graphql.Stats
}

// connection is the current connection and its displayed state. The feed's mutex guards it.
// [connectionLoop] opens the connections.
type connection struct {
	displayed       model.Link
	notice          string // banner text
	conn            transport
	cancelSession   context.CancelFunc   // ends the current session
	requestedRedial *requestedConnection // options for the next connection, as requested by [Feed.Reconnect]; nil: none
	lostCount       uint64               // number of lost connections
	recoveredCount  uint64               // number of lost connections after which everything became live again
	suspendDetector suspendDetector
}

// requestedConnection holds the options and the login of the connection that will replace the
// current one.
type requestedConnection struct {
	opts  Options
	login *graphql.Login
}

// setConn makes conn the current connection. way is the name of the way in which it logged in.
// pollEvery is the polling interval if conn polls over HTTP.
func (c *connection) setConn(conn transport, way string, pollEvery time.Duration) {
	if c.displayed.Subprotocol != "" {
		c.displayed.Reconnects++
	}
	c.conn, c.notice = conn, ""
	c.displayed.Subprotocol, c.displayed.Way = conn.Subprotocol(), way
	c.displayed.Attempt, c.displayed.NextTry = 0, time.Time{}
	if c.displayed.PollEvery = 0; c.isPolling() {
		c.displayed.PollEvery = pollEvery
	}
}

// isPolling reports whether the current connection polls over HTTP.
func (c *connection) isPolling() bool {
	_, polls := c.conn.(*graphql.PollingConn)
	return polls
}

// clearConn records that there is no connection. next is the time of the next attempt and attempt
// its number. lastFrame is when the last frame of the connection arrived.
func (c *connection) clearConn(state model.LinkState, next time.Time, attempt int, lastFrame time.Time) {
	if c.conn != nil {
		c.displayed.LastFrame = lastFrame
		if state == model.LinkBackoff || state == model.LinkRefused {
			c.lostCount++
		}
	}
	c.conn = nil
	c.displayed.NextTry, c.displayed.Attempt = next, attempt
}

// lastFrameAt returns when the last frame arrived, or zero if there is no connection.
func (c *connection) lastFrameAt() time.Time {
	if c.conn == nil {
		return time.Time{}
	}
	return c.conn.Stats().LastFrame
}

// setState changes the displayed state of the link and the reason shown for it.
func (c *connection) setState(state model.LinkState, reason string, now time.Time) {
	if c.displayed.State != state {
		c.displayed.State, c.displayed.Since = state, now
	}
	c.displayed.Reason, c.displayed.Trying = reason, ""
}

// publicAddress returns an address without its user information and query, which may contain
// secrets. It returns "" for an invalid address.
func publicAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + u.Path
}
