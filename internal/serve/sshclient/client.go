// Package sshclient is a terminal client for a board that is served over SSH. It reconnects
// automatically. It covers the screen when the server is silent, so that no outdated board
// stays visible.
package sshclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"

	"wallboard/internal/lib/sshlib"
)

// Version is the SSH version string of this client. The server sends such clients a sign of
// life each second.
const Version = "SSH-2.0-wallboard-view"

// ComeAgain is the exit status that tells the client to reconnect later: the server is
// stopping, has no room, or has seen too many logins.
const ComeAgain = 75

// Timing of a client.
const (
	silence     = 3 * time.Second // without a sign of life, then the screen is covered
	deadAfter   = 15 * time.Second
	dialTime    = 10 * time.Second
	firstPause  = time.Second
	longestWait = 15 * time.Second
	lookAround  = 200 * time.Millisecond // between checks of the terminal size and the silence

	// With several servers. A server sends a sign of life each second.
	leftAfter = 1600 * time.Millisecond // without a sign of life, then the client changes the server
	knockTime = 2 * time.Second         // for each login, until all servers were tried
)

// Options configure a client. Env, Silence and Pause are optional.
type Options struct {
	// Addresses are the servers that show the same board, as host:port. If a server is
	// unreachable or silent, the client changes to the next one.
	Addresses []string
	// Keys returns the keys to log in with. They are valid until done is called. Hosts
	// checks the key of a server: see [Hosts].
	Keys    func() (keys []ssh.Signer, done func(), err error)
	Hosts   ssh.HostKeyCallback
	In      io.Reader
	Out     io.Writer
	Size    func() (w, h int) // of the terminal, in cells
	Term    string
	Env     []string      // NAME=value; the server may ignore some
	Silence time.Duration // 0: 3 s
	Pause   time.Duration // before the first reconnect; 0: 1 s
}

// Errors after which the client does not reconnect.
var (
	// ErrRefused is returned if the server accepts none of the keys.
	ErrRefused = errors.New("the server knows none of your keys")
	// ErrEnded is returned if the server ends the session with an error.
	ErrEnded = errors.New("the server has ended the session")
)

// Run shows the board until the viewer quits, all servers refuse the client, a server ends the
// session, or ctx ends. It returns nil if the board ends normally, the viewer quits or
// ctx ends. The caller puts the terminal into raw mode; Run restores the modes that a server
// sets. A goroutine reads In until In or ctx ends, which may be after Run returns.
func Run(ctx context.Context, o Options) error {
	if o.Silence <= 0 {
		o.Silence = silence
	}
	if o.Pause <= 0 {
		o.Pause = firstPause
	}
	c := &client{o: o, keys: make(chan []byte), shown: time.Now()}
	go c.read(ctx)
	defer c.restore()
	pause := o.Pause
	for {
		begun := time.Now()
		err := c.session(ctx)
		switch {
		case err == nil || errors.Is(err, errQuit) || ctx.Err() != nil:
			return nil
		case errors.Is(err, ErrEnded), c.next(err):
			return err
		}
		if time.Since(begun) > longestWait {
			pause = o.Pause
		}
		again := time.Duration(0) // another server was not tried yet
		if c.tried == 0 {
			again, pause = pause, min(2*pause, longestWait)
		}
		if quit := c.wait(ctx, again, err); quit {
			return nil
		}
	}
}

// next changes to the next server after an error. hopeless reports whether all servers have
// failed with a final error.
func (c *client) next(err error) (hopeless bool) {
	n := len(c.o.Addresses)
	if c.tried++; final(err) {
		c.refused++
	}
	c.at = (c.at + 1) % n
	if hopeless = c.refused == n; c.tried >= n {
		c.tried, c.refused, c.patient = 0, 0, true
	}
	return hopeless
}

// Untrusted connects to all servers and returns an error for each one whose key is unknown or
// has changed. It skips servers that fail otherwise. trusted reports whether a login
// succeeded.
func Untrusted(ctx context.Context, o Options) (all []*HostError, trusted bool) {
	for at := range o.Addresses {
		conn, err := (&client{o: o, at: at}).dial(ctx)
		var host *HostError
		if err == nil {
			_ = conn.Close()
			trusted = true
		} else if errors.As(err, &host) {
			all = append(all, host)
		}
	}
	return all, trusted
}

// errQuit is the error of a session that the viewer quits.
var errQuit = errors.New("quit")

// errNoBoard means that a server accepts a login but opens no session in time.
var errNoBoard = fmt.Errorf("ask for the board: %w", context.DeadlineExceeded)

// final reports whether an error remains if the client tries again.
func final(err error) bool {
	var host *HostError
	return errors.Is(err, ErrRefused) || errors.Is(err, ErrEnded) || errors.Is(err, errHosts) || errors.As(err, &host)
}

// client is the state of a terminal across connections.
type client struct {
	o    Options
	keys chan []byte

	at      int  // index of the current server
	tried   int  // servers that have failed in a row
	refused int  // those of them with a final error
	patient bool // all servers were tried: allow dialTime for each

	mu      sync.Mutex
	heard   time.Time // last sign of life, or start of the connection
	shown   time.Time // when the visible board was last up to date
	covered bool
	drawn   bool // a server has written to the terminal
	dirty   bool // the terminal has to be restored by the client
}

// read passes on the input of the viewer until In or ctx ends.
func (c *client) read(ctx context.Context) {
	for {
		b := make([]byte, 1024)
		n, err := c.o.In.Read(b)
		if n > 0 {
			select {
			case c.keys <- b[:n]:
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// quits reports whether input that goes to no server ends the client: q, Q or ctrl+c.
func quits(b []byte) bool {
	return len(b) > 0 && (b[0] == 'q' || b[0] == 'Q' || b[0] == 3)
}

// dial connects and logs in.
func (c *client) dial(ctx context.Context) (*ssh.Client, error) {
	keys, done, err := c.o.Keys()
	if err != nil {
		return nil, err
	}
	defer done()
	config := &ssh.ClientConfig{User: "wallboard", Auth: []ssh.AuthMethod{ssh.PublicKeys(keys...)}, HostKeyCallback: c.o.Hosts, ClientVersion: Version}
	sshlib.SetAlgorithms(&config.Config)
	within := dialTime
	if len(c.o.Addresses) > 1 && !c.patient {
		within = knockTime
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.o.Addresses[c.at])
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() }) // the library has no time limit
	sc, channels, requests, err := ssh.NewClientConn(conn, c.o.Addresses[c.at], config)
	if err != nil {
		stop()
		_ = conn.Close()
		return nil, reason(err)
	}
	if !stop() {
		sshlib.Refuse(sc, channels, requests)
		return nil, ctx.Err()
	}
	heard := make(chan *ssh.Request)
	go func() {
		defer close(heard)
		for r := range requests {
			c.hear()
			heard <- r
		}
	}()
	return ssh.NewClient(sc, channels, heard), nil
}

// reason returns the error of a failed login.
func reason(err error) error {
	var host *HostError
	var no *ssh.ServerAuthError
	switch {
	case errors.As(err, &host):
		return host
	case errors.As(err, &no), isAuth(err):
		return ErrRefused
	}
	return err
}

// unlessQuit runs f. It returns errQuit if the viewer quits first, or the cause if ctx ends;
// f may still be running then.
func (c *client) unlessQuit(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	for {
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		case b := <-c.keys:
			if quits(b) {
				return errQuit
			}
		}
	}
}

// dialUnlessQuit is like dial, but returns errQuit if the viewer quits. It does not return
// before dial has.
func (c *client) dialUnlessQuit(ctx context.Context) (conn *ssh.Client, err error) {
	dialing, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan struct{})
	err = c.unlessQuit(context.WithoutCancel(ctx), func() (err error) { // dial ends with its context
		defer close(ended)
		conn, err = c.dial(dialing)
		return err
	})
	if !errors.Is(err, errQuit) {
		c.begin()
		return conn, err
	}
	cancel()
	<-ended
	if conn != nil {
		_ = sshlib.Close(conn.Conn)
	}
	return nil, errQuit
}

// session runs one connection. It returns nil if the board ends normally.
func (c *client) session(ctx context.Context) error {
	conn, err := c.dialUnlessQuit(ctx)
	if err != nil {
		return err
	}
	defer sshlib.Close(conn.Conn) //nolint:errcheck // it may be closed already
	w, h := c.o.Size()
	s, in, err := c.openUnlessQuit(ctx, conn, w, h)
	if err != nil {
		return err
	}
	c.tried, c.refused, c.patient = 0, 0, false
	ended := make(chan error, 1)
	go func() { ended <- s.Wait() }()
	return c.follow(ctx, s, in, ended, w, h)
}

// openUnlessQuit is like open with a limit of dialTime, but returns errQuit if the viewer
// quits. The library waits for replies without a time limit. In golang.org/x/crypto v0.58.0 a
// channel that is opened while the connection ends is never closed.
func (c *client) openUnlessQuit(ctx context.Context, conn *ssh.Client, w, h int) (s *ssh.Session, in io.Writer, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, dialTime, errNoBoard)
	defer cancel()
	type board struct {
		session *ssh.Session
		in      io.Writer
	}
	opened := make(chan board, 1)
	err = c.unlessQuit(ctx, func() error {
		s, in, err := c.open(conn, w, h)
		opened <- board{s, in}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	b := <-opened
	return b.session, b.in, nil
}

// open requests a terminal and a shell, which is the board.
func (c *client) open(conn *ssh.Client, w, h int) (*ssh.Session, io.Writer, error) {
	s, err := conn.NewSession()
	if err != nil {
		return nil, nil, err
	}
	in, err := s.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	s.Stdout, s.Stderr = terminal{c}, io.Discard
	for _, v := range c.o.Env {
		if name, value, ok := strings.Cut(v, "="); ok {
			_ = s.Setenv(name, value) // the server may refuse it
		}
	}
	if err := s.RequestPty(c.o.Term, h, w, nil); err != nil {
		return nil, nil, fmt.Errorf("ask for a terminal: %w", err)
	}
	if err := s.Shell(); err != nil {
		return nil, nil, fmt.Errorf("ask for the board: %w", err)
	}
	return s, in, nil
}

// follow passes input and terminal sizes to the server until the session ends.
func (c *client) follow(ctx context.Context, s *ssh.Session, in io.Writer, ended <-chan error, w, h int) error {
	look := time.NewTicker(lookAround)
	defer look.Stop()
	typed := make(chan []byte, 64) // a stuck connection must not block quitting
	go func() {
		for b := range typed {
			if _, err := in.Write(b); err != nil {
				for range typed { // until follow closes the channel
				}
				return
			}
		}
	}()
	defer close(typed)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-ended:
			c.put(err)
			return endOf(err)
		case b := <-c.keys:
			if c.isCovered() && quits(b) {
				return errQuit
			}
			select {
			case typed <- b:
			default: // the connection is stuck: drop the input
			}
		case now := <-look.C:
			nw, nh := c.o.Size()
			quiet, again := c.watch(now)
			if nw != w || nh != h || again {
				w, h = nw, nh
				_ = s.WindowChange(h, w) // makes the server redraw everything
			}
			if quiet > c.longest() {
				return errors.New("nothing is heard")
			}
		}
	}
}

// longest returns how long a server may be silent before the connection is given up.
func (c *client) longest() time.Duration {
	if len(c.o.Addresses) > 1 {
		return leftAfter
	}
	return max(deadAfter, c.o.Silence)
}

// put records whether the server has restored the terminal: only if it has sent an exit
// status.
func (c *client) put(err error) {
	var status *ssh.ExitError
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dirty = err != nil && !errors.As(err, &status)
}

// endOf converts the result of [ssh.Session.Wait] to the error of a session.
func endOf(err error) error {
	var status *ssh.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &status) && status.ExitStatus() == ComeAgain:
		return errors.New("the server is not ready")
	case errors.As(err, &status):
		return ErrEnded
	}
	return fmt.Errorf("the connection has ended: %w", err)
}

// begin starts the measurement of silence for a new connection.
func (c *client) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = time.Now()
}

// hear records a sign of life.
func (c *client) hear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = time.Now()
	if !c.covered {
		c.shown = c.heard
	}
}

func (c *client) isCovered() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.covered
}

// watch covers the screen if the server is silent for too long, and clears it if the server is
// heard again. quiet is the length of the silence; again reports whether the screen was
// cleared.
func (c *client) watch(now time.Time) (quiet time.Duration, again bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	quiet = now.Sub(c.heard)
	switch {
	case quiet > c.o.Silence:
		c.cover("")
	case c.covered:
		c.covered, again = false, true
		_, _ = io.WriteString(c.o.Out, "\x1b[0m\x1b[2J")
	}
	return quiet, again
}

// wait covers the screen with the reason for a lost connection, and returns after pause. quit
// reports whether the viewer has quit or ctx has ended.
func (c *client) wait(ctx context.Context, pause time.Duration, why error) (quit bool) {
	over := time.NewTimer(pause)
	defer over.Stop()
	c.mu.Lock()
	c.cover(why.Error())
	c.mu.Unlock()
	for {
		select {
		case <-ctx.Done():
			return true
		case <-over.C:
			return false
		case b := <-c.keys:
			if quits(b) {
				return true
			}
		}
	}
}

// terminal writes the output of a server to the viewer's terminal.
type terminal struct{ c *client }

// Write implements [io.Writer]. It discards output while the screen is covered; the server
// redraws everything afterwards.
func (t terminal) Write(b []byte) (int, error) {
	c := t.c
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = time.Now()
	if c.covered {
		return len(b), nil
	}
	c.shown, c.dirty, c.drawn = c.heard, true, true
	return c.o.Out.Write(b)
}
