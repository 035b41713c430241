package restclient

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"wallboard/model/resource"
)

// Client speaks with one platform for one user.
type Client struct {
	base       string // {base_url}, without a slash at its end
	paths      map[resource.Operation]string
	version    string
	timeout    time.Duration
	transports transports
	auth       *auth
	routes     routes
	log        *slog.Logger
	now        func() time.Time
	jitter     func() float64 // in [0,1)

	life context.Context // ends with Close
	end  context.CancelFunc
	wg   sync.WaitGroup

	pinned  bool       // the edition is configured
	mu      sync.Mutex // guards what follows
	edition Edition    // EditionAuto: not known yet
	note    string
}

// New returns a client. It sends nothing; its error tells everything that is
// wrong with the options.
func New(o Options) (*Client, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("restclient: %w", err)
	}
	c := &Client{
		base:    strings.TrimRight(o.URL, "/"),
		paths:   maps.Clone(o.Paths),
		version: o.Version, timeout: o.Timeout,
		transports: newTransports(&o),
		log:        o.Logger, now: o.Now, jitter: rand.Float64,
		pinned: o.Edition == Edition102 || o.Edition == Edition140, edition: EditionAuto,
	}
	if c.pinned {
		c.edition = o.Edition
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	if c.now == nil {
		c.now = time.Now
	}
	c.auth = newAuth(&o, c.now)
	c.life, c.end = context.WithCancel(context.Background())
	return c, nil
}

// Close ends a login under way and the connections that wait to be used
// again. Requests under way are left to their contexts.
func (c *Client) Close() {
	c.auth.mu.Lock() // no login begins after this
	c.end()
	c.auth.mu.Unlock()
	c.wg.Wait()
	c.transports.close()
}

// String hides the client: it holds secrets.
func (*Client) String() string { return "restclient.Client" }

// GoString hides the client.
func (*Client) GoString() string { return "restclient.Client" }

// Format hides the client, whatever the verb.
func (c *Client) Format(f fmt.State, _ rune) {
	_, _ = f.Write([]byte(c.String())) // fmt's buffer cannot fail
}

// LogValue hides the client.
func (c *Client) LogValue() slog.Value { return slog.StringValue(c.String()) }
