package feeds

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"wallboard/feeds/graphqlws"
	"wallboard/secret"
)

// AuthMode is a way to authenticate (document 2, section Authentication).
type AuthMode string

// The three ways of document 2.
const (
	AuthToken  AuthMode = "token"  // the access token in connection_init
	AuthCookie AuthMode = "cookie" // the access token in the cookie vendorRtdAccessToken
	AuthLogin  AuthMode = "login"  // user and password, by the mutation login
)

// The cookies of document 2, section Authentication.
const (
	sessionCookie = "vendorRtdSessionID"
	tokenCookie   = "vendorRtdAccessToken"
)

const (
	loginTimeout = 10 * time.Second
	maxLoginBody = 1 << 20
)

// Credentials are what [AuthMode] needs.
type Credentials struct {
	Username    string
	Password    secret.Text
	AccessToken secret.Text
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
	session *http.Cookie // of AuthLogin; nil: log in first
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
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // its type is documented
	transport.TLSClientConfig = o.TLS.Clone()
	if o.DialContext != nil {
		transport.DialContext = o.DialContext
	}
	transport.DisableKeepAlives = true // one login in hours
	l.client = &http.Client{
		Transport: transport, Timeout: loginTimeout,
		// A redirect would carry the password somewhere else.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if _, err := url.Parse(o.URL); err != nil {
		return nil, errors.New("feeds: the address of the service is not a URL")
	}
	return l, nil
}

// apply puts the credentials into the options of a session; it logs in when
// there is no session with the platform yet.
func (l *login) apply(ctx context.Context, o *graphqlws.Options) error {
	o.Header = http.Header{}
	switch l.mode {
	case AuthCookie:
		o.Header.Set("Cookie", (&http.Cookie{Name: tokenCookie, Value: l.creds.AccessToken.Reveal()}).String())
	case AuthLogin:
		if l.session == nil {
			if err := l.logIn(ctx); err != nil {
				return err
			}
		}
		o.Header.Set("Cookie", (&http.Cookie{Name: l.session.Name, Value: l.session.Value}).String())
	case AuthToken:
		o.InitPayload = map[string]string{"accessToken": l.creds.AccessToken.Reveal()}
	}
	return nil
}

// another tells whether another try may succeed after a refusal: with a new
// login in the place of a session that ended, or with the same token, because a
// platform that restarts refuses good ones. A refused password is not sent again.
func (l *login) another() bool {
	had := l.session != nil
	l.session = nil
	return had || l.mode != AuthLogin
}

// what names the credentials as the configuration does.
func (l *login) what() string {
	if l.mode == AuthLogin {
		return "user " + strconv.Quote(l.creds.Username) + " or the password"
	}
	return "the access token"
}

// redact takes the credentials out of a text: servers quote what they refuse.
func (l *login) redact(s string) string { return l.secrets.Redact(s) }

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
// logs. Errors name neither the address's query nor the credentials.
func (l *login) logIn(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	body, err := json.Marshal(map[string]string{"query": fmt.Sprintf(
		"mutation Login { login(username: %s, password: %s) { username session { id } } }",
		literal(l.creds.Username), literal(l.creds.Password.Reveal()))})
	if err != nil {
		return errors.New("login: the request can not be written")
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
		var ue *url.Error
		if errors.As(err, &ue) {
			err = ue.Err // url.Error prints the address with its query
		}
		return fmt.Errorf("login: %w", err)
	}
	timed(resp.Header)
	defer resp.Body.Close() //nolint:errcheck // it was only read
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxLoginBody))
	if err != nil {
		return fmt.Errorf("login: read the answer: %w", err)
	}
	return l.accept(resp, b)
}

// accept reads the answer to a login.
func (l *login) accept(resp *http.Response, body []byte) error {
	switch {
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return &refusedError{msg: resp.Status}
	case resp.StatusCode >= http.StatusInternalServerError || resp.StatusCode == http.StatusTooManyRequests:
		after, _ := strconv.Atoi(resp.Header.Get("Retry-After")) // absent or a date: the backoff will do
		return &busyError{status: resp.Status, after: min(time.Duration(max(after, 0))*time.Second, slowLane)}
	}
	var answer struct {
		Data struct {
			Login *struct {
				Session struct {
					ID string `json:"id"`
				} `json:"session"`
			} `json:"login"`
		} `json:"data"`
		Errors json.RawMessage `json:"errors"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return fmt.Errorf("login: the answer (%s) is not a GraphQL answer; is [rtd] url right?", resp.Status)
	}
	if answer.Data.Login == nil {
		return &refusedError{msg: graphQLErrors(answer.Errors)}
	}
	for _, c := range resp.Cookies() {
		if c.Name == sessionCookie && c.Value != "" {
			l.begin(c)
			return nil
		}
	}
	// A proxy may have eaten the cookie; its value is in the answer, too.
	if id := answer.Data.Login.Session.ID; id != "" {
		l.begin(&http.Cookie{Name: sessionCookie, Value: id})
		return nil
	}
	return errors.New("login: the answer carries no session")
}

// begin takes a session, which is as good as a password while it lasts.
func (l *login) begin(c *http.Cookie) {
	l.session = c
	l.secrets.Add(secret.New(c.Value))
}

// graphQLErrors renders the errors of a message as one line; their shape is not
// documented.
func graphQLErrors(raw []byte) string {
	var lines []string
	for _, e := range graphqlws.ParseErrors(raw) {
		lines = append(lines, e.Message)
	}
	if len(lines) == 0 {
		return "no reason given"
	}
	return strings.Join(lines, "; ")
}
