package rtd

import "sync"

// sockets are the open WebSockets, and the goroutines that somebody waits for.
// It is safe for concurrent use.
type sockets struct {
	wg sync.WaitGroup

	mu   sync.Mutex // guards what follows
	open map[*conn]struct{}
	over bool
}

// register adds a connection unless the service has ended.
func (s *sockets) register(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return false
	}
	s.wg.Add(1)
	s.open[c] = struct{}{}
	return true
}

// track runs f in a goroutine that is waited for, unless the service has ended.
func (s *sockets) track(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.wg.Go(f)
	}
}

func (s *sockets) unregister(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, c)
	s.wg.Done()
}

func (s *sockets) all() []*conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	conns := make([]*conn, 0, len(s.open))
	for c := range s.open {
		conns = append(conns, c)
	}
	return conns
}

// shut lets no connection in any more.
func (s *sockets) shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
}
