package sshterminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// ClientVersion is the SSH version string of the client. The server sends a sign of life each
// second to clients with this version.
const ClientVersion = "SSH-2.0-wallboard-view"

// Time limits of the client.
const (
	coverTimeout        = 3 * time.Second // silence after which the screen is covered
	reconnectTimeout    = 15 * time.Second
	dialTimeout         = 10 * time.Second
	firstReconnectPause = time.Second
	maxReconnectPause   = 15 * time.Second
	checkInterval       = 200 * time.Millisecond // between checks of the terminal size and of the silence

	// Time limits for several servers. A server sends a sign of life each second.
	serverChangeTimeout = 1600 * time.Millisecond // silence after which the client connects to the next server
	shortDialTimeout    = 2 * time.Second         // for each login until all servers were tried
)

// ClientOptions configures a client. Env, Redraw, CoverTimeout and FirstReconnectPause are optional.
type ClientOptions struct {
	// Addresses are the servers that show the same board, as host:port. If a server is
	// unreachable or silent, the client connects to the next one.
	Addresses []string
	// Keys returns the keys to log in with. The keys are valid until done is called.
	Keys         func() (keys []ssh.Signer, done func(), err error)
	CheckHostKey ssh.HostKeyCallback // checks the key of a server, see [KnownHostsCallback]
	In           io.Reader
	Out          io.Writer
	Size         func() (w, h int) // returns the size of the terminal in cells
	Term         string
	Env          []string // NAME=value; the server may ignore some of them
	// Redraw receives a signal when the screen must be drawn again, because another program has used it.
	Redraw       <-chan os.Signal
	CoverTimeout time.Duration // silence of the server after which the screen is covered; 0: 3 s
	// CoverLines returns the lines of a covered screen, the most important first. since is the time of the last
	// figures, reason that of the lost connection, or "".
	CoverLines          func(since time.Time, reason string) []string
	FirstReconnectPause time.Duration // pause before the first reconnect; 0: 1 s
}

// Errors after which the client does not reconnect to the server.
var (
	// ErrRefused means that the server accepts none of the keys.
	ErrRefused = errors.New("the server knows none of your keys")
	// ErrEnded means that the server has ended the session with an error.
	ErrEnded = errors.New("the server has ended the session")
)

// RunClient shows the board and reconnects when the connection is lost. It returns nil if the board
// ends normally, the viewer quits or ctx ends. It returns an error if a server ends the session
// with an error, or if no server can be used, for example because all of them reject the keys.
//
// The caller must put the terminal into raw mode. RunClient resets everything else in the
// terminal, whatever a server has sent. A goroutine reads In until In or ctx ends; it may
// still read after RunClient has returned.
func RunClient(ctx context.Context, o ClientOptions) error {
	if o.CoverTimeout <= 0 {
		o.CoverTimeout = coverTimeout
	}
	if o.FirstReconnectPause <= 0 {
		o.FirstReconnectPause = firstReconnectPause
	}
	c := &client{options: o, input: make(chan []byte), lastCurrent: time.Now()}
	go c.readInput(ctx)
	defer c.restoreTerminal()
	pause := o.FirstReconnectPause
	for {
		started := time.Now()
		err := c.runSession(ctx)
		switch {
		case err == nil || errors.Is(err, errQuit) || ctx.Err() != nil:
			return nil
		case errors.Is(err, ErrEnded), c.nextServer(err):
			return err
		}
		if time.Since(started) > maxReconnectPause {
			pause = o.FirstReconnectPause
		}
		pauseBeforeRetry := time.Duration(0) // no pause, because the next server was not tried yet
		if c.failedServers == 0 {
			pauseBeforeRetry, pause = pause, min(2*pause, maxReconnectPause)
		}
		if quit := c.showReason(ctx, pauseBeforeRetry, err); quit {
			return nil
		}
	}
}

// nextServer selects the next server after an error. allFailed reports whether all servers
// have failed with an error for which a retry is useless.
func (c *client) nextServer(err error) (allFailed bool) {
	n := len(c.options.Addresses)
	if c.failedServers++; isFinal(err) {
		c.finalFailures++
	}
	c.serverIndex = (c.serverIndex + 1) % n
	if allFailed = c.finalFailures == n; c.failedServers >= n {
		c.failedServers, c.finalFailures, c.longTimeouts = 0, 0, true
	}
	return allFailed
}

// UntrustedServers connects to all servers and logs in. It returns an error for each server
// whose key is unknown or has changed. trusted reports whether at least one login succeeded.
// If all logins failed, UntrustedServers retries the servers that failed for another reason,
// with a longer timeout.
func UntrustedServers(ctx context.Context, o ClientOptions) (all []*HostError, trusted bool) {
	var failed []int
	try := func(c *client) {
		conn, err := c.dial(ctx)
		var host *HostError
		switch {
		case err == nil:
			_ = closeConn(conn.Conn)
			trusted = true
		case errors.As(err, &host):
			all = append(all, host)
		default:
			failed = append(failed, c.serverIndex)
		}
	}
	for index := range o.Addresses {
		try(&client{options: o, serverIndex: index})
	}
	if !trusted {
		for _, index := range failed {
			try(&client{options: o, serverIndex: index, longTimeouts: true})
		}
	}
	return all, trusted
}

// errQuit means that the viewer has quit.
var errQuit = errors.New("quit")

// errNoBoard means that a server accepted the login but did not open a session in time.
var errNoBoard = fmt.Errorf("ask for the board: %w", context.DeadlineExceeded)

// isFinal reports whether a retry would fail with the same error.
func isFinal(err error) bool {
	var host *HostError
	return errors.Is(err, ErrRefused) || errors.Is(err, ErrEnded) || errors.Is(err, errKnownHostsUnreadable) || errors.As(err, &host)
}

// client is the state of a client across connections.
type client struct {
	options ClientOptions
	input   chan []byte

	serverIndex   int  // index of the current server in Addresses
	failedServers int  // number of servers that have failed in a row
	finalFailures int  // number of servers in failedServers whose error is final, see isFinal
	longTimeouts  bool // all servers were tried, so that each login may now take dialTimeout

	mu           sync.Mutex
	lastHeard    time.Time // last sign of life from the server, or start of the connection
	lastCurrent  time.Time // last time at which the visible board was up to date
	isCoverShown bool
	hasOutput    bool   // the client has written to the terminal
	stderrText   []byte // standard error of the session
	// isTerminalRestored is true when the terminal has been restored at the end. Later output
	// of a server is discarded.
	isTerminalRestored bool
}

// readInput sends the viewer's input to c.input until In or ctx ends.
func (c *client) readInput(ctx context.Context) {
	for {
		b := make([]byte, 1024)
		n, err := c.options.In.Read(b)
		if n > 0 {
			select {
			case c.input <- b[:n]:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// isQuitKey reports whether input begins with q, Q or ctrl+c. These keys end the client while
// no server receives the input.
func isQuitKey(b []byte) bool {
	return len(b) > 0 && (b[0] == 'q' || b[0] == 'Q' || b[0] == 3)
}

// dial connects to the current server and logs in.
func (c *client) dial(ctx context.Context) (*ssh.Client, error) {
	keys, done, err := c.options.Keys()
	if err != nil {
		return nil, err
	}
	defer done()
	config := &ssh.ClientConfig{
		User: "wallboard", Auth: []ssh.AuthMethod{ssh.PublicKeys(keys...)}, ClientVersion: ClientVersion,
		HostKeyCallback: c.options.CheckHostKey, HostKeyAlgorithms: hostKeyAlgorithms(c.options.CheckHostKey, c.options.Addresses[c.serverIndex]),
	}
	setAlgorithms(&config.Config)
	timeout := dialTimeout
	if len(c.options.Addresses) > 1 && !c.longTimeouts {
		timeout = shortDialTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.options.Addresses[c.serverIndex])
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() }) // NewClientConn has no time limit
	sc, channels, requests, err := ssh.NewClientConn(conn, c.options.Addresses[c.serverIndex], config)
	if err != nil {
		stop()
		_ = conn.Close()
		return nil, loginError(err)
	}
	if !stop() {
		refuseChannels(sc, channels, requests)
		return nil, ctx.Err()
	}
	otherRequests := make(chan *ssh.Request)
	go func() {
		defer close(otherRequests)
		for r := range requests {
			c.recordContact()
			otherRequests <- r
		}
	}()
	return ssh.NewClient(sc, channels, otherRequests), nil
}

// loginError returns the cause of a failed login if it is a [*HostError] or [ErrRefused], and
// otherwise err.
func loginError(err error) error {
	var host *HostError
	var authErr *ssh.ServerAuthError
	switch {
	case errors.As(err, &host):
		return host
	case errors.As(err, &authErr), isAuthError(err):
		return ErrRefused
	}
	return err
}

// runUnlessQuit calls f in a goroutine and returns its error. It returns errQuit if the viewer
// quits first, and the cause of ctx if ctx ends first. In both cases f may still be running.
func (c *client) runUnlessQuit(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	for {
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		case b := <-c.input:
			if isQuitKey(b) {
				return errQuit
			}
		}
	}
}

// dialUnlessQuit is like dial, but returns errQuit if the viewer quits. It waits for dial to
// return.
func (c *client) dialUnlessQuit(ctx context.Context) (conn *ssh.Client, err error) {
	dialing, cancel := context.WithCancel(ctx)
	defer cancel()
	dialDone := make(chan struct{})
	err = c.runUnlessQuit(context.WithoutCancel(ctx), func() (err error) { // dial itself ends with ctx
		defer close(dialDone)
		conn, err = c.dial(dialing)
		return err
	})
	if !errors.Is(err, errQuit) {
		c.resetSilence()
		return conn, err
	}
	cancel()
	<-dialDone
	if conn != nil {
		_ = closeConn(conn.Conn)
	}
	return nil, errQuit
}

// runSession connects to the current server and shows its board. It returns nil if the board
// ends normally.
func (c *client) runSession(ctx context.Context) error {
	conn, err := c.dialUnlessQuit(ctx)
	if err != nil {
		return err
	}
	defer closeConn(conn.Conn) //nolint:errcheck // it may be closed already
	w, h := c.options.Size()
	s, in, err := c.openUnlessQuit(ctx, conn, w, h)
	if err != nil {
		return err
	}
	c.failedServers, c.finalFailures, c.longTimeouts = 0, 0, false
	sessionDone := make(chan error, 1)
	go func() { sessionDone <- s.Wait() }()
	return c.runBoard(ctx, s, in, sessionDone, w, h)
}

// openUnlessQuit is like openBoard, but takes at most dialTimeout and returns errQuit if the
// viewer quits. It runs openBoard in a goroutine, because the library waits for replies
// without a time limit: in golang.org/x/crypto v0.58.0, a channel that is opened while the
// connection ends is not closed.
func (c *client) openUnlessQuit(ctx context.Context, conn *ssh.Client, w, h int) (s *ssh.Session, in io.Writer, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, dialTimeout, errNoBoard)
	defer cancel()
	type board struct {
		session *ssh.Session
		in      io.Writer
	}
	opened := make(chan board, 1)
	err = c.runUnlessQuit(ctx, func() error {
		s, in, err := c.openBoard(conn, w, h)
		opened <- board{s, in}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	b := <-opened
	return b.session, b.in, nil
}

// openBoard opens a session with a terminal of w by h cells and starts the board. The viewer's
// input must be written to in.
func (c *client) openBoard(conn *ssh.Client, w, h int) (*ssh.Session, io.Writer, error) {
	s, err := conn.NewSession()
	if err != nil {
		return nil, nil, err
	}
	in, err := s.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	s.Stdout, s.Stderr = screenWriter{c}, stderrCollector{c}
	for _, v := range c.options.Env {
		if name, value, ok := strings.Cut(v, "="); ok {
			_ = s.Setenv(name, value) // the server may refuse the variable
		}
	}
	if err := s.RequestPty(c.options.Term, h, w, nil); err != nil {
		return nil, nil, fmt.Errorf("ask for a terminal: %w", err)
	}
	if err := s.Shell(); err != nil {
		return nil, nil, fmt.Errorf("ask for the board: %w", err)
	}
	return s, in, nil
}

// runBoard passes the viewer's input and changes of the terminal size to the server until the
// session or ctx ends, the server has been silent for too long, or the viewer quits while the
// screen is covered.
func (c *client) runBoard(ctx context.Context, s *ssh.Session, in io.Writer, sessionDone <-chan error, w, h int) error {
	ticker := time.NewTicker(checkInterval)
	defer ticker.Stop()
	queuedInput := make(chan []byte, 64) // a buffer, so that the viewer can quit while the connection is stuck
	go func() {
		for b := range queuedInput {
			if _, err := in.Write(b); err != nil {
				for range queuedInput { // until runBoard closes the channel
				}
				return
			}
		}
	}()
	defer close(queuedInput)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-sessionDone:
			return c.sessionError(err)
		case b := <-c.input:
			if c.isCovered() && isQuitKey(b) {
				return errQuit
			}
			select {
			case queuedInput <- b:
			default: // the connection is stuck, so the input is dropped
			}
		case <-c.options.Redraw:
			c.clearTerminal()
			_ = s.WindowChange(h, w) // makes the server redraw everything
		case now := <-ticker.C:
			nw, nh := c.options.Size()
			silence, restored := c.updateCover(now)
			if nw != w || nh != h || restored {
				w, h = nw, nh
				_ = s.WindowChange(h, w) // sends the new size and makes the server redraw everything
			}
			if silence > c.silenceTimeout() {
				return errors.New("no sign of life from the server")
			}
		}
	}
}

// silenceTimeout returns the silence of the server after which the client closes the connection.
func (c *client) silenceTimeout() time.Duration {
	if len(c.options.Addresses) > 1 {
		return serverChangeTimeout
	}
	return max(reconnectTimeout, c.options.CoverTimeout)
}

// sessionError converts the result of [ssh.Session.Wait] to the error of the session. The
// error contains the server's reason, if any.
func (c *client) sessionError(err error) error {
	c.mu.Lock()
	text := strings.TrimSpace(replaceControlChars(string(c.stderrText)))
	c.stderrText = nil
	c.mu.Unlock()
	withReason := func(err error) error {
		if text == "" {
			return err
		}
		return fmt.Errorf("%w: %s", err, text)
	}
	var status *ssh.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &status) && status.ExitStatus() == ExitReconnect:
		return withReason(errNotReady)
	case errors.As(err, &status):
		return withReason(ErrEnded)
	}
	return fmt.Errorf("the connection has ended: %w", err)
}

// errNotReady means that the server has asked the client to reconnect later.
var errNotReady = errors.New("the server is not ready")

// resetSilence sets the time of the last sign of life to now. It must be called for a new
// connection.
func (c *client) resetSilence() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastHeard = time.Now()
}

// recordContact records that the server has sent a sign of life.
func (c *client) recordContact() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastHeard = time.Now()
	if !c.isCoverShown {
		c.lastCurrent = c.lastHeard
	}
}

func (c *client) isCovered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.isCoverShown
}

// updateCover covers the screen if the server has been silent for too long, and clears the
// screen when the server is heard again. silence is the time since the last sign of life.
// restored reports whether the screen was cleared.
func (c *client) updateCover(now time.Time) (silence time.Duration, restored bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	silence = now.Sub(c.lastHeard)
	switch {
	case silence > c.options.CoverTimeout:
		c.showCover("")
	case c.isCoverShown:
		c.isCoverShown, restored = false, true
		_, _ = io.WriteString(c.options.Out, clearScreen)
	}
	return silence, restored
}

// clearTerminal clears the screen. If the screen was covered and the server is still silent,
// the next check covers it again.
func (c *client) clearTerminal() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isCoverShown = false
	_, _ = io.WriteString(c.options.Out, clearScreen)
}

// clearScreen is the sequence that resets the style and clears the screen.
const clearScreen = "\x1b[0m\x1b[2J"

// showReason covers the screen with the reason for the lost connection and waits for the
// duration pause. quit reports whether the viewer has quit or ctx has ended.
func (c *client) showReason(ctx context.Context, pause time.Duration, reason error) (quit bool) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	c.mu.Lock()
	c.showCover(reason.Error())
	c.mu.Unlock()
	for {
		select {
		case <-ctx.Done():
			return true
		case <-timer.C:
			return false
		case b := <-c.input:
			if isQuitKey(b) {
				return true
			}
		}
	}
}

// screenWriter writes the server's output to the viewer's terminal.
type screenWriter struct{ client *client }

// Write implements [io.Writer]. It discards output while the screen is covered and after the
// terminal was restored. When the cover is removed, the server redraws everything.
func (t screenWriter) Write(b []byte) (int, error) {
	c := t.client
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastHeard = time.Now()
	if c.isCoverShown || c.isTerminalRestored {
		return len(b), nil
	}
	c.lastCurrent, c.hasOutput = c.lastHeard, true
	return c.options.Out.Write(b)
}

// maxReasonBytes limits the reason for the end of a session, in bytes.
const maxReasonBytes = 200

// stderrCollector collects the standard error of a session, where a server writes the reason
// for the end of the session.
type stderrCollector struct{ client *client }

// Write implements [io.Writer]. It keeps the first maxReasonBytes bytes and discards the others.
func (r stderrCollector) Write(b []byte) (int, error) {
	r.client.mu.Lock()
	defer r.client.mu.Unlock()
	r.client.stderrText = append(r.client.stderrText, b[:min(len(b), maxReasonBytes-len(r.client.stderrText))]...)
	return len(b), nil
}
