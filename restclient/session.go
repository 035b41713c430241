package restclient

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"wallboard/model/resource"
)

// Session sends the requests of every subject: it knows where an operation is,
// of which edition the platform is, and logs in when that is needed.
type Session struct {
	wire    wire
	auth    *auth
	paths   map[resource.Operation]string // of the configuration
	routes  routes
	version string // to log in with; "": the platform is asked

	life context.Context // ends with close
	end  context.CancelFunc
	wg   sync.WaitGroup

	pinned  bool       // the edition is configured
	mu      sync.Mutex // guards what follows
	edition Edition    // EditionAuto: not known yet
	note    string
}

// close ends a login under way and the connections that wait to be used again.
func (s *Session) close() {
	s.auth.mu.Lock() // no login begins after this
	s.end()
	s.auth.mu.Unlock()
	s.wg.Wait()
	s.wire.transports.close()
}

// String hides the session: it holds secrets.
func (*Session) String() string { return "restclient.Session" }

// GoString hides the session.
func (*Session) GoString() string { return "restclient.Session" }

// Format hides the session, whatever the verb.
func (s *Session) Format(f fmt.State, _ rune) {
	_, _ = f.Write([]byte(s.String())) // fmt's buffer cannot fail
}

// LogValue hides the session.
func (s *Session) LogValue() slog.Value { return slog.StringValue(s.String()) }
