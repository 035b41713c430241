package feeds

import (
	"bytes"
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
	"wallboard/feeds/queries"
	"wallboard/internal/retryafter"
	"wallboard/secret"
)

// AuthMode is a way to authenticate (document 2, section Authentication).
type AuthMode string

// The ways of document 2.
const (
	AuthToken  AuthMode = "token"  // the access token in connection_init
	AuthCookie AuthMode = "cookie" // the access token in the cookie vendorRtdAccessToken
	AuthLogin  AuthMode = "login"  // user and password, by the mutation login

	AuthTokenLogin AuthMode = "token_login" // the access token, by the mutation loginWithAccessToken
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

// Credentials are what [AuthMode] needs.
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
	if w == waySession {
		return g.session != nil
	}
	return !g.token.IsZero()
}

// refusedError says that the platform refused the credentials.
type refusedError struct{ msg string }

// Error implements error.
func (e *refusedError) Error() string { return "login refused: " + e.msg }

// login turns credentials into what a handshake carries.
type login struct {
	mode    AuthMode
	creds   Credentials
	url     string
	client  *http.Client
	grant   grant // of a login
	ways    ways
	secrets secret.Redactor
	// timeRequest begins to time a request; what it returns takes the header of
	// the answer.
	timeRequest func() func(http.Header) bool
}

func newLogin(o *Options) (*login, error) {
	l := &login{
		mode: o.Auth, creds: o.Credentials, url: o.URL,
		timeRequest: func() func(http.Header) bool { return func(http.Header) bool { return false } },
	}
	l.secrets.Add(o.Credentials.Password, o.Credentials.AccessToken)
	if l.mode == "" {
		l.mode = AuthToken
	}
	l.ways = newWays(l.mode)
	transport := plainTransport(o)
	transport.DisableKeepAlives = true  // one login in hours
	transport.DisableCompression = true // its answer is small
	l.client = newClient(transport, loginTimeout)
	if _, err := url.Parse(o.URL); err != nil {
		return nil, errors.New("feeds: the address of the service is not a URL")
	}
	return l, nil
}

// apply puts the credentials into the options of a session in the way that is
// in use; it logs in when there is no session with the platform yet.
func (l *login) apply(ctx context.Context, o *graphqlws.Options) error {
	w := l.ways.present()
	if l.logsIn() && !l.grant.allows(w) {
		if err := l.logIn(ctx, w); err != nil {
			return err
		}
	}
	l.grant.used++
	o.Header = http.Header{}
	switch w {
	case waySession:
		o.Header.Set("Cookie", (&http.Cookie{Name: l.grant.session.Name, Value: l.grant.session.Value}).String())
	case wayInit:
		o.InitPayload = map[string]string{"accessToken": l.token().Reveal()}
	case wayCookie:
		o.Header.Set("Cookie", l.tokenCookie())
	}
	return nil
}

// token is the access token: that of the configuration, or of the login.
func (l *login) token() secret.Text {
	if l.logsIn() {
		return l.grant.token
	}
	return l.creds.AccessToken
}

func (l *login) tokenCookie() string {
	return (&http.Cookie{Name: tokenCookie, Value: l.token().Reveal()}).String()
}

// stale reports whether the session is one of an earlier connection, which may have
// ended since.
func (l *login) stale() bool { return l.logsIn() && l.grant.used > 1 }

// logsIn reports whether a login comes before a connection.
func (l *login) logsIn() bool { return l.mode == AuthLogin || l.mode == AuthTokenLogin }

// mutation is the login as GraphQL has it. Its answer is called login whatever
// the mutation is.
func (l *login) mutation() string {
	if l.mode == AuthTokenLogin {
		return "login: loginWithAccessToken(accessToken: " + queries.Literal(l.creds.AccessToken.Reveal()) + ")"
	}
	return "login(username: " + queries.Literal(l.creds.Username) + ", password: " + queries.Literal(l.creds.Password.Reveal()) + ")"
}

// who is whom a login is for, as people call it.
func (l *login) who() string {
	if l.mode == AuthTokenLogin {
		return "with the access token"
	}
	return "of user " + strconv.Quote(l.creds.Username)
}

// forget has the next connection log in first.
func (l *login) forget() { l.grant = grant{} }

// refusal says that the platform refuses the login itself, or everything that it
// may be shown of the credentials on a connection.
func (l *login) refusal(err error) string {
	var refused *refusedError
	switch {
	case !l.logsIn():
		return "The platform " + l.ways.tried() + `, and auth = "token_login" was not tried: ` + reasonOf(err)
	case errors.As(err, &refused) && l.mode == AuthTokenLogin:
		return "The platform refuses the access token: " + reasonOf(err)
	case errors.As(err, &refused):
		return "The platform refuses user " + strconv.Quote(l.creds.Username) + " or the password: " + reasonOf(err)
	}
	return "The platform accepts the login " + l.who() +
		", but on a connection it " + l.ways.tried() + ": " + reasonOf(err)
}

// redact takes the credentials out of a text: servers quote what they refuse.
func (l *login) redact(s string) string { return l.secrets.Redact(s) }

// How long the cookies are in which a session may be: a shorter one is a word that
// belongs into messages.
const (
	minCookie = 12
	maxCookie = 4 << 10
)

// hide makes the cookies of an answer known as secrets: any of them may be a
// session, which the server may quote later.
func (l *login) hide(h http.Header) {
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

// busyDelay is how long a platform that had no time for a login wants to be
// left alone.
func busyDelay(err error) time.Duration {
	var busy *busyError
	if errors.As(err, &busy) {
		return busy.after
	}
	return 0
}

// logIn runs the mutation login by POST, never by GET: an address ends up in
// logs. It asks for what a way needs and nothing else, which the server may lack.
// Errors name neither the address's query nor the credentials.
func (l *login) logIn(ctx context.Context, w way) error {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	wanted := "session { id }"
	if w != waySession {
		wanted = "authToken { accessToken }"
	}
	body, err := json.Marshal(map[string]string{"query": fmt.Sprintf(
		"mutation Login { %s { username %s } }", l.mutation(), wanted)})
	if err != nil {
		return errors.New("login: the request cannot be written")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url, bytes.NewReader(body))
	if err != nil {
		return errors.New("login: the address of the service is not a URL")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	var shake atomic.Pointer[error]
	req = req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) { shake.Store(&err) },
	}))
	timed := l.timeRequest()
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
	b, err := readAnswer(resp.Body, maxLoginBody)
	if err != nil {
		return fmt.Errorf("login: read the answer: %w", err)
	}
	return l.accept(resp, b, w)
}

// accept reads the answer to a login that was to give what a way needs.
func (l *login) accept(resp *http.Response, body []byte, w way) error {
	switch {
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return &refusedError{msg: statusOf(resp)}
	case resp.StatusCode >= http.StatusInternalServerError || resp.StatusCode == http.StatusTooManyRequests:
		return &busyError{status: statusOf(resp), after: min(retryafter.In(resp.Header, time.Now()), slowLane)}
	}
	var answer struct {
		Data struct {
			Login *struct {
				Session struct {
					ID string `json:"id"`
				} `json:"session"`
				AuthToken struct {
					AccessToken string `json:"accessToken"`
				} `json:"authToken"`
			} `json:"login"`
		} `json:"data"`
		Errors json.RawMessage `json:"errors"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return fmt.Errorf("login: the answer (%s) is not a GraphQL answer; is [rtd] url right?", statusOf(resp))
	}
	if answer.Data.Login == nil {
		return l.denied(answer.Errors, w)
	}
	g := grant{token: secret.New(answer.Data.Login.AuthToken.AccessToken)}
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
		return &noWayError{w}
	}
	return nil
}

// denied is the error of a login that was not carried out. One that asked for
// the token may have been refused for that alone: the same password did before.
func (l *login) denied(errs json.RawMessage, w way) error {
	if _, refused := unauthorized(graphqlws.ParseErrors(errs)); w != waySession && !refused {
		return &noWayError{w}
	}
	return &refusedError{msg: graphqlws.Reasons(errs)}
}

// noWayError says that a login was accepted and gave nothing to go a way with.
type noWayError struct{ way way }

// Error implements error.
func (e *noWayError) Error() string {
	return "the login is accepted, and its answer has nothing for " + string(e.way)
}

// begin takes over what a login gave, which is as good as a password while it
// lasts.
func (l *login) begin(g grant) {
	l.grant = g
	l.secrets.AddPassing(g.token)
	if g.session != nil {
		l.secrets.AddPassing(secret.New(g.session.Value))
	}
}
