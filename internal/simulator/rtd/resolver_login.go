package rtd

import (
	"cmp"
	"context"
	"time"

	"wallboard/internal/simulator/webservice"
)

// mutations resolves the mutations of document 2.
type mutations struct{ s *Service }

// caller is the client that sent a request. onLogin is called after a mutation of the request
// has logged the client in.
type caller struct {
	*webservice.Credentials

	onLogin func(webservice.Login)
}

// callerKey is the context key of a caller.
type callerKey struct{}

func withCaller(ctx context.Context, c *caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// Login resolves the mutation login.
func (m *mutations) Login(ctx context.Context, args struct{ Username, Password string }) (*sessionUserView, error) {
	l, ok := m.s.platform.Accounts.LoginWithPassword(args.Username, args.Password)
	return finishLogin(ctx, l, ok)
}

// LoginWithAccessToken resolves the mutation loginWithAccessToken.
func (m *mutations) LoginWithAccessToken(ctx context.Context, args struct{ AccessToken string }) (*sessionUserView, error) {
	l, ok := m.s.platform.Accounts.LoginWithToken(args.AccessToken)
	return finishLogin(ctx, l, ok)
}

func finishLogin(ctx context.Context, l webservice.Login, ok bool) (*sessionUserView, error) {
	if !ok {
		return nil, unauthorizedError{"the credentials are wrong or no longer valid"}
	}
	if c, found := ctx.Value(callerKey{}).(*caller); found {
		c.onLogin(l)
	}
	return newSessionUserView(l), nil
}

// codeUnauthorized is the only value of document 2's enum ErrorCode.
const codeUnauthorized = "UNAUTHORIZED"

// unauthorizedError is the error of a request without valid credentials.
type unauthorizedError struct{ reason string }

// Error returns the code and the reason.
func (e unauthorizedError) Error() string { return codeUnauthorized + ": " + e.reason }

// Extensions returns the extensions of the GraphQL error, which contain the code.
func (e unauthorizedError) Extensions() map[string]any {
	return map[string]any{"code": codeUnauthorized}
}

type sessionUserView struct {
	PublicUsername, Username, Surname, Name, Language *string
	Supervisor                                        *bool
	Session                                           *sessionView
	AuthToken                                         *authTokenView
}

type sessionView struct {
	ID        *string
	ExpiresIn *intScalar
}

type authTokenView struct {
	AccessToken *string
	ExpiresIn   *intScalar
}

func newSessionUserView(l webservice.Login) *sessionUserView {
	a := l.Account
	a.Language = cmp.Or(a.Language, "EN")
	seconds := func(d time.Duration) *intScalar {
		n := intScalar(d / time.Second)
		return &n
	}
	return &sessionUserView{
		PublicUsername: &a.Username, Username: &a.Username, Surname: &a.Surname, Name: &a.Name,
		Language: &a.Language, Supervisor: &a.Supervisor,
		Session:   &sessionView{&l.Session, seconds(l.SessionLifetime)},
		AuthToken: &authTokenView{&l.Token, seconds(l.TokenLifetime)},
	}
}
