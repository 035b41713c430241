package feeds

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/feeds/graphql"
)

// Probe is the result of [ProbeServer].
type Probe struct {
	HTTP        Attempt   // query for the server's version over HTTP POST
	Date        time.Time // Date header of the answer to this query; zero: none
	RequestedAt time.Time // local time before the query and before a login that the query needed
	ReceivedAt  time.Time // local time at which the answer arrived
	TLS         *tls.ConnectionState
	SchemaError error              // why the server does not show its schema; nil: it does, or the query failed
	WebSocket   map[string]Attempt // by sub-protocol: a session that offers only this sub-protocol
}

// Attempt is the result of one attempt to connect or to query.
type Attempt struct {
	Took   time.Duration
	Err    error
	Reason string // describes Err in one line, safe to display
}

// ProbeServer queries a server's version over HTTP and its schema. It also opens a session with
// each sub-protocol, without subscribing. It changes nothing on the server. The error is not nil
// only for wrong options; failed attempts are in the result.
func ProbeServer(ctx context.Context, o Options) (Probe, error) {
	f, err := New(o)
	if err != nil {
		return Probe{}, err
	}
	p := Probe{WebSocket: make(map[string]Attempt)}
	attempt := func(try func() error) Attempt {
		began := f.now()
		a := Attempt{Err: try()}
		a.Took = f.now().Sub(began)
		a.Reason = f.clean(graphql.ErrorReason(a.Err))
		return a
	}
	p.RequestedAt = f.now()
	p.HTTP = attempt(func() error {
		ctx := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{TLSHandshakeDone: func(s tls.ConnectionState, err error) {
			if err == nil {
				p.TLS = &s
			}
		}})
		poll, err := f.openPoll(ctx, noHandler{})
		if err != nil {
			return err
		}
		defer poll.Close()
		if p.Date, err = http.ParseTime(poll.ResponseHeader().Get("Date")); err != nil {
			p.Date = time.Time{}
		}
		p.ReceivedAt = poll.Opened()
		p.SchemaError = schemaRefusal(poll)
		return nil
	})
	var refused *graphql.RefusedError
	isRefused := f.login.NeedsLogin() && errors.As(p.HTTP.Err, &refused)
	l := newConnectionLoop(f)
	for _, sub := range []string{graphql.TransportWS, graphql.LegacyWS} {
		if isRefused { // a WebSocket needs the same login, and more attempts may lock the account
			p.WebSocket[sub] = p.HTTP
			continue
		}
		l.policy.subprotocols = []string{sub}
		p.WebSocket[sub] = attempt(func() error {
			conn, err := l.dial(ctx, noHandler{})
			for err != nil && graphql.IsRefusal(err) && f.login.Ways.SwitchToNext() {
				conn, err = l.dial(ctx, noHandler{})
			}
			f.login.Ways.ResetRefusals()
			if err != nil {
				return err
			}
			defer conn.Close() //nolint:errcheck // the connection was opened only as a test
			if got := conn.Subprotocol(); got != sub {
				return errors.New("the server speaks " + got + " instead")
			}
			return nil
		})
	}
	return p, nil
}

// schemaRefusal returns the reason why the server does not show its schema, or nil if it does.
func schemaRefusal(p *graphql.PollingConn) error {
	b, err := p.Query(dialect.Introspection)
	if err != nil {
		return err
	}
	var refused struct {
		Errors json.RawMessage `json:"errors"`
	}
	if err = dialect.CheckSchema(b); err != nil && json.Unmarshal(b, &refused) == nil && len(refused.Errors) > 0 {
		return errors.New(strings.TrimSpace(graphql.ErrorMessages(refused.Errors)))
	}
	return err
}

// noHandler ignores all messages. It is used for sessions without operations.
type noHandler struct{}

// Next implements graphql.Handler.
func (noHandler) Next(string, []byte) {}

// Fail implements graphql.Handler.
func (noHandler) Fail(string, []graphql.Error) {}

// Complete implements graphql.Handler.
func (noHandler) Complete(string) {}

// UnreadableFrame implements graphql.Handler.
func (noHandler) UnreadableFrame(string, []byte, bool) {}
