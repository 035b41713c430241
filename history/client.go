package history

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"time"

	"wallboard/model/past"
	"wallboard/secret"
)

// Client reads from one platform.
type Client struct {
	wire   *wire
	loc    *time.Location
	now    func() time.Time
	log    *slog.Logger
	cache  *cache
	names  map[string]string
	groups map[string]entity

	mu      sync.Mutex // guards what follows
	batch   int        // fields per request that the server is believed to bear
	page    int        // rows per page, likewise
	flights map[string]*flight
}

// New returns a client. It sends nothing; its error tells everything that is
// wrong with the options.
func New(o Options) (*Client, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	c := &Client{
		batch: cmp.Or(o.Batch, MaxBatch), page: maxPage, loc: o.Location, now: o.Now, log: o.Logger,
		names: defaultNames(), groups: make(map[string]entity), flights: make(map[string]*flight),
	}
	if c.loc == nil {
		c.loc = time.Local
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	maps.Copy(c.names, o.Names)
	for by, text := range o.Groups {
		c.groups[by], _ = parseEntity(text) // check has seen to it
	}
	c.wire = &wire{
		url: strings.TrimRight(o.URL, "/") + "/query", key: o.APIKey, timeout: cmp.Or(o.Timeout, defaultTimeout),
		now: c.now, log: c.log, http: newTransport(&o), budget: &budget{path: o.BudgetFile, now: c.now, log: c.log},
	}
	c.cache = newCache(o.CacheDir, cmp.Or(o.CacheSize, defaultCacheSize), c.wire.url+"\x00"+o.APIKey.Reveal(), c.now, c.log)
	return c, nil
}

// Close closes the connections that wait to be used again. Requests under way
// are left to their contexts.
func (c *Client) Close() { c.wire.http.CloseIdleConnections() }

// Location returns the time zone of days and hours.
func (c *Client) Location() *time.Location { return c.loc }

// Budget returns how much of the platform's limit of requests is used.
func (c *Client) Budget() past.Budget { return c.wire.budget.state() }

// SetKey has everything that is asked from now on go by another API key, one that was
// renewed. Answers that are kept stay.
func (c *Client) SetKey(key secret.Text) { c.wire.setKey(key) }

// State returns what became of the last request: asked is false before the
// first. It returns at once.
func (c *Client) State() (last error, asked bool) { //nolint:revive // not an error of State's
	return c.wire.state()
}

// String hides the client: it holds the key.
func (*Client) String() string { return "history.Client" }

// GoString hides the client.
func (*Client) GoString() string { return "history.Client" }

// Format hides the client, whatever the verb.
func (c *Client) Format(f fmt.State, _ rune) {
	_, _ = f.Write([]byte(c.String())) // fmt's buffer cannot fail
}

// LogValue hides the client.
func (c *Client) LogValue() slog.Value { return slog.StringValue(c.String()) }
