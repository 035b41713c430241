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

	"wallboard/internal/lib/secret"
	"wallboard/model/contact"
)

// Options configures a [Client].
type Options struct {
	URL    string      // {datamodel_base} of document 3, without /query
	APIKey secret.Text // for the header X-Vendor-APIKey
	TLS    *tls.Config
	// Timeout limits the duration of a request, not counting the wait for the budget. 0 means 30 s.
	Timeout time.Duration
	Now     func() time.Time
	// Location is the time zone in which days and hours begin. nil means time.Local.
	Location *time.Location
	// Holidays are left out of typical values and heat maps.
	Holidays contact.Holidays

	CacheDir   string // "": answers are cached only in memory
	CacheSize  int64  // maximum size of the cache in bytes, on disk and in memory; 0 means 32 MiB
	BudgetFile string // "": the budget is not shared with other programs
	// Batch is the maximum number of counts per request. 0 means 100. Use 1 for a server that
	// does not support aliases; the client also detects such a server by itself.
	Batch int

	// Names maps operations, as in [Operations], to their names on this server. An entry is
	// needed if document 3 does not name the operation or the server uses another name.
	Names map[string]string
	// Groups maps additional values of groupBy to the objects by which they group. A value consists
	// of the type, the type's ID field and its name field, such as "Service code name".
	Groups map[string]string

	Logger *slog.Logger // nil: nothing is logged
	// DialContext connects to the platform. nil means over the network. Tests set it.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
}

// MaxBatch is the largest valid value of Options.Batch.
const MaxBatch = 100

// Defaults of the options.
const (
	defaultTimeout   = 30 * time.Second
	defaultCacheSize = 32 << 20
)

// graphqlName matches the token Name of the GraphQL grammar.
var graphqlName = regexp.MustCompile(`^[_A-Za-z][_0-9A-Za-z]*$`)

// check returns an error that lists all invalid options.
func (o *Options) check() error {
	errs := []error{checkURL(o.URL)}
	if o.APIKey.IsZero() {
		errs = append(errs, errors.New("the API key is missing"))
	}
	if strings.ContainsFunc(o.APIKey.Reveal(), func(r rune) bool { return r <= ' ' || r > '~' }) {
		errs = append(errs, errors.New("the API key contains characters that are invalid in a header"))
	}
	if o.Timeout < 0 || o.CacheSize < 0 {
		errs = append(errs, errors.New("the timeout or the cache size is negative"))
	}
	if o.Batch < 0 || o.Batch > MaxBatch {
		errs = append(errs, fmt.Errorf("counts per request: want 1 to %d", MaxBatch))
	}
	for op, name := range o.Names {
		if _, ok := defaultNames()[op]; !ok {
			errs = append(errs, fmt.Errorf("%q is not an operation of the statistical data service", op))
		} else if !graphqlName.MatchString(name) {
			errs = append(errs, fmt.Errorf("the name of %s is not a GraphQL name", op))
		}
	}
	for by, entity := range o.Groups {
		if _, err := parseEntity(entity); err != nil || !graphqlName.MatchString(by) {
			errs = append(errs, fmt.Errorf(`grouping by %q: want a type, its field for the id and its field for the name, as in "Service code name"`, by))
		}
	}
	return errors.Join(errs...)
}

// checkURL returns an error if an address is invalid. The error does not contain the address,
// because it may contain a password.
func checkURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Scheme != "https" && u.Scheme != "http", u.Hostname() == "":
		return errors.New("the address must be like https://host/path")
	case u.User != nil:
		return errors.New("the address contains a username or password")
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(address, "#"):
		return errors.New("the address contains a query (?) or a fragment (#)")
	}
	return nil
}
