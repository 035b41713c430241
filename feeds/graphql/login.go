package graphql

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
	"strings"
	"sync/atomic"
	"time"

	"wallboard/internal/lib/netconn"
	"wallboard/internal/lib/secret"
)

// LoginMode is an authentication mode (document 2, section Authentication).
type LoginMode string

// The modes of document 2.
const (
	ModeToken  LoginMode = "token"  // the access token in connection_init
	ModeCookie LoginMode = "cookie" // the access token in the cookie vendorRtdAccessToken
	ModeLogin  LoginMode = "login"  // user and password, by the mutation login

	ModeTokenLogin LoginMode = "token_login" // the access token, by the mutation loginWithAccessToken
)

// The cookies of document 2, section Authentication.
const (
	sessionCookie = "vendorRtdSessionID"
	tokenCookie   = "vendorRtdAccessToken"
)

const (
	loginTimeout = 10 * time.Second
	maxLoginBody = 64 << 10 // bytes
)

// Credentials holds the credentials for all modes. Each [LoginMode] uses some of them.
type Credentials struct {
	Username    string
	Password    secret.Text
	AccessToken secret.Text
}

// loginResult is the result of a login: a session cookie, an access token or both.
type loginResult struct {
	session  *http.Cookie
	token    secret.Text
	useCount int // number of connections since the last login
}

// hasCredentialsFor reports whether the result contains the credentials that are presented in the way w.
func (g *loginResult) hasCredentialsFor(w credentialWay) bool {
	if w.usesSession() {
		return g.session != nil
	}
	return !g.token.IsZero()
}

// RefusedError means that the platform refused the credentials.
type RefusedError struct{ msg string }

// Error implements error.
func (e *RefusedError) Error() string { return "login refused: " + e.msg }

// LoginOptions configures a [Login].
type LoginOptions struct {
	Mode        LoginMode // "": [ModeToken]
	Credentials Credentials
	URL         string // http or https address of the service
	TLS         *tls.Config
	DialContext Dialer // nil: the default dialer
}

// Login provides the credentials for connections. [Login.Redact], [Login.HideCookies] and the clock
// methods are safe for concurrent use. The other methods are not.
type Login struct {
	Ways CredentialWays

	mode        LoginMode
	credentials Credentials
	url         string
	client      *http.Client
	loginResult loginResult // result of the last login
	secrets     secret.Redactor
	timer       RequestTimer
}

// NewLogin returns a Login. It does not connect. It returns an error if o.URL is not a URL.
func NewLogin(o LoginOptions) (*Login, error) {
	l := &Login{
		mode: cmp.Or(o.Mode, ModeToken), credentials: o.Credentials, url: o.URL,
		timer: func() func(http.Header) bool { return func(http.Header) bool { return false } },
	}
	l.secrets.Add(o.Credentials.Password, o.Credentials.AccessToken)
	l.Ways = newWays(l.mode)
	transport := NewTransport(o.TLS, o.DialContext)
	transport.DisableKeepAlives = true  // logins are hours apart: do not keep the connection open
	transport.DisableCompression = true // the response is small
	l.client = NewClient(transport, loginTimeout)
	if _, err := url.Parse(o.URL); err != nil {
		return nil, errors.New("the address of the service is not a URL")
	}
	return l, nil
}

// SetTimer sets a function that times every request, to read the platform's clock from the
// responses.
func (l *Login) SetTimer(t RequestTimer) { l.timer = t }

// ApplyCredentials adds the credentials to o, the options of a session. It presents them in the current
// way of l.Ways, and logs in first if necessary.
func (l *Login) ApplyCredentials(ctx context.Context, o *Options) error {
	w := l.Ways.currentWay()
	if l.usesLoginResult() && !l.loginResult.hasCredentialsFor(w) {
		if err := l.logIn(ctx, w); err != nil {
			return err
		}
	}
	l.loginResult.useCount++
	o.Header = http.Header{}
	switch w {
	case waySession, wayTokenLogin:
		o.Header.Set("Cookie", (&http.Cookie{Name: l.loginResult.session.Name, Value: l.loginResult.session.Value}).String())
	case wayConnectionInit:
		o.InitPayload = map[string]string{"accessToken": l.token().Reveal()}
	case wayCookie:
		o.Header.Set("Cookie", l.tokenCookie())
	}
	return nil
}

// StepName says what [Login.ApplyCredentials] does next.
func (l *Login) StepName() string {
	switch {
	case !l.usesLoginResult() || l.loginResult.hasCredentialsFor(l.Ways.currentWay()):
		return "connecting with " + l.Ways.CurrentName()
	case l.mode == ModeLogin:
		return "logging in with the password"
	}
	return "logging in with the access token"
}

// Cookie returns the Cookie header with the credentials for an HTTP request, in the current way. It
// logs in first if necessary.
func (l *Login) Cookie(ctx context.Context) (string, error) {
	var o Options
	if err := l.ApplyCredentials(ctx, &o); err != nil {
		return "", err
	}
	if o.InitPayload != nil { // HTTP has no connection_init, so the token is sent in a cookie
		return l.tokenCookie(), nil
	}
	return o.Header.Get("Cookie"), nil
}

// token returns the access token. If the mode requires a login, it is the token that the login
// returned, otherwise the configured one.
func (l *Login) token() secret.Text {
	if l.NeedsLogin() {
		return l.loginResult.token
	}
	return l.credentials.AccessToken
}

func (l *Login) tokenCookie() string {
	return (&http.Cookie{Name: tokenCookie, Value: l.token().Reveal()}).String()
}

// IsStale reports whether the current way presents the result of a login that was used for an earlier
// connection and may have expired.
func (l *Login) IsStale() bool { return l.usesLoginResult() && l.loginResult.useCount > 1 }

// NeedsLogin reports whether the mode requires a login.
func (l *Login) NeedsLogin() bool { return l.mode == ModeLogin || l.mode == ModeTokenLogin }

// usesLoginResult reports whether the current way presents the result of a login.
func (l *Login) usesLoginResult() bool { return l.NeedsLogin() || l.Ways.IsTokenLogin() }

// loginMutation returns the GraphQL mutation for the login. The response key is always login.
func (l *Login) loginMutation() string {
	if l.mode != ModeLogin {
		return "login: loginWithAccessToken(accessToken: " + StringLiteral(l.credentials.AccessToken.Reveal()) + ")"
	}
	return "login(username: " + StringLiteral(l.credentials.Username) + ", password: " + StringLiteral(l.credentials.Password.Reveal()) + ")"
}

// describeCredentials describes the credentials that the login uses, for messages.
func (l *Login) describeCredentials() string {
	if l.mode != ModeLogin {
		return "with the access token"
	}
	return "of user " + strconv.Quote(l.credentials.Username)
}

// ForgetLogin discards the result of the last login, so that the next connection that needs one logs in first.
func (l *Login) ForgetLogin() { l.loginResult = loginResult{} }

// RefusalText describes the refusal err for display. The description gives the reason and says
// whether the platform refused the login or the credentials of a connection.
func (l *Login) RefusalText(err error) string {
	var refused *RefusedError
	switch {
	case strings.Contains(ErrorReason(err), netconn.UnsupportedLogin):
		return "Wallboard cannot log in: " + strings.TrimPrefix(ErrorReason(err), "login refused: ")
	case !l.NeedsLogin():
		return "The platform " + l.Ways.refusalText() + ": " + ErrorReason(err)
	case errors.As(err, &refused) && l.mode == ModeTokenLogin:
		return "The platform refuses the access token: " + ErrorReason(err)
	case errors.As(err, &refused):
		return "The platform refuses user " + strconv.Quote(l.credentials.Username) + " or the password: " + ErrorReason(err)
	}
	return "The platform accepts the login " + l.describeCredentials() +
		", but on a connection it " + l.Ways.refusalText() + ": " + ErrorReason(err)
}

// Redact removes the credentials from s, because servers quote values that they refuse.
func (l *Login) Redact(s string) string { return l.secrets.Redact(s) }

// Limits on the length of a cookie value that [Login.Redact] removes. Such a value may be a session
// ID. Shorter values may be common words.
const (
	minCookieLength = 12
	maxCookieLength = 4 << 10
)

// HideCookies makes [Login.Redact] remove the cookies of a response. A cookie may be a session ID
// that the server quotes later.
func (l *Login) HideCookies(h http.Header) {
	for _, c := range (&http.Response{Header: h}).Cookies() {
		if len(c.Value) >= minCookieLength && len(c.Value) <= maxCookieLength {
			l.secrets.AddSession(secret.New(c.Value))
		}
	}
}

// busyError means that the platform is too busy for a login.
type busyError struct {
	status     string
	retryAfter time.Duration // 0: not given
}

// Error implements error.
func (e *busyError) Error() string { return "login answered with " + e.status }

// BusyDelay returns how long the platform asked to wait before the next login. It returns 0 if err
// does not mean that the platform is busy or if the platform gave no time.
func BusyDelay(err error) time.Duration {
	var busy *busyError
	if errors.As(err, &busy) {
		return busy.retryAfter
	}
	return 0
}

// logIn runs the login mutation. It uses POST and never GET, because URLs end up in logs. It
// requests only the fields needed for the way w, because the server may lack others. The errors
// that it returns contain neither the URL's query nor the credentials.
func (l *Login) logIn(ctx context.Context, w credentialWay) error {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	wanted := "session { id }"
	if !w.usesSession() {
		wanted = "authToken { accessToken }"
	}
	mutation := fmt.Sprintf("mutation Login { %s { username %s } }", l.loginMutation(), wanted)
	req, err := NewPostRequest(ctx, l.url, EncodeRequest(mutation, nil))
	if err != nil {
		return fmt.Errorf("login: %w", err)
	}
	var handshakeErr atomic.Pointer[error]
	req = req.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) { handshakeErr.Store(&err) },
	}))
	timed := l.timer()
	resp, err := l.client.Do(req)
	if err != nil {
		if failed := handshakeErr.Load(); failed != nil {
			if err := TLSFailure(*failed); err != nil {
				return err
			}
		}
		return fmt.Errorf("login: %w", RedactHTTPError(err))
	}
	timed(resp.Header)
	defer resp.Body.Close() //nolint:errcheck // only read
	b, err := ReadAnswer(resp.Body, maxLoginBody)
	if err != nil {
		return fmt.Errorf("login: read the answer: %w", err)
	}
	return l.readLogin(resp, b, w)
}

// readLogin reads the response to a login and stores the result. It returns an error if the login was refused
// or failed, or if the result does not suffice for the way w.
func (l *Login) readLogin(resp *http.Response, body []byte, w credentialWay) error {
	switch {
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return &RefusedError{msg: StatusText(resp)}
	case resp.StatusCode >= http.StatusInternalServerError || resp.StatusCode == http.StatusTooManyRequests:
		return &busyError{status: StatusText(resp), retryAfter: netconn.RetryAfter(resp.Header, time.Now())}
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
		if w == wayTokenLogin { // the server has no mutation for this login
			return &MissingCredentialError{w}
		}
		return fmt.Errorf("login: %w", notGraphQL(resp))
	}
	if answer.Data.Login == nil {
		return l.refusalError(answer.Errors, w)
	}
	g := loginResult{token: secret.New(answer.Data.Login.ByToken.AccessToken)}
	for _, c := range resp.Cookies() {
		if c.Name == sessionCookie && c.Value != "" {
			g.session = c
		}
	}
	// A proxy may have removed the cookie, but the response body contains the session ID, too.
	if id := answer.Data.Login.Session.ID; id != "" && g.session == nil {
		g.session = &http.Cookie{Name: sessionCookie, Value: id}
	}
	l.storeLoginResult(g)
	if !g.hasCredentialsFor(w) {
		return &MissingCredentialError{w}
	}
	return nil
}

// refusalError returns the error of a refused login. If the login requested a token, the server may
// have refused only the token. The error is then a [MissingCredentialError], unless the server says
// UNAUTHORIZED.
func (l *Login) refusalError(errs json.RawMessage, w credentialWay) error {
	if !w.usesSession() && FindUnauthorized(ParseErrors(errs)) == nil {
		return &MissingCredentialError{w}
	}
	return &RefusedError{msg: ErrorMessages(errs)}
}

// MissingCredentialError means that a login did not return the token or session that the current way
// presents, or that the server does not have this login.
type MissingCredentialError struct{ way credentialWay }

// Error implements error.
func (e *MissingCredentialError) Error() string {
	return "the login is accepted, and its answer has nothing for " + string(e.way)
}

// storeLoginResult stores the result of a login and makes [Login.Redact] remove it, because it is as
// secret as a password.
func (l *Login) storeLoginResult(g loginResult) {
	l.loginResult = g
	l.secrets.AddSession(g.token)
	if g.session != nil {
		l.secrets.AddSession(secret.New(g.session.Value))
	}
}

// IsRefusal reports whether err means that the platform refused the credentials, in a login or on a
// connection, or that a login did not return the credentials for the current way.
func IsRefusal(err error) bool {
	var refused *RefusedError
	var noWay *MissingCredentialError
	return errors.As(err, &refused) || errors.As(err, &noWay) || IsUnauthorized(err) || Classify(err) == ClassAuth
}
