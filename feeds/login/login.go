// Package login turns credentials into what a connection to the service carries
// (document 2, section Authentication): as they are, or by a login before it. Servers
// differ in the way in which they take them; [Ways] tries one after the other.
package login

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"sync/atomic"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/post"
	"wallboard/feeds/queries"
	"wallboard/internal/retryafter"
	"wallboard/secret"
)

// Mode is a way to authenticate (document 2, section Authentication).
type Mode string

// The ways of document 2.
const (
	ByToken  Mode = "token"  // the access token in connection_init
	ByCookie Mode = "cookie" // the access token in the cookie vendorRtdAccessToken
	ByUser   Mode = "login"  // user and password, by the mutation login

	ByTokenLogin Mode = "token_login" // the access token, by the mutation loginWithAccessToken
)

// The cookies of document 2, section Authentication.
const (
	sessionCookie = "vendorRtdSessionID"
	tokenCookie   = "vendorRtdAccessToken"
)

const (
	loginTimeout = 10 * time.Second
	maxLoginBody = 64 << 10
)

// Credentials are what a [Mode] needs.
type Credentials struct {
	Username    string
	Password    secret.Text
	AccessToken secret.Text
}

// grant is what a login gave.
type grant struct {
	session *http.Cookie
	token   secret.Text
	used    int // connections that were tried with it
}

// allows reports whether there is what a way needs.
func (g *grant) allows(w way) bool {
	if w.session() {
		return g.session != nil
	}
	return !g.token.IsZero()
}

// RefusedError says that the platform refused the credentials.
type RefusedError struct{ msg string }

// Error implements error.
func (e *RefusedError) Error() string { return "login refused: " + e.msg }

// Options say who logs in, and where.
type Options struct {
	Mode        Mode // "": [ByToken]
	Credentials Credentials
	URL         string // http or https address of the service
	TLS         *tls.Config
	DialContext post.Dialer // nil: the usual one
}

// Login turns credentials into what a handshake carries. Its ways and its grant are
// used by one goroutine at a time; [Login.Redact], [Login.Hide] and the platform's
// clock by any.
type Login struct {
	Ways Ways

	mode    Mode
	creds   Credentials
	url     string
	client  *http.Client
	grant   grant // of a login
	secrets secret.Redactor
	timed   post.Timer
}

// New prepares a login. An error is a mistake in the options.
func New(o Options) (*Login, error) {
	l := &Login{
		mode: cmp.Or(o.Mode, ByToken), creds: o.Credentials, url: o.URL,
		timed: func() func(http.Header) bool { return func(http.Header) bool { return false } },
	}
	l.secrets.Add(o.Credentials.Password, o.Credentials.AccessToken)
	l.Ways = newWays(l.mode)
	transport := post.Transport(o.TLS, o.DialContext)
	transport.DisableKeepAlives = true  // one login in hours
	transport.DisableCompression = true // its answer is small
	l.client = post.Client(transport, loginTimeout)
	if _, err := url.Parse(o.URL); err != nil {
		return nil, errors.New("the address of the service is not a URL")
	}
	return l, nil
}

// SetTimer has every request timed.
func (l *Login) SetTimer(t post.Timer) { l.timed = t }

// Apply puts the credentials into the options of a session in the way that is
// in use; it logs in when there is no session with the platform yet.
func (l *Login) Apply(ctx context.Context, o *graphqlws.Options) error {
	w := l.Ways.present()
	if l.exchanges() && !l.grant.allows(w) {
		if err := l.logIn(ctx, w); err != nil {
			return err
		}
	}
	l.grant.used++
	o.Header = http.Header{}
	switch w {
	case waySession, wayExchange:
		o.Header.Set("Cookie", (&http.Cookie{Name: l.grant.session.Name, Value: l.grant.session.Value}).String())
	case wayInit:
		o.InitPayload = map[string]string{"accessToken": l.token().Reveal()}
	case wayCookie:
		o.Header.Set("Cookie", l.tokenCookie())
	}
	return nil
}

// Cookie is what a plain request carries in the place of a handshake, "" where the
// credentials have none. It logs in like [Login.Apply].
func (l *Login) Cookie(ctx context.Context) (string, error) {
	var o graphqlws.Options
	if err := l.Apply(ctx, &o); err != nil {
		return "", err
	}
	if o.InitPayload != nil { // there is no connection_init; the token has a cookie, too
		return l.tokenCookie(), nil
	}
	return o.Header.Get("Cookie"), nil
}

// token is the access token: that of the configuration, or of the login.
func (l *Login) token() secret.Text {
	if l.LogsIn() {
		return l.grant.token
	}
	return l.creds.AccessToken
}

func (l *Login) tokenCookie() string {
	return (&http.Cookie{Name: tokenCookie, Value: l.token().Reveal()}).String()
}

// Stale reports whether the session is one of an earlier connection, which may have
// ended since.
func (l *Login) Stale() bool { return l.exchanges() && l.grant.used > 1 }

// LogsIn reports whether a login comes before a connection.
func (l *Login) LogsIn() bool { return l.mode == ByUser || l.mode == ByTokenLogin }

// exchanges reports whether a connection in the way in use carries what a login gave.
func (l *Login) exchanges() bool { return l.LogsIn() || l.Ways.Exchanges() }

// mutation is the login as GraphQL has it. Its answer is called login whatever
// the mutation is.
func (l *Login) mutation() string {
	if l.mode != ByUser {
		return "login: loginWithAccessToken(accessToken: " + queries.Literal(l.creds.AccessToken.Reveal()) + ")"
	}
	return "login(username: " + queries.Literal(l.creds.Username) + ", password: " + queries.Literal(l.creds.Password.Reveal()) + ")"
}

// who is whom a login is for, as people call it.
func (l *Login) who() string {
	if l.mode != ByUser {
		return "with the access token"
	}
	return "of user " + strconv.Quote(l.creds.Username)
}

// Forget has the next connection log in first.
func (l *Login) Forget() { l.grant = grant{} }

// Refusal says that the platform refuses the login itself, or everything that it
// may be shown of the credentials on a connection.
func (l *Login) Refusal(err error) string {
	var refused *RefusedError
	switch {
	case !l.LogsIn():
		return "The platform " + l.Ways.tried() + ": " + Reason(err)
	case errors.As(err, &refused) && l.mode == ByTokenLogin:
		return "The platform refuses the access token: " + Reason(err)
	case errors.As(err, &refused):
		return "The platform refuses user " + strconv.Quote(l.creds.Username) + " or the password: " + Reason(err)
	}
	return "The platform accepts the login " + l.who() +
		", but on a connection it " + l.Ways.tried() + ": " + Reason(err)
}

// Redact takes the credentials out of a text: servers quote what they refuse.
func (l *Login) Redact(s string) string { return l.secrets.Redact(s) }

// How long the cookies are in which a session may be: a shorter one is a word that
// belongs into messages.
const (
	minCookie = 12
	maxCookie = 4 << 10
)

// Hide makes the cookies of an answer known as secrets: any of them may be a
// session, which the server may quote later.
func (l *Login) Hide(h http.Header) {
	for _, c := range (&http.Response{Header: h}).Cookies() {
		if len(c.Value) >= minCookie && len(c.Value) <= maxCookie {
			l.secrets.AddPassing(secret.New(c.Value))
		}
	}
}

// busyError says that the platform has no time for a login.
type busyError struct {
	status string
	after  time.Duration // 0: it did not say
}

// Error implements error.
func (e *busyError) Error() string { return "login answered with " + e.status }

// BusyDelay is how long a platform that had no time for a login wants to be
// left alone.
func BusyDelay(err error) time.Duration {
	var busy *busyError
	if errors.As(err, &busy) {
		return busy.after
	}
	return 0
}

// logIn runs the mutation login by POST, never by GET: an address ends up in
// logs. It asks for what a way needs and nothing else, which the server may lack.
// Errors name neither the address's query nor the credentials.
func (l *Login) logIn(ctx context.Context, w way) error {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	wanted := "session { id }"
	if !w.session() {
		wanted = "authToken { accessToken }"
	}
	mutation := fmt.Sprintf("mutation Login { %s { username %s } }", l.mutation(), wanted)
	req, err := post.Request(ctx, l.url, post.Body(mutation, nil))
	if err != nil {
		return fmt.Errorf("login: %w", err)
	}
	var shake atomic.Pointer[error]
	req = req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) { shake.Store(&err) },
	}))
	timed := l.timed()
	resp, err := l.client.Do(req)
	if err != nil {
		if failed := shake.Load(); failed != nil {
			if err := graphqlws.HandshakeFailure(*failed); err != nil {
				return err //nolint:wrapcheck // it says what failed
			}
		}
		return fmt.Errorf("login: %w", graphqlws.Unquoted(err))
	}
	timed(resp.Header)
	defer resp.Body.Close() //nolint:errcheck // it was only read
	b, err := post.ReadAnswer(resp.Body, maxLoginBody)
	if err != nil {
		return fmt.Errorf("login: read the answer: %w", err)
	}
	return l.accept(resp, b, w)
}

// accept reads the answer to a login that was to give what a way needs.
func (l *Login) accept(resp *http.Response, body []byte, w way) error {
	switch {
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return &RefusedError{msg: post.Status(resp)}
	case resp.StatusCode >= http.StatusInternalServerError || resp.StatusCode == http.StatusTooManyRequests:
		return &busyError{status: post.Status(resp), after: retryafter.In(resp.Header, time.Now())}
	}
	var answer struct {
		Data struct {
			Login *struct {
				Session struct {
					ID string `json:"id"`
				} `json:"session"`
				ByToken struct {
					AccessToken string `json:"accessToken"`
				} `json:"authToken"`
			} `json:"login"`
		} `json:"data"`
		Errors json.RawMessage `json:"errors"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		if w == wayExchange { // there is no login here
			return &NoWayError{w}
		}
		return fmt.Errorf("login: the answer (%s) is not a GraphQL answer; is [rtd] url right?", post.Status(resp))
	}
	if answer.Data.Login == nil {
		return l.denied(answer.Errors, w)
	}
	g := grant{token: secret.New(answer.Data.Login.ByToken.AccessToken)}
	for _, c := range resp.Cookies() {
		if c.Name == sessionCookie && c.Value != "" {
			g.session = c
		}
	}
	// A proxy may have eaten the cookie; its value is in the answer, too.
	if id := answer.Data.Login.Session.ID; id != "" && g.session == nil {
		g.session = &http.Cookie{Name: sessionCookie, Value: id}
	}
	l.begin(g)
	if !g.allows(w) {
		return &NoWayError{w}
	}
	return nil
}

// denied is the error of a login that was not carried out. One that asked for
// the token may have been refused for that alone: the same password did before.
func (l *Login) denied(errs json.RawMessage, w way) error {
	if !w.session() && graphqlws.Unauthorized(graphqlws.ParseErrors(errs)) == nil {
		return &NoWayError{w}
	}
	return &RefusedError{msg: graphqlws.Reasons(errs)}
}

// NoWayError says that a login was accepted and gave nothing to go a way with.
type NoWayError struct{ way way }

// Error implements error.
func (e *NoWayError) Error() string {
	return "the login is accepted, and its answer has nothing for " + string(e.way)
}

// begin takes over what a login gave, which is as good as a password while it
// lasts.
func (l *Login) begin(g grant) {
	l.grant = g
	l.secrets.AddPassing(g.token)
	if g.session != nil {
		l.secrets.AddPassing(secret.New(g.session.Value))
	}
}

// Refuses reports whether an error says that the platform found the credentials
// wanting.
func Refuses(err error) bool {
	var refused *RefusedError
	var noWay *NoWayError
	return errors.As(err, &refused) || errors.As(err, &noWay) || graphqlws.IsUnauthorized(err) || graphqlws.Classify(err) == graphqlws.Auth
}

// Reason is the reason of an error of a login or of a session, fit for the screen.
func Reason(err error) string {
	var refused *RefusedError
	if errors.As(err, &refused) {
		return err.Error()
	}
	return graphqlws.Reason(err)
}
