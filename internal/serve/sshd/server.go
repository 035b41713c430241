// Package sshd is an SSH server that provides terminals to users with known keys. It refuses
// everything else: passwords, anonymous logins, commands, file transfer, forwarding, agents
// and X11.
//
// [Options.Show] decides what a terminal shows.
package sshd

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

	"wallboard/internal/lib/connlimit"
	"wallboard/internal/lib/sshlib"
)

// Limits on connections before and after the login.
const (
	bannerTime    = 3 * time.Second        // for the client's first line
	handshakeTime = 10 * time.Second       // for the whole handshake
	maxHandshakes = 64                     // at once
	maxOfAddress  = 8                      // handshakes of one address
	maxTries      = 6                      // keys offered on one connection; an agent offers several
	shellTime     = 10 * time.Second       // between the login and the start of the board
	aliveEvery    = 5 * time.Second        // between keepalive requests
	aliveTime     = 15 * time.Second       // for the answer to a keepalive request
	beatEvery     = time.Second            // between signs of life to clients that watch for them
	leaveTime     = 3 * time.Second        // for restoring the terminals when the server ends
	endTime       = 3 * time.Second        // for the goroutines of a closed connection
	againAfter    = 100 * time.Millisecond // pause after a failed accept
	maxRefused    = 32                     // refused requests and channels of one connection
)

// watchful is the version prefix of clients that watch for signs of life.
const watchful = "SSH-2.0-wallboard-view"

// ComeAgain is the exit status that tells a client to reconnect later: the server is
// stopping, has no room, or has seen too many logins.
const ComeAgain = 75

// Options configure a server. Log and Noted are optional.
type Options struct {
	HostKey ssh.Signer
	Access  Access
	// MaxViewers is the maximum number of sessions.
	MaxViewers int
	// Show runs a session until it or the context ends. A panic in Show ends only this
	// session.
	Show func(context.Context, *Session) error
	Log  *slog.Logger // nil: no log
	// Noted is called for each login, logout and refusal; nil: not called.
	Noted func(Event)
}

// Event is a login, a logout or a refusal.
type Event struct {
	What   string // login, logout, refused
	User   string // "": unknown
	Remote string
	Why    string
}

// Server is an SSH server. It is safe for concurrent use.
type Server struct {
	o      Options
	config *ssh.ServerConfig
	tries  *tries

	mu       sync.Mutex
	access   Access
	sessions map[uint64]*Session
	last     uint64
	logins   map[string]*logins // by account

	beginning *connlimit.Connections // connections that have not logged in
}

// New returns a server. It starts with [Server.Serve].
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Noted == nil {
		o.Noted = func(Event) {}
	}
	s := &Server{o: o, access: o.Access, sessions: make(map[uint64]*Session), logins: make(map[string]*logins), beginning: connlimit.New(maxOfAddress, maxHandshakes), tries: newTries(time.Now)}
	s.config = &ssh.ServerConfig{
		MaxAuthTries: maxTries, ServerVersion: "SSH-2.0-wallboard",
		PublicKeyCallback:       s.whose,
		PublicKeyAuthAlgorithms: algorithms(),
	}
	sshlib.Modern(&s.config.Config)
	s.config.AddHostKey(o.HostKey)
	return s
}

// Serve accepts connections until the context ends. Then it closes the listener, ends all
// connections and waits for them, at most leaveTime plus endTime. It returns an error only if
// the listener is closed before the context ends.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer waitFor(&all, leaveTime+endTime)
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
			s.o.Log.Warn("a connection could not be taken", "error", err) // too many open files, or the client gave up
			pause(ctx, againAfter)
			continue
		}
		host := hostOf(conn)
		if !s.tries.may(connlimit.Network(host)) {
			_ = conn.Close()
			continue
		}
		begun, ok := s.beginning.Add(conn, host)
		if !ok {
			_ = conn.Close() // too many handshakes
			continue
		}
		all.Go(func() { s.connection(ctx, conn, host, begun) })
	}
}

// waitFor waits until all goroutines end, but at most for a time: the library may still use
// a connection after it is closed.
func waitFor(all *sync.WaitGroup, most time.Duration) {
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	late := time.NewTimer(most)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	}
}

// pause waits for a duration, or until the context ends.
func pause(ctx context.Context, d time.Duration) {
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

// connection serves a connection until it ends. It calls begun after the handshake.
func (s *Server) connection(ctx context.Context, conn net.Conn, host string, begun func()) {
	defer conn.Close()                    //nolint:errcheck // it may be closed already
	defer context.AfterFunc(ctx, func() { // sessions end first
		time.AfterFunc(leaveTime, func() { _ = conn.Close() })
	})()
	c, channels, requests, err := sshlib.Accept(conn, s.config, bannerTime, handshakeTime)
	begun()
	if err != nil {
		s.tries.failed(connlimit.Network(host))
		s.o.Noted(Event{What: "refused", Remote: host, Why: reason(err)})
		s.o.Log.Info("nobody let in", "from", host, "why", reason(err))
		return
	}
	name := c.Permissions.Extensions[userExtension]
	left, ok, soon := s.arrive(name)
	defer left()
	if soon {
		s.tries.failed(connlimit.Network(host))
	}
	x := &link{
		server: s, conn: c, raw: conn, host: host, name: name, key: c.Permissions.Extensions[keyExtension],
		until: expiry(c.Permissions), soon: soon,
	}
	if !ok {
		sshlib.Refuse(c, channels, requests)
		return
	}
	x.run(ctx, channels, requests)
}

// reason describes why a login failed, without text from the client.
func reason(err error) string {
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

// Allow replaces the access list. It ends the sessions of accounts that were removed or
// changed, and those that use a key that is no longer known.
func (s *Server) Allow(a Access) {
	s.mu.Lock()
	s.access = a
	var over []*Session
	for _, x := range s.sessions {
		now := a.account(x.Account.Name)
		if now == nil || !now.same(&x.Account) || !a.knows(now, x.key) {
			over = append(over, x)
		}
	}
	s.mu.Unlock()
	for _, x := range over {
		x.end("You are no longer allowed here as you came in.")
	}
}

// Sessions returns the current sessions, the oldest first.
func (s *Server) Sessions() []*Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*Session, 0, len(s.sessions))
	for _, id := range slices.Sorted(maps.Keys(s.sessions)) {
		out = append(out, s.sessions[id])
	}
	return out
}

// Kick ends the sessions of a user and returns their number.
func (s *Server) Kick(name string) int {
	n := 0
	for _, x := range s.Sessions() {
		if x.Account.Name == name {
			x.end("An administrator has ended your session.")
			n++
		}
	}
	return n
}

// noRoom is the message for a viewer who exceeds MaxViewers.
const noRoom = "There are as many viewers as this server takes. Try again later."

// add registers a session and copies the account to it. If the session is refused, add
// returns the reason.
func (s *Server) add(x *Session) (why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.access.account(x.Account.Name)
	mine, others := 0, 0
	for _, other := range s.sessions {
		if other.Account.Name == x.Account.Name {
			mine++
		}
		if !other.Account.Admin {
			others++
		}
	}
	switch {
	case now == nil || !s.access.knows(now, x.key):
		return "You are no longer allowed here."
	case len(s.sessions) >= s.o.MaxViewers, !now.Admin && others >= s.room():
		return noRoom
	case now.Sessions > 0 && mine >= now.Sessions:
		return "You have as many sessions as you may have. End one of them."
	}
	x.Account = *now
	s.last++
	x.ID = s.last
	s.sessions[x.ID] = x
	return ""
}

func (s *Server) remove(x *Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, x.ID)
}
