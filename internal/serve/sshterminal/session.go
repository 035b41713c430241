package sshterminal

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// Size is the size of a terminal in cells.
type Size struct{ Width, Height int }

// Limits on a client's requests for its terminal.
const (
	maxWidth, maxHeight = 500, 200
	maxEnvVariables     = 16  // environment variables
	maxVariableBytes    = 128 // bytes of one variable
)

// Session is the terminal of a user who has logged in.
type Session struct {
	ID      uint64
	Account Account
	Remote  string
	Since   time.Time
	Env     []string // TERM, and COLORTERM, NO_COLOR, LANG and LC_* if the client has sent them
	Size    Size     // size at the start
	Resizes <-chan Size
	In      io.Reader
	Out     io.WriteCloser // Close closes the connection

	Received, Sent atomic.Int64 // bytes from and to the client
	DrawNanos      atomic.Int64 // nanoseconds spent on drawing; RunSession updates it

	key        string
	resizes    chan Size
	channel    ssh.Channel
	ended      chan struct{}
	endOnce    sync.Once
	endMessage atomic.Pointer[string] // message to show at the end; nil or "" for none
	disconnect func()
}

// end asks the session to end. runSession then writes message to standard error, unless it is ""
// because the client ended the session. Only the first call has an effect.
func (x *Session) end(message string) {
	x.endOnce.Do(func() {
		x.endMessage.Store(&message)
		close(x.ended)
	})
}

// countedChannel reads from and writes to the terminal of a session, and counts the bytes.
type countedChannel struct{ session *Session }

// Read implements [io.Reader].
func (c countedChannel) Read(b []byte) (int, error) {
	n, err := c.session.channel.Read(b)
	c.session.Received.Add(int64(n))
	return n, err
}

// maxWriteBytes is the maximum number of bytes of a write to the library. For each connection,
// the library keeps two buffers of the size of the longest write. If whole frames were written
// at once, each buffer would become 32 KiB large.
const maxWriteBytes = 4000

// Write implements [io.Writer].
func (c countedChannel) Write(b []byte) (written int, err error) {
	for part := range slices.Chunk(b, maxWriteBytes) {
		n, err := c.session.channel.Write(part)
		c.session.Sent.Add(int64(n))
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// Close implements [io.Closer].
func (c countedChannel) Close() error { c.session.disconnect(); return nil }

// authenticatedConn is a connection whose client has logged in to an account.
type authenticatedConn struct {
	server            *Server
	conn              *ssh.ServerConn
	netConn           io.Closer
	host              string
	name              string
	key               string
	certificateExpiry time.Time // when the certificate expires; zero: never
	logsInTooOften    bool      // the account logs in too often, so that no session may start
	refusedRequests   atomic.Int32
}

// serve serves the connection until it ends. It accepts one session channel and rejects all others.
func (l *authenticatedConn) serve(ctx context.Context, channels <-chan ssh.NewChannel, requests <-chan *ssh.Request) {
	var background sync.WaitGroup
	defer waitWithTimeout(&background, endTimeout)
	defer closeConn(l.conn) //nolint:errcheck // it may be closed already
	background.Go(func() { ssh.DiscardRequests(requests) })
	background.Go(l.keepAlive)
	shellTimer := time.AfterFunc(shellTimeout, func() { _ = l.netConn.Close() }) // the client has not started a terminal in time
	defer shellTimer.Stop()
	defer background.Go(func() { // the library blocks until all channels are received
		for channel := range channels {
			_ = channel.Reject(ssh.Prohibited, "the session has ended")
		}
	})
	hasTerminal := false
	for channel := range channels {
		if channel.ChannelType() != "session" || hasTerminal {
			_ = channel.Reject(ssh.Prohibited, "only one terminal per connection is served")
			if l.refusedRequests.Add(1) > maxRefusedRequests {
				return
			}
			continue
		}
		hasTerminal = true
		terminal, terminalRequests, err := channel.Accept()
		if err != nil {
			return
		}
		background.Go(func() {
			defer background.Go(func() { drainRequests(terminalRequests) }) // the library blocks until all requests are received
			defer l.conn.Close()                                            //nolint:errcheck // it may be closed already
			l.serveTerminal(ctx, terminal, terminalRequests, shellTimer)
		})
	}
}

// keepAlive sends keepalive requests and closes the connection if the client does not answer
// in time. To clients of this program, it also sends signs of life. It returns when the
// connection ends.
func (l *authenticatedConn) keepAlive() {
	connectionEnded := make(chan struct{})
	go func() { _ = l.conn.Wait(); close(connectionEnded) }()
	ticker := time.NewTicker(keepaliveInterval)
	defer ticker.Stop()
	beat := make(<-chan time.Time)
	if strings.HasPrefix(string(l.conn.ClientVersion()), ClientVersion) {
		t := time.NewTicker(heartbeatInterval)
		defer t.Stop()
		beat = t.C
	}
	for {
		select {
		case <-connectionEnded:
			return
		case <-beat:
			// A sign of life has no reply. If the client does not read it, the board closes
			// the connection.
			_, _, _ = l.conn.SendRequest("beat@wallboard", false, nil)
			continue
		case <-ticker.C:
		}
		closeTimer := time.AfterFunc(keepaliveTimeout, func() { _ = l.netConn.Close() })
		_, _, err := l.conn.SendRequest("keepalive@openssh.com", true, nil)
		closeTimer.Stop()
		if err != nil {
			return
		}
	}
}

// Payloads of the requests of a session channel (RFC 4254, sections 6.2, 6.4, 6.7, 6.9 and 6.10).
type (
	ptyRequest struct {
		Term                          string
		Width, Height, XPixel, YPixel uint32
		Modes                         string
	}
	envRequest    struct{ Name, Value string }
	windowRequest struct{ Width, Height, XPixel, YPixel uint32 }
	signalRequest struct{ Name string }
	exitStatus    struct{ Status uint32 }
)

// serveTerminal handles the requests of a session channel and runs the board, until the
// channel or the board ends. It stops shellTimer when the board starts. If the board does not
// start in time, the timer closes the connection.
func (l *authenticatedConn) serveTerminal(ctx context.Context, ch ssh.Channel, requests <-chan *ssh.Request, shellTimer *time.Timer) {
	x := &Session{
		Remote: l.host, Since: time.Now(), key: l.key, channel: ch, ended: make(chan struct{}), resizes: make(chan Size, 1),
		disconnect: func() { _ = l.netConn.Close() },
	}
	x.Account.Name = l.name
	x.Resizes, x.In, x.Out = x.resizes, countedChannel{x}, countedChannel{x}
	var boardEnded chan struct{} // closed when the board has ended; nil: not started
	defer func() {
		x.end("")
		if boardEnded != nil {
			<-boardEnded
		}
		_ = ch.Close()
	}()
	for {
		select {
		case <-boardEnded:
			return
		case r, ok := <-requests:
			if !ok {
				return
			}
			startsBoard := r.Type == "shell" && boardEnded == nil && x.Size != Size{}
			ok = startsBoard || l.handleRequest(x, r, boardEnded != nil)
			if r.WantReply {
				_ = r.Reply(ok, nil)
			}
			if !ok {
				if l.refusedRequests.Add(1) > maxRefusedRequests {
					return
				}
			}
			if startsBoard {
				shellTimer.Stop()
				boardEnded = make(chan struct{})
				go func() { defer close(boardEnded); l.runSession(ctx, x) }()
			}
		}
	}
}

func drainRequests(requests <-chan *ssh.Request) {
	for range requests {
	}
}

// handleRequest handles a request of the client and reports whether it is granted. It grants
// only requests that a terminal needs. boardStarted reports whether the board has started.
func (l *authenticatedConn) handleRequest(x *Session, r *ssh.Request, boardStarted bool) bool {
	switch r.Type {
	case "pty-req":
		var p ptyRequest
		if boardStarted || x.Size != (Size{}) || ssh.Unmarshal(r.Payload, &p) != nil || len(p.Term) > maxVariableBytes {
			return false
		}
		x.Size = boundedSize(p.Width, p.Height)
		x.setenv("TERM", p.Term)
		return true
	case "env":
		var e envRequest
		if boardStarted || ssh.Unmarshal(r.Payload, &e) != nil {
			return false
		}
		return isAllowedVariable(e.Name) && x.setenv(e.Name, e.Value)
	case "window-change":
		var w windowRequest
		if x.Size == (Size{}) || ssh.Unmarshal(r.Payload, &w) != nil {
			return false
		}
		select { // drop an older size that was not received yet
		case <-x.resizes:
		default:
		}
		x.resizes <- boundedSize(w.Width, w.Height)
		return true
	case "signal":
		var s signalRequest
		if ssh.Unmarshal(r.Payload, &s) != nil {
			return false
		}
		if s.Name == "HUP" || s.Name == "INT" || s.Name == "TERM" {
			x.end("")
		}
		return true
	}
	return false
}

// boundedSize returns the size of w by h cells, reduced or increased to the limits.
func boundedSize(w, h uint32) Size {
	return Size{int(min(max(w, 1), maxWidth)), int(min(max(h, 1), maxHeight))}
}

// isAllowedVariable reports whether a client may set an environment variable. Allowed
// variables describe the terminal or the locale.
func isAllowedVariable(name string) bool {
	return slices.Contains([]string{"COLORTERM", "NO_COLOR", "LANG"}, name) || strings.HasPrefix(name, "LC_")
}

// setenv adds an environment variable to the session. It returns false if there are too many
// variables, or if the variable is too long or not printable ASCII.
func (x *Session) setenv(name, value string) bool {
	isUnprintable := func(c rune) bool { return c < ' ' || c > '~' }
	if len(x.Env) >= maxEnvVariables || len(name)+len(value) > maxVariableBytes || strings.ContainsFunc(name+value, isUnprintable) {
		return false
	}
	x.Env = append(x.Env, name+"="+value)
	return true
}

// runSession runs the board of a session until it ends, and then sends the exit status. If the
// session must be refused, it sends the reason and the exit status without running the board.
func (l *authenticatedConn) runSession(ctx context.Context, x *Session) {
	s := l.server
	message := tooOftenMessage
	if !l.logsInTooOften {
		message = s.addSession(x)
	}
	if message != "" {
		s.options.OnEvent(Event{Kind: "refused", User: l.name, Remote: l.host, Reason: message})
		_, _ = fmt.Fprintf(x.channel.Stderr(), "%s\r\n", message)
		status := uint32(1)
		if message == serverFullMessage || message == tooOftenMessage {
			status = ExitReconnect
		}
		l.exit(x, status)
		return
	}
	defer s.removeSession(x)
	defer l.endOnExpiry(x)()
	s.options.OnEvent(Event{Kind: "login", User: l.name, Remote: l.host})
	s.options.Log.Info("viewer connected", "user", l.name, "from", l.host)
	server := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-x.ended:
			cancel()
		case <-ctx.Done():
		}
	}()
	err := l.runBoard(ctx, x)
	status := uint32(0)
	if server.Err() != nil {
		status = ExitReconnect
		message := "The server is stopping or restarting."
		x.endMessage.CompareAndSwap(nil, &message)
	}
	if err != nil {
		status = 1
		s.options.Log.Error("session failed", "user", l.name, "error", err)
		message := "The board has failed. The server's log has the reason."
		x.endMessage.CompareAndSwap(nil, &message)
	}
	s.options.OnEvent(Event{Kind: "logout", User: l.name, Remote: l.host})
	if message := x.endMessage.Load(); message != nil && *message != "" {
		if status == 0 {
			status = 1 // the viewer did not quit
		}
		closeTimer := time.AfterFunc(keepaliveTimeout, x.disconnect)
		_, _ = fmt.Fprintf(x.channel.Stderr(), "\r%s\r\n", *message) // the \r moves the cursor to the first column
		closeTimer.Stop()
	}
	l.exit(x, status)
}

// tooOftenMessage is the message for a viewer whose account logs in too often.
const tooOftenMessage = "Too many logins. Try again in a few seconds."

// endOnExpiry ends a session when its certificate expires, unless stop is called before. It
// compares the time at least once a minute, because the clock may be set or the machine may be
// suspended.
func (l *authenticatedConn) endOnExpiry(x *Session) (stop func()) {
	if l.certificateExpiry.IsZero() {
		return func() {}
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		for {
			remaining := time.Until(l.certificateExpiry)
			if remaining <= 0 {
				x.end("Your certificate has expired.")
				return
			}
			sleepContext(ctx, min(remaining, time.Minute))
			if ctx.Err() != nil {
				return
			}
		}
	}()
	return stop
}

// runBoard calls [Options.RunSession] and returns its error. It converts a panic to an error.
func (l *authenticatedConn) runBoard(ctx context.Context, x *Session) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("sshterminal: panic: %v\n%s", r, debug.Stack())
		}
	}()
	return l.server.options.RunSession(ctx, x)
}

// exit sends the exit status and closes the channel. If the client does not read the status within
// keepaliveTimeout, exit closes the connection. The timeout is long, because a client that receives no
// exit status reconnects. A server that shuts down closes the connection sooner.
func (l *authenticatedConn) exit(x *Session, status uint32) {
	closeTimer := time.AfterFunc(keepaliveTimeout, x.disconnect)
	defer closeTimer.Stop()
	_, _ = x.channel.SendRequest("exit-status", false, ssh.Marshal(exitStatus{status}))
	_ = x.channel.Close()
}
