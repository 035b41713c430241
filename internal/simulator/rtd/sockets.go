package rtd

import (
	"sync"

	"wallboard/internal/simulator/webservice"
)

// sockets holds the open WebSockets and counts the goroutines of the service. It is safe for
// concurrent use.
type sockets struct {
	wg sync.WaitGroup

	mu        sync.Mutex // guards the fields below
	conns     map[*conn]struct{}
	isStopped bool
}

// register adds a connection. It returns false if the service was stopped.
func (s *sockets) register(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isStopped {
		return false
	}
	s.wg.Add(1)
	s.conns[c] = struct{}{}
	return true
}

// runTracked runs f in a new goroutine for which [Service.Wait] waits. It does nothing if the
// service was stopped.
func (s *sockets) runTracked(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isStopped {
		s.wg.Go(f)
	}
}

func (s *sockets) unregister(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	s.wg.Done()
}

func (s *sockets) openConns() []*conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	conns := make([]*conn, 0, len(s.conns))
	for c := range s.conns {
		conns = append(conns, c)
	}
	return conns
}

// stop makes later calls of register fail and later calls of runTracked do nothing.
func (s *sockets) stop() { webservice.SetLocked(&s.mu, &s.isStopped, true) }
