// Package sshd lets people with a key in, over SSH, and gives them a terminal:
// nothing else. There is no password, no one without a name, no command, file
// transfer, forwarding, agent or X11; what is not named here is refused.
//
// What a terminal is good for is not known here: see [Options.Show].
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

// The bounds of what comes before and after somebody has shown who they are.
const (
	bannerTime    = 3 * time.Second  // for the first line of a client
	handshakeTime = 10 * time.Second // for all of it
	maxHandshakes = 64               // at once
	maxOfAddress  = 8                // of them
	maxTries      = 6                // keys that one connection may show: an agent offers several
	shellTime     = 10 * time.Second // from the login to a terminal
	aliveEvery    = 5 * time.Second
	aliveTime     = 15 * time.Second       // without an answer
	beatEvery     = time.Second            // signs of life to clients that look out for them
	leaveTime     = 3 * time.Second        // for putting terminals back when the server ends
	endTime       = 3 * time.Second        // for the goroutines of a connection that is closed
	againAfter    = 100 * time.Millisecond // a connection that could not be taken
	maxRefused    = 32                     // requests and channels, then the connection ends
)

// watchful is how clients call themselves that look out for signs of life.
const watchful = "SSH-2.0-wallboard-view"

// ComeAgain is the exit status of a session that may come again by itself: the server
// ends, or there is no room.
const ComeAgain = 75

// Options say who may come in. All but Authorities, Log and Limits are needed.
type Options struct {
	HostKey ssh.Signer
	Access  Access
	// MaxViewers is how many may be there at once.
	MaxViewers int
	// Show shows something on a terminal until it is over or the context ends. A
	// panic of it ends this session.
	Show func(context.Context, *Session) error
	Log  *slog.Logger // nil: nobody is told
	// Noted is told what people do at the door, for a record; nil: nobody is.
	Noted func(Event)
}

// Event is somebody who comes, goes or is refused.
type Event struct {
	What   string // login, logout, refused
	User   string // "" is not known
	Remote string
	Why    string
}

// Server is one door. It is safe for concurrent use.
type Server struct {
	o      Options
	config *ssh.ServerConfig
	tries  *tries

	mu       sync.Mutex
	access   Access
	sessions map[uint64]*Session
	last     uint64
	logins   map[string]*logins // by account

	beginning *connlimit.Connections // those that have not logged in
}

// New returns a server that does not listen yet.
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

// Serve takes connections until the context ends; then it ends all of them, and
// waits for them within leaveTime and endTime. It returns the error of the listener that
// nobody has closed.
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
				return err //nolint:wrapcheck // it is the listener's, to who made it
			}
			s.o.Log.Warn("a connection could not be taken", "error", err) // there are too many files open, or they gave up
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
			_ = conn.Close() // there are enough who have not said who they are
			continue
		}
		all.Go(func() { s.connection(ctx, conn, host, begun) })
	}
}

// waitFor waits until all are done, at most for so long: what the library does with a
// connection after it is closed cannot be ended from here.
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

// pause waits for so long, or until the context ends.
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

// connection is one from its beginning to its end. begun is called when it has logged in
// or ended.
func (s *Server) connection(ctx context.Context, conn net.Conn, host string, begun func()) {
	defer conn.Close()                    //nolint:errcheck // it may be closed
	defer context.AfterFunc(ctx, func() { // who looks is shown out first
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
		shut(c, channels, requests)
		return
	}
	x.run(ctx, channels, requests)
}

// reason is why somebody was not let in, without what they sent.
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

// Allow has other people be let in from now on. Sessions of those who no longer are,
// or are as somebody else, end.
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

// Sessions are those that there are, the first to come first.
func (s *Server) Sessions() []*Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*Session, 0, len(s.sessions))
	for _, id := range slices.Sorted(maps.Keys(s.sessions)) {
		out = append(out, s.sessions[id])
	}
	return out
}

// Kick ends the sessions of a user, and returns how many there were.
func (s *Server) Kick(name string) int {
	n := 0
	for _, x := range s.Sessions() {
		if x.Account.Name == name {
			x.end("Your session was ended by who runs this server.")
			n++
		}
	}
	return n
}

const noRoom = "There are as many viewers as this server takes. Try again later."

// add lets a session in, or says why not.
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
