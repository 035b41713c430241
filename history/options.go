package history

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"regexp"
	"strings"
	"time"

	"wallboard/secret"
)

// Options are what a [Client] needs to know. They never print.
type Options struct {
	URL    string      // {datamodel_base} of document 3, without /query
	APIKey secret.Text // of the header X-Vendor-APIKey
	TLS    *tls.Config
	// Timeout is of one request, without the wait for its place in the budget;
	// 0 is 30 s.
	Timeout time.Duration
	Now     func() time.Time
	// Location is the contact center's time zone: of its days and hours; nil is
	// time.Local.
	Location *time.Location

	CacheDir   string // "": answers are kept in memory only
	CacheSize  int64  // bytes on the disk; 0 is 32 MiB
	BudgetFile string // "": the budget is this client's own
	// Batch is how many counts one request may hold; 0 is 100, 1 is for servers
	// that do not bear aliases, which is also found out.
	Batch int

	// Names are the names of operations on this server, by their names in
	// [Operations]: for those that document 3 does not show, and for those that
	// are called otherwise.
	Names map[string]string
	// Groups are values of groupBy that the server has besides ORGANIZATION, and
	// what to read of their entities: the type, its field for the id and its
	// field for the name, as in "Service code name".
	Groups map[string]string

	Logger *slog.Logger // nil: none
	// DialContext connects to the platform; nil uses the network. A test puts
	// its own here.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
}

// String hides the options: they hold the key.
func (Options) String() string { return secret.Redacted }

// GoString hides the options.
func (Options) GoString() string { return secret.Redacted }

// Format hides the options, whatever the verb.
func (Options) Format(f fmt.State, _ rune) {
	_, _ = f.Write([]byte(secret.Redacted)) // fmt's buffer cannot fail
}

// LogValue hides the options.
func (Options) LogValue() slog.Value { return slog.StringValue(secret.Redacted) }

// MarshalJSON hides the options.
func (Options) MarshalJSON() ([]byte, error) { return []byte(`"` + secret.Redacted + `"`), nil }

// MaxBatch is the most counts that one request may hold.
const MaxBatch = 100

// The bounds and defaults of the options.
const (
	defaultTimeout   = 30 * time.Second
	defaultCacheSize = 32 << 20
)

// graphqlName is a Name of the GraphQL grammar.
var graphqlName = regexp.MustCompile(`^[_A-Za-z][_0-9A-Za-z]*$`)

// check returns everything that is wrong with the options.
func (o *Options) check() error {
	errs := []error{checkURL(o.URL)}
	if o.APIKey.IsZero() {
		errs = append(errs, errors.New("the API key is missing"))
	}
	if strings.ContainsFunc(o.APIKey.Reveal(), func(r rune) bool { return r <= ' ' || r > '~' }) {
		errs = append(errs, errors.New("the API key has characters that no header can carry"))
	}
	if o.Timeout < 0 || o.CacheSize < 0 {
		errs = append(errs, errors.New("the timeout or the size of the cache is negative"))
	}
	if o.Batch < 0 || o.Batch > MaxBatch {
		errs = append(errs, fmt.Errorf("counts per request: want 1 to %d", MaxBatch))
	}
	for op, name := range o.Names {
		if _, ok := defaultNames()[op]; !ok {
			errs = append(errs, fmt.Errorf("%q is not an operation of the statistical data service", op))
		} else if !graphqlName.MatchString(name) {
			errs = append(errs, fmt.Errorf("the name of %s is not a name in GraphQL", op))
		}
	}
	for by, entity := range o.Groups {
		if _, err := parseEntity(entity); err != nil || !graphqlName.MatchString(by) {
			errs = append(errs, fmt.Errorf(`grouping by %q: want a type, its field for the id and its field for the name, as in "Service code name"`, by))
		}
	}
	return errors.Join(errs...)
}

// checkURL never quotes the address: it may hold a password.
func checkURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Scheme != "https" && u.Scheme != "http", u.Hostname() == "":
		return errors.New("the address is not one like https://host/path")
	case u.User != nil:
		return errors.New("the address holds a user name or a password")
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(address, "#"):
		return errors.New("the address holds a query (?) or a fragment (#)")
	}
	return nil
}
