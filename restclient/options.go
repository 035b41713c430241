package restclient

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"time"

	"wallboard/internal/lib/secret"
	"wallboard/model/resource"
)

// AuthMode is an authentication method (document 1, section Authentication).
type AuthMode string

// The authentication methods of document 1.
const (
	AuthSession AuthMode = "session" // a login, then the session cookie
	AuthBearer  AuthMode = "bearer"  // the access token in every request
	AuthBasic   AuthMode = "basic"   // user name and password in every request
)

// Options configures a [Client].
type Options struct {
	URL  string   // {base_url} of document 1: scheme, host and base path, without /rest
	Auth AuthMode // "" is AuthSession

	// Username and Password are used by AuthSession and AuthBasic. AccessToken is used by
	// AuthBearer, and by AuthSession without a password.
	Username    string
	Password    secret.Text
	AccessToken secret.Text

	// Version is the field `version` of a login. Its accepted values are not documented. If it
	// is "", the client sends the version that the platform reports (webapiVersion).
	Version string
	Edition Edition // "" is EditionAuto
	// Paths maps operations to paths that replace those of document 1 or supply missing ones. A
	// path must begin with /rest/ and have the same {placeholders} as the path in document 1.
	Paths map[resource.Operation]string

	TLS     *tls.Config      // nil: trust the system's certificates; TLS 1.2 is the minimum
	Timeout time.Duration    // total time of one request; 0: 60 s for a dial, 40 s for others
	Logger  *slog.Logger     // nil: none
	Now     func() time.Time // nil: time.Now
	// DialContext connects to the platform. If it is nil, a net.Dialer is used. Tests set it.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
}

// check returns an error that lists all problems of the options, or nil.
func (o *Options) check() error {
	errs := []error{checkURL(o.URL), o.checkAuth()}
	switch o.Edition {
	case "", EditionAuto, Edition102, Edition140:
	default:
		errs = append(errs, fmt.Errorf("edition %q is not one of %q, %q, %q", o.Edition, EditionAuto, Edition102, Edition140))
	}
	if o.Timeout < 0 {
		errs = append(errs, errors.New("the timeout is negative"))
	}
	errs = append(errs, checkPaths(o.Paths)...)
	return errors.Join(errs...)
}

func (o *Options) checkAuth() error {
	switch o.Auth {
	case AuthBasic:
		if o.Username == "" || o.Password.IsZero() {
			return errors.New("authentication by basic needs a user name and a password")
		}
		if strings.Contains(o.Username, ":") {
			return errors.New("authentication by basic does not allow a colon in the user name")
		}
	case AuthBearer:
		if o.AccessToken.IsZero() {
			return errors.New("authentication by bearer needs an access token")
		}
		if strings.ContainsFunc(o.AccessToken.Reveal(), func(r rune) bool { return r <= ' ' || r > '~' }) {
			return errors.New("the access token contains characters that are not allowed in a header")
		}
	case "", AuthSession:
		if o.AccessToken.IsZero() && (o.Username == "" || o.Password.IsZero()) {
			return errors.New("authentication by session needs a user name and a password, or an access token")
		}
	default:
		return fmt.Errorf("authentication %q is not one of %q, %q, %q", o.Auth, AuthSession, AuthBearer, AuthBasic)
	}
	return nil
}

// checkURL returns an error if the platform's address is invalid. The error does not quote the
// address, because it may contain a password.
func checkURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Scheme != "https" && u.Scheme != "http", u.Hostname() == "":
		return errors.New("the address is not one like https://host/path")
	case u.User != nil:
		return errors.New("the address contains a user name or a password")
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(address, "#"):
		return errors.New("the address contains a query (?) or a fragment (#)")
	}
	for s := range strings.SplitSeq(u.Path, "/") {
		if isDotSegment(s) {
			return errors.New("the path of the address contains a . or .. segment")
		}
	}
	return nil
}
