package history

import (
	"cmp"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"time"

	"wallboard/internal/lib/secret"
	"wallboard/model/contact"
)

// Client reads the statistical data of a platform. It is safe for concurrent use.
type Client struct {
	transport     *transport
	location      *time.Location
	holidays      contact.Holidays
	now           func() time.Time
	log           *slog.Logger
	cache         *cache
	names         map[string]string
	entityByGroup map[string]groupedType

	mu        sync.Mutex // guards the fields below
	batchSize int        // maximum number of queries per request; reduced if the server rejects it
	pageLimit int        // maximum number of rows per page; reduced if the server rejects it
	pending   map[string]*pendingQuery
}

// New returns a client without sending a request. The error lists all invalid options.
func New(o Options) (*Client, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	c := &Client{
		batchSize: cmp.Or(o.Batch, MaxBatch), pageLimit: maxPage, location: o.Location, holidays: o.Holidays, now: o.Now, log: o.Logger,
		names: defaultNames(), entityByGroup: make(map[string]groupedType), pending: make(map[string]*pendingQuery),
	}
	if c.location == nil {
		c.location = time.Local
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	maps.Copy(c.names, o.Names)
	for by, text := range o.Groups {
		c.entityByGroup[by], _ = parseEntity(text) // cannot fail, because the options were checked before
	}
	c.transport = &transport{
		url: strings.TrimRight(o.URL, "/") + "/query", key: o.APIKey, timeout: cmp.Or(o.Timeout, defaultTimeout),
		now: c.now, log: c.log, http: newTransport(&o), budget: &budget{path: o.BudgetFile, now: c.now, log: c.log},
	}
	c.cache = newCache(o.CacheDir, cmp.Or(o.CacheSize, defaultCacheSize), c.transport.url+"\x00"+o.APIKey.Reveal(), c.now, c.log)
	return c, nil
}

// Close closes idle connections. It does not end running requests, which end with their contexts.
func (c *Client) Close() { c.transport.http.CloseIdleConnections() }

// Location returns the time zone in which days and hours begin.
func (c *Client) Location() *time.Location { return c.location }

// Budget returns the used part of the platform's rate limit.
func (c *Client) Budget() contact.Budget { return c.transport.budget.usage() }

// SetKey sets the API key for further requests, for example after the key was renewed. It
// keeps cached answers, and forgets the result of the last request.
func (c *Client) SetKey(key secret.Text) { c.transport.setKey(key) }

// LastResult returns the error of the last request, or nil if it was answered. asked is false if no
// request was sent since the client was created or got a new key. LastResult does not block.
func (c *Client) LastResult() (last error, asked bool) { //nolint:revive // not an error of State's
	return c.transport.lastResult()
}
