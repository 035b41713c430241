package sshterminal

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net"
	"slices"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"wallboard/internal/lib/netconn"
)

// Limits on connections before and after the login.
const (
	bannerTimeout           = 3 * time.Second        // for the first line from the client
	handshakeTimeout        = 10 * time.Second       // for the whole handshake
	maxHandshakes           = 64                     // handshakes at the same time
	maxHandshakesPerAddress = 8                      // handshakes of one address at the same time
	maxOfferedKeys          = 6                      // keys offered on one connection; an agent offers several
	shellTimeout            = 10 * time.Second       // between the login and the start of the board
	keepaliveInterval       = 5 * time.Second        // between keepalive requests
	keepaliveTimeout        = 15 * time.Second       // for the answer to a keepalive request
	heartbeatInterval       = time.Second            // between signs of life to clients of this program
	restoreTimeout          = 3 * time.Second        // for restoring the terminals before the server ends
	endTimeout              = 3 * time.Second        // for the goroutines of a closed connection to end
	acceptRetryDelay        = 100 * time.Millisecond // pause after an accept that failed
	maxRefusedRequests      = 32                     // refused requests and channels of one connection
	failedLoginBurst        = 8                      // failed logins from an address at once
	failedLoginRate         = 4                      // failed logins that an address regains per second
)

// ExitReconnect is the exit status that asks the client to reconnect later. The server sends
// it when it stops, when it has reached MaxViewers, and when the account logs in too often.
const ExitReconnect = 75

// Options configures a server. Log and OnEvent are optional.
type Options struct {
	HostKey ssh.Signer
	Access  Access
	// MaxViewers is the maximum number of simultaneous sessions.
	MaxViewers int
	// RunSession runs the board of a session until the session or the context ends. A panic in
	// RunSession ends only this session.
	RunSession func(context.Context, *Session) error
	Log        *slog.Logger // nil: no log
	// OnEvent is called for each login, logout and refusal. It may be nil.
	OnEvent func(Event)

	noLoginTimeouts bool // no time limits before the login; for tests
}

// Event is a login, a logout or a refusal.
type Event struct {
	Kind   string // login, logout, refused
	User   string // name of the account; "" if unknown
	Remote string
	Reason string
}

// Server is an SSH server that provides terminals. It is safe for concurrent use.
type Server struct {
	options      Options
	config       *ssh.ServerConfig
	failedLogins *netconn.Failures

	mu       sync.Mutex
	access   Access
	sessions map[uint64]*Session
	lastID   uint64
	logins   map[string]*loginCounts // by account

	handshakeLimiter *netconn.Limiter // connections that have not logged in yet
}

// New returns a server. It accepts no connections until [Server.Serve] is called.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.OnEvent == nil {
		o.OnEvent = func(Event) {}
	}
	s := &Server{options: o, access: o.Access, sessions: make(map[uint64]*Session), logins: make(map[string]*loginCounts), handshakeLimiter: netconn.NewLimiter(maxHandshakesPerAddress, maxHandshakes), failedLogins: netconn.NewFailures(failedLoginBurst, failedLoginRate, time.Now)}
	s.config = &ssh.ServerConfig{
		MaxAuthTries: maxOfferedKeys, ServerVersion: "SSH-2.0-wallboard",
		PublicKeyCallback:       s.permissionsFor,
		PublicKeyAuthAlgorithms: signatureAlgorithms(),
	}
	setAlgorithms(&s.config.Config)
	s.config.AddHostKey(o.HostKey)
	return s
}

// Serve accepts connections until ctx ends. Then it closes the listener, ends all connections,
// and waits for them for up to restoreTimeout plus endTimeout. It returns an error only if the
// listener was closed before ctx ended.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	var connections sync.WaitGroup
	defer waitWithTimeout(&connections, restoreTimeout+endTimeout)
	defer cancel()
	defer context.AfterFunc(ctx, func() { _ = l.Close() })()
	for {
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			if errors.Is(err, net.ErrClosed) {
				return err
			}
			s.options.Log.Warn("cannot accept a connection", "error", err) // too many open files, or the client has disconnected
			sleepContext(ctx, acceptRetryDelay)
			continue
		}
		host := hostOf(conn)
		if !s.failedLogins.Allows(host) {
			_ = conn.Close()
			continue
		}
		handshakeDone, ok := s.handshakeLimiter.Add(conn, host)
		if !ok {
			_ = conn.Close() // too many handshakes at the same time
			continue
		}
		connections.Go(func() { s.serveConnection(ctx, conn, host, handshakeDone) })
	}
}

// waitWithTimeout waits until all goroutines have ended or timeout has passed. The limit is
// needed because the library may use a connection for some time after it was closed.
func waitWithTimeout(goroutines *sync.WaitGroup, timeout time.Duration) {
	done := make(chan struct{})
	go func() { goroutines.Wait(); close(done) }()
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}

// sleepContext waits for a duration, or until the context ends.
func sleepContext(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

func hostOf(conn net.Conn) string {
	host, _, err := net.SplitHostPort(conn.RemoteAddr().String())
	if err != nil {
		return conn.RemoteAddr().String()
	}
	return host
}

// serveConnection serves a connection until it ends. It calls handshakeDone after the
// handshake, even if the handshake failed.
func (s *Server) serveConnection(ctx context.Context, conn net.Conn, host string, handshakeDone func()) {
	defer conn.Close()                    //nolint:errcheck // it may be closed already
	defer context.AfterFunc(ctx, func() { // give the sessions time to restore the terminals
		time.AfterFunc(restoreTimeout, func() { _ = conn.Close() })
	})()
	banner, handshake := bannerTimeout, handshakeTimeout
	if s.options.noLoginTimeouts {
		banner, handshake = time.Hour, time.Hour
	}
	c, channels, requests, err := acceptConn(conn, s.config, banner, handshake)
	handshakeDone()
	if err != nil {
		s.failedLogins.Count(host)
		s.options.OnEvent(Event{Kind: "refused", Remote: host, Reason: refusalReason(err)})
		s.options.Log.Info("login refused", "from", host, "why", refusalReason(err))
		return
	}
	name := c.Permissions.Extensions[userExtension]
	release, ok, tooOften := s.countLogin(name)
	defer release()
	if tooOften {
		s.failedLogins.Count(host)
	}
	authenticated := &authenticatedConn{
		server: s, conn: c, netConn: conn, host: host, name: name, key: c.Permissions.Extensions[keyExtension],
		certificateExpiry: certificateExpiry(c.Permissions), logsInTooOften: tooOften,
	}
	if !ok {
		refuseChannels(c, channels, requests)
		return
	}
	authenticated.serve(ctx, channels, requests)
}

// refusalReason describes why a login failed, without text from the client.
func refusalReason(err error) string {
	var auth *ssh.ServerAuthError
	var ne net.Error
	switch {
	case errors.As(err, &auth):
		return "no key that is known here"
	case errors.As(err, &ne) && ne.Timeout():
		return "the handshake took too long"
	}
	return "no SSH, or given up"
}

// SetAccess replaces the list of users who may log in. It ends the sessions of accounts that
// were removed or whose access has changed, and the sessions whose key or authority is no
// longer accepted.
func (s *Server) SetAccess(a Access) {
	s.mu.Lock()
	s.access = a
	ended := make(map[*Session]string)
	for _, x := range s.sessions {
		switch account := a.accountNamed(x.Account.Name); {
		case account == nil || !a.allowsKey(account, x.key):
			ended[x] = "Your key or certificate is no longer accepted."
		case !account.hasSameAccess(&x.Account):
			ended[x] = "Your access or your login on the platform has changed. Log in again."
		}
	}
	s.mu.Unlock()
	for x, reason := range ended {
		x.end(reason)
	}
}

// Sessions returns the current sessions, oldest first.
func (s *Server) Sessions() []*Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*Session, 0, len(s.sessions))
	for _, id := range slices.Sorted(maps.Keys(s.sessions)) {
		out = append(out, s.sessions[id])
	}
	return out
}

// EndSessionsOf ends all sessions of an account and returns their number.
func (s *Server) EndSessionsOf(name string) int {
	n := 0
	for _, x := range s.Sessions() {
		if x.Account.Name == name {
			x.end("An administrator has ended your session.")
			n++
		}
	}
	return n
}

// serverFullMessage is the message for a viewer when MaxViewers is reached.
const serverFullMessage = "The server has reached its maximum number of viewers. Try again later."

// addSession registers the session x and sets its account and ID. If the session must be
// refused, reason is a sentence with the reason, otherwise "".
func (s *Server) addSession(x *Session) (reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	account := s.access.accountNamed(x.Account.Name)
	own, others := 0, 0
	for _, other := range s.sessions {
		if other.Account.Name == x.Account.Name {
			own++
		}
		if !other.Account.Admin {
			others++
		}
	}
	switch {
	case account == nil || !s.access.allowsKey(account, x.key):
		return "You no longer have access."
	case len(s.sessions) >= s.options.MaxViewers, !account.Admin && others >= s.sessionLimit():
		return serverFullMessage
	case account.MaxSessions > 0 && own >= account.MaxSessions:
		return "You have reached your maximum number of sessions. End one of them."
	}
	x.Account = *account
	s.lastID++
	x.ID = s.lastID
	s.sessions[x.ID] = x
	return ""
}

func (s *Server) removeSession(x *Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, x.ID)
}
