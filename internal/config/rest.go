package config

import (
	"reflect"
	"strings"
	"time"
)

// REST configures the platform's configuration service: its address and the login (document
// 1). It may be left out; then the board cannot act on the platform.
type REST struct {
	URL  string `toml:"url"`  // http(s) address: {base_url} of document 1, without /rest.
	Auth string `toml:"auth"` // How to log in: session, bearer (access token in every request) or basic (user name and password in every request).
	ServiceAccess
	Version string            `toml:"version"` // Field "version" of a login; "": the version that the service reports.
	Edition string            `toml:"edition"` // auto (as the service reports), 1.0.2 or 1.4.0.
	Timeout time.Duration     `toml:"timeout"` // Time limit of one request; 0: depends on the operation.
	Paths   map[string]string `toml:"paths"`   // Operation -> its path, if document 1 does not show it or the server uses another.
}

// Ways to log in to the configuration service (document 1, section Authentication).
const (
	AuthSession = "session" // a session cookie, after a login with user name and password or access token
	AuthBearer  = "bearer"  // the access token in every request
	AuthBasic   = "basic"   // user name and password in every request
)

// Editions of document 1, section Versioning.
const (
	EditionAuto = "auto" // as the service reports
	Edition102  = "1.0.2"
	Edition140  = "1.4.0"
)

// Limits of rest.timeout. With a timeout below the minimum, the outcome of most actions would be
// unknown.
const (
	minTimeout = time.Second
	maxTimeout = 2 * time.Minute
)

// IsConfigured reports whether the file has settings for the service.
func (c *REST) IsConfigured() bool {
	return !reflect.DeepEqual(*c, Default().REST)
}

func (c *REST) check(r *report, o Options) {
	if !c.IsConfigured() {
		return
	}
	switch {
	case c.URL != "":
		c.checkAddress(r, "rest", "url", c.URL, "https", "http")
	case !o.Demo:
		r.add("rest.url", "is missing", `write the address of the configuration service, for example "https://host/rest-base", `+
			"without the /rest of its operations, or remove [rest]")
	}
	checkOneOf(r, "rest.auth", c.Auth, []string{AuthSession, AuthBearer, AuthBasic})
	if c.needsPassword(&c.Login) && c.Username == "" && !o.Demo {
		r.add("rest.username", "is missing", `rest.auth = "`+c.Auth+`" needs it`)
	}
	checkPrintable(r, "rest.username", c.Username)
	checkPrintable(r, "rest.version", c.Version)
	checkOneOf(r, "rest.edition", c.Edition, []string{EditionAuto, Edition102, Edition140})
	if c.Timeout != 0 {
		checkRange(r, "rest.timeout", c.Timeout, minTimeout, maxTimeout)
	}
	c.checkPaths(r, o.RESTOperations)
}

func (c *REST) checkPaths(r *report, operations []string) {
	for op, path := range c.Paths {
		key := joinKey("rest.paths", op)
		if len(operations) > 0 && !checkOperation(r, key, op, operations) {
			continue
		}
		if !strings.HasPrefix(path, "/rest/") || strings.ContainsAny(path, "?#") || hasUnprintable(path) {
			r.add(key, "is not the path of an operation", `write it like "/rest/…", without a query`)
		}
	}
}

// needsPassword reports whether the login l requires a user name and a password. A session login
// may use an access token instead.
func (c *REST) needsPassword(l *Login) bool {
	switch c.Auth {
	case AuthBasic:
		return true
	case AuthSession:
		return l.Username != "" || len(l.passwordSources("").setKeys()) > 0 || len(l.accessTokenSources("").setKeys()) == 0
	}
	return false
}

// resolveSecrets resolves the secrets that rest.auth requires, if the service is configured.
func (c *REST) resolveSecrets(r *report, file configFile, o Options) {
	needed, password := c.IsConfigured(), c.needsPassword(&c.Login)
	c.passwordSources("rest").resolveIfNeeded(r, file, o, c.Auth, needed && password)
	c.accessTokenSources("rest").resolveIfNeeded(r, file, o, c.Auth, needed && !password)
}
