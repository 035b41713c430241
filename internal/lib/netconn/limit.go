package netconn

import (
	"io"
	"net"
	"net/netip"
	"sync"
	"time"
)

// Limiter limits the number of pending connections, per address and in total. It is safe for
// concurrent use.
type Limiter struct {
	// Grace is how old a connection must be before a new one may replace it. A younger connection
	// is replaced only if its address has at least two connections more than the address of the new
	// one. Without Grace, honest peers that connect at the same time would close each other's
	// connections.
	Grace time.Duration

	maxPerAddress, maxTotal int
	now                     func() time.Time

	mu        sync.Mutex
	byNetwork map[string][]*pendingConn // by network, oldest connection first
	count     int
}

type pendingConn struct {
	conn  io.Closer
	since time.Time
}

// defaultGrace is the default of [Limiter.Grace].
const defaultGrace = time.Second

// NewLimiter returns a Limiter that allows perAddress pending connections for each address and
// total pending connections altogether.
func NewLimiter(perAddress, total int) *Limiter {
	return &Limiter{Grace: defaultGrace, maxPerAddress: perAddress, maxTotal: total, now: time.Now, byNetwork: make(map[string][]*pendingConn)}
}

// Add adds a connection. If a limit is reached, Add closes an older connection to make room.
// If it may not close any, ok is false and the caller must close conn. done removes conn from
// the Limiter and may be called more than once.
func (c *Limiter) Add(conn io.Closer, address string) (done func(), ok bool) {
	network := CountedNetwork(address)
	e := &pendingConn{conn, c.now()}
	c.mu.Lock()
	busiest, isFull := "", false
	switch {
	case len(c.byNetwork[network]) >= c.maxPerAddress:
		busiest, isFull = network, true
	case c.count >= c.maxTotal:
		busiest, isFull = c.busiestNetwork(), true
	}
	var closed *pendingConn
	if isFull {
		closed = c.byNetwork[busiest][0]
		if isYoung := e.since.Sub(closed.since) < c.Grace; isYoung && len(c.byNetwork[busiest]) <= len(c.byNetwork[network])+1 {
			c.mu.Unlock()
			return nil, false
		}
		c.remove(busiest, closed)
	}
	c.byNetwork[network] = append(c.byNetwork[network], e)
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

// busiestNetwork returns the network with the most connections. If several networks have the
// same number, it returns the one with the oldest connection. The caller holds mu.
func (c *Limiter) busiestNetwork() string {
	maxCount, oldest, address := 0, time.Time{}, ""
	for a, entries := range c.byNetwork {
		if n := len(entries); n > maxCount || n == maxCount && entries[0].since.Before(oldest) {
			maxCount, oldest, address = n, entries[0].since, a
		}
	}
	return address
}

// remove removes a connection from a network, unless it has already been removed. The caller
// holds mu.
func (c *Limiter) remove(network string, e *pendingConn) {
	entries := c.byNetwork[network]
	for i := range entries {
		if entries[i] != e {
			continue
		}
		c.count--
		if len(entries) == 1 {
			delete(c.byNetwork, network)
			return
		}
		remaining := make([]*pendingConn, 0, len(entries)-1)
		c.byNetwork[network] = append(append(remaining, entries[:i]...), entries[i+1:]...)
		return
	}
}

// Len returns the number of pending connections.
func (c *Limiter) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count
}

// prefixBits is the length, in bits, of the IPv6 prefix that [Limiter] treats as one address.
const prefixBits = 64

// CountedNetwork returns the network by which [Limiter] counts the connections of an address: the
// IPv4 address itself, the /64 network of an IPv6 address, or the host if it is not an IP
// address. The address may have a port.
func CountedNetwork(address string) string {
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
