package proof_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// network is an in-memory network with the connection faults of the schedule. Its
// methods are safe for concurrent use.
type network struct {
	mu    sync.Mutex
	rng   *rand.Rand
	dial  func(ctx context.Context, network, addr string) (net.Conn, error)
	wires map[*wire]struct{}
	until time.Time // connections are refused until then
	slow  time.Time // until then, data passes one byte at a time
	pumps sync.WaitGroup
}

func newNetwork(seed uint64) *network {
	return &network{rng: rand.New(rand.NewPCG(seed, 2)), wires: make(map[*wire]struct{})}
}

// connectTo connects the network to another platform, after a restart.
func (n *network) connectTo(dial func(ctx context.Context, network, addr string) (net.Conn, error)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.dial = dial
}

// DialContext connects through the network.
func (n *network) DialContext(ctx context.Context, kind, addr string) (net.Conn, error) {
	n.mu.Lock()
	dial, dead := n.dial, time.Now().Before(n.until)
	n.mu.Unlock()
	if dead {
		return nil, errors.New("no route to host")
	}
	server, err := dial(ctx, kind, addr)
	if err != nil {
		return nil, err
	}
	client, inside := net.Pipe()
	w := &wire{network: n, client: inside, server: server, gone: make(chan struct{}), cutDown: -1, cutUp: -1}
	n.mu.Lock()
	n.wires[w] = struct{}{}
	n.mu.Unlock()
	n.pumps.Go(func() { w.pump(inside, server, &w.cutUp, nil) })
	n.pumps.Go(func() { w.pump(server, inside, &w.cutDown, &w.last) })
	return client, nil
}

// close ends every connection.
func (n *network) close() {
	n.each((*wire).close)
	n.pumps.Wait()
}

// each calls f for every connection.
func (n *network) each(f func(*wire)) {
	n.mu.Lock()
	wires := make([]*wire, 0, len(n.wires))
	for w := range n.wires {
		wires = append(wires, w)
	}
	n.mu.Unlock()
	for _, w := range wires {
		f(w)
	}
}

// unreachable refuses connections for d.
func (n *network) unreachable(d time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.until = time.Now().Add(d)
}

// trickle passes one byte at a time for d.
func (n *network) trickle(d time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.slow = time.Now().Add(d)
}

// piece returns how many of size bytes pass together and how long they take. It
// splits frames at random.
func (n *network) piece(size int) (int, time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if time.Now().Before(n.slow) {
		return 1, time.Microsecond
	}
	if n.rng.IntN(4) > 0 {
		return size, 0
	}
	return 1 + n.rng.IntN(size), 0
}

// wire is a connection.
type wire struct {
	network        *network
	client, server net.Conn
	once           sync.Once
	gone           chan struct{} // closed with the connection

	mu      sync.Mutex
	held    time.Time // nothing passes until then
	dead    bool      // nothing passes any more, and neither end notices this
	cutUp   int       // bytes towards the server until the cut; -1 means no cut
	cutDown int       // bytes towards the client until the cut
	last    []byte    // last bytes for the client at the cut
}

// pump copies bytes from one end to the other.
func (w *wire) pump(from, to net.Conn, cut *int, last *[]byte) {
	defer w.close()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		for sent := 0; sent < n; {
			size, pause := w.network.piece(n - sent)
			part, broken := w.pass(buf[sent:sent+size], cut, last)
			if _, err := to.Write(part); err != nil || broken {
				return
			}
			sent += size
			if pause > 0 && !w.wait(pause) {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// pass returns the part of b that passes, and whether the connection is cut then.
func (w *wire) pass(b []byte, cut *int, last *[]byte) ([]byte, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for wait := time.Until(w.held); wait > 0 || w.dead; wait = time.Until(w.held) {
		if w.dead {
			return nil, false
		}
		w.mu.Unlock()
		open := w.wait(wait)
		w.mu.Lock()
		if !open {
			return nil, true
		}
	}
	if *cut < 0 || len(b) < *cut {
		*cut = max(*cut-len(b), -1)
		return b, false
	}
	b = b[:*cut]
	if last != nil {
		b = append(append([]byte(nil), b...), *last...)
	}
	return b, true
}

// wait returns false if the connection ends first.
func (w *wire) wait(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-w.gone:
		return false
	}
}

func (w *wire) close() {
	w.once.Do(func() { close(w.gone) })
	_ = w.client.Close()
	_ = w.server.Close()
	w.network.mu.Lock()
	defer w.network.mu.Unlock()
	delete(w.network.wires, w)
}

// hold delays everything for d without loss.
func (w *wire) hold(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = time.Now().Add(d)
}

// halfOpen makes a half-open connection: data vanishes and neither end notices.
func (w *wire) halfOpen() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dead = true
}

// breakAfter cuts the connection after a number of bytes in one direction. If last
// is not empty the client receives it before the cut.
func (w *wire) breakAfter(bytes int, towardsServer bool, last []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if towardsServer {
		w.cutUp = bytes
		return
	}
	w.cutDown, w.last = bytes, last
}

// closeFrame returns a WebSocket close frame with a code.
func closeFrame(code int) []byte { return []byte{0x88, 2, byte(code >> 8), byte(code)} }
