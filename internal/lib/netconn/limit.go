package netconn

import (
	"io"
	"net"
	"net/netip"
	"sync"
	"time"
)

// Limiter limits the connections whose peers have not authenticated yet, so that no peer can
// occupy all places. Each address has a budget. If the total is reached, the oldest
// connection of the address with the most connections is closed. It is safe for concurrent
// use.
type Limiter struct {
	// Grace is how long a connection is safe from another one of its address, or of an
	// address that has as many: a burst of honest peers would only end each other otherwise.
	Grace time.Duration

	perAddress, total int
	now               func() time.Time

	mu        sync.Mutex
	addresses map[string][]*entry // the oldest first
	count     int
}

type entry struct {
	conn  io.Closer
	since time.Time
}

// defaultGrace is the default of [Limiter.Grace].
const defaultGrace = time.Second

// NewLimiter returns a limiter with limits for one address and for all of them.
func NewLimiter(perAddress, total int) *Limiter {
	return &Limiter{Grace: defaultGrace, perAddress: perAddress, total: total, now: time.Now, addresses: make(map[string][]*entry)}
}

// Add adds a connection, and closes another one if that takes its place. ok is false if
// there is no place; the caller closes conn then. done removes the connection
// again; it may be called more than once.
func (c *Limiter) Add(conn io.Closer, address string) (done func(), ok bool) {
	network := Network(address)
	e := &entry{conn, c.now()}
	c.mu.Lock()
	busiest, isFull := "", false
	switch {
	case len(c.addresses[network]) >= c.perAddress:
		busiest, isFull = network, true
	case c.count >= c.total:
		busiest, isFull = c.busiestAddress(), true
	}
	var closed *entry
	if isFull {
		closed = c.addresses[busiest][0]
		if isYoung := e.since.Sub(closed.since) < c.Grace; isYoung && len(c.addresses[busiest]) <= len(c.addresses[network])+1 {
			c.mu.Unlock()
			return nil, false
		}
		c.remove(busiest, closed)
	}
	c.addresses[network] = append(c.addresses[network], e)
	c.count++
	c.mu.Unlock()
	if closed != nil {
		_ = closed.conn.Close()
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.remove(network, e)
	}, true
}

// busiestAddress returns the address with the most connections. Of addresses with as many, it is
// the one with the oldest connection. The caller holds mu.
func (c *Limiter) busiestAddress() string {
	maxCount, oldest, address := 0, time.Time{}, ""
	for a, entries := range c.addresses {
		if n := len(entries); n > maxCount || n == maxCount && entries[0].since.Before(oldest) {
			maxCount, oldest, address = n, entries[0].since, a
		}
	}
	return address
}

// remove removes a connection if it is still there. The caller holds mu.
func (c *Limiter) remove(network string, e *entry) {
	entries := c.addresses[network]
	for i := range entries {
		if entries[i] != e {
			continue
		}
		c.count--
		if len(entries) == 1 {
			delete(c.addresses, network)
			return
		}
		remaining := make([]*entry, 0, len(entries)-1)
		c.addresses[network] = append(append(remaining, entries[:i]...), entries[i+1:]...)
		return
	}
}

// Len returns the number of pending connections.
func (c *Limiter) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count
}

// prefixBits is how much of an IPv6 address belongs to the network of one peer.
const prefixBits = 64

// Network returns what counts as one address: an IPv4 address, or the /64 of an IPv6
// address. The argument may have a port.
func Network(address string) string {
	host := address
	if h, _, err := net.SplitHostPort(address); err == nil {
		host = h
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if ip = ip.Unmap().WithZone(""); ip.Is4() {
		return ip.String()
	}
	return netip.PrefixFrom(ip, prefixBits).Masked().String()
}
