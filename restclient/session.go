package restclient

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"wallboard/model/resource"
)

// Session sends the requests of all subjects. It knows the paths and the platform's edition,
// and logs in when necessary.
type Session struct {
	sender     requestSender
	auth       *auth
	paths      map[resource.Operation]string // from the configuration
	movedPaths movedPaths
	version    string // for logins; "": ask the platform

	loginContext context.Context // context of all logins; canceled by close
	cancelLogins context.CancelFunc
	wg           sync.WaitGroup

	editionPinned bool       // the edition is configured
	mu            sync.Mutex // guards the fields below
	edition       Edition    // EditionAuto: not known yet
}

// close cancels a running login, waits for its end and closes idle connections.
func (s *Session) close() {
	s.auth.mu.Lock() // prevents logins from starting after the close
	s.cancelLogins()
	s.auth.mu.Unlock()
	s.wg.Wait()
	s.sender.transports.close()
}

// String returns a constant string, because a session holds secrets.
func (*Session) String() string { return "restclient.Session" }

// GoString returns a constant string, because a session holds secrets.
func (*Session) GoString() string { return "restclient.Session" }

// Format implements [fmt.Formatter]. It never prints secrets.
func (s *Session) Format(f fmt.State, _ rune) {
	_, _ = f.Write([]byte(s.String())) // writing to fmt's buffer cannot fail
}

// LogValue implements [slog.LogValuer]. The result contains no secrets.
func (s *Session) LogValue() slog.Value { return slog.StringValue(s.String()) }
