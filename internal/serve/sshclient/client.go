// Package sshclient is a terminal on a board that is served over SSH: it connects again by
// itself, and covers what it shows when it hears nothing any more, so that no old
// picture stands on a dead line. It knows no board.
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

// Version is how this client calls itself: a server sends it a sign of life each second.
const Version = "SSH-2.0-wallboard-view"

// ComeAgain is the exit status by which a server says that it will let somebody in
// later: it is about to start anew, or there is no room.
const ComeAgain = 75

// The pace of a client.
const (
	silence     = 3 * time.Second // without a sign of life the screen is covered
	deadAfter   = 15 * time.Second
	dialTime    = 10 * time.Second
	firstPause  = time.Second
	longestWait = 15 * time.Second
	lookAround  = 200 * time.Millisecond // at the size, and at what was heard

	// Of several servers: a server sends a sign of life each second.
	leftAfter = 1600 * time.Millisecond // without one another server is gone to
	knockTime = 2 * time.Second         // for each to let somebody in, while there are others to try
)

// Options say where the board is and who looks. All but Env, Silence and Pause are
// needed.
type Options struct {
	// Addresses are those of the servers, host:port, that show the same. Whoever cannot be
	// reached, or is heard of no more, is left for the next one.
	Addresses []string
	// Keys are those to log in with, good until done. Hosts says whom a server's key
	// belongs to: see [Hosts].
	Keys    func() (keys []ssh.Signer, done func(), err error)
	Hosts   ssh.HostKeyCallback
	In      io.Reader
	Out     io.Writer
	Size    func() (w, h int) // of the terminal, in cells
	Term    string
	Env     []string      // NAME=value, of what the server takes
	Silence time.Duration // 0: 3 s
	Pause   time.Duration // before the first try to connect again; 0: 1 s
}

// Why a client gives up.
var (
	// ErrRefused is the error of a server that does not let somebody in.
	ErrRefused = errors.New("the server knows none of your keys")
	// ErrEnded is the error of a session that the server has ended.
	ErrEnded = errors.New("the server has ended the session")
)

// Run shows the board until its viewer quits, which is no error, the server lets them in
// no more, or ctx ends. The terminal has to be raw; its modes are restored in any case.
// The reading of In ends with In.
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
		again := time.Duration(0) // there is another server that was not tried yet
		if c.tried == 0 {
			again, pause = pause, min(2*pause, longestWait)
		}
		if quit := c.wait(ctx, again, err); quit {
			return nil
		}
	}
}

// next goes to the next server after an error. It reports whether all of them let nobody
// in, so that it is of no use to try again.
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

// Untrusted returns the errors of the servers whose keys are not known or have changed, as
// far as that can be found out now. trusted tells that another server lets somebody in.
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

// errQuit is the end that the viewer wants.
var errQuit = errors.New("quit")

// final reports whether it is of no use to try again.
func final(err error) bool {
	var host *HostError
	return errors.Is(err, ErrRefused) || errors.Is(err, ErrEnded) || errors.Is(err, errHosts) || errors.As(err, &host)
}

// client is one terminal, whatever it is connected with.
type client struct {
	o    Options
	keys chan []byte

	at      int  // the server that is gone to
	tried   int  // how many were in a row, without success
	refused int  // of these let nobody in
	patient bool // all were tried: each may take its time

	mu      sync.Mutex
	heard   time.Time // on this connection, or when it was begun
	shown   time.Time // until when what is shown was true
	covered bool
	drawn   bool // a server has written to the terminal
	dirty   bool // the terminal is not as it was, and no server will put it back
}

// read reads what is typed until In ends.
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

// quits reports whether keys that reach nobody else end the client: q, Q, ctrl+c.
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
	sshlib.Modern(&config.Config)
	within := dialTime
	if len(c.o.Addresses) > 1 && !c.patient {
		within = knockTime
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", c.o.Addresses[c.at])
	if err != nil {
		return nil, err //nolint:wrapcheck // it says whom it could not reach
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() }) // the library has no deadline
	sc, channels, requests, err := ssh.NewClientConn(conn, c.o.Addresses[c.at], config)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = conn.Close()
		return nil, reason(err)
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

// reason is why a login failed.
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

// dialUnlessQuit is dial while the viewer does not want to end.
func (c *client) dialUnlessQuit(ctx context.Context) (*ssh.Client, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type dialled struct {
		conn *ssh.Client
		err  error
	}
	done := make(chan dialled, 1)
	go func() {
		conn, err := c.dial(ctx)
		done <- dialled{conn, err}
	}()
	quit := false
	for {
		select {
		case d := <-done:
			if quit && d.conn != nil {
				_ = d.conn.Close()
			}
			if quit {
				return nil, errQuit
			}
			c.begin()
			return d.conn, d.err
		case b := <-c.keys:
			if quits(b) {
				quit = true
				cancel()
			}
		}
	}
}

// session is one connection from its beginning to its end. Nil is an end that the
// server's board has come to.
func (c *client) session(ctx context.Context) error {
	conn, err := c.dialUnlessQuit(ctx)
	if err != nil {
		return err
	}
	defer sshlib.Close(conn.Conn) //nolint:errcheck // it may be closed
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

// openUnlessQuit is open within dialTime, while the viewer does not want to end. The
// library waits for answers without a limit, even on a connection that has ended
// (golang.org/x/crypto v0.58.0: a channel that is opened just then is never closed).
func (c *client) openUnlessQuit(ctx context.Context, conn *ssh.Client, w, h int) (*ssh.Session, io.Writer, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	type opened struct {
		session *ssh.Session
		in      io.Writer
		err     error
	}
	done := make(chan opened, 1)
	go func() {
		s, in, err := c.open(conn, w, h)
		done <- opened{s, in, err}
	}()
	for {
		select {
		case o := <-done:
			return o.session, o.in, o.err
		case <-ctx.Done():
			return nil, nil, fmt.Errorf("ask for the board: %w", ctx.Err())
		case b := <-c.keys:
			if quits(b) {
				return nil, nil, errQuit
			}
		}
	}
}

// open asks the server for a terminal with a board in it.
func (c *client) open(conn *ssh.Client, w, h int) (*ssh.Session, io.Writer, error) {
	s, err := conn.NewSession()
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // it is said as it is
	}
	in, err := s.StdinPipe()
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // as above
	}
	s.Stdout, s.Stderr = terminal{c}, io.Discard
	for _, v := range c.o.Env {
		if name, value, ok := strings.Cut(v, "="); ok {
			_ = s.Setenv(name, value) // the server may not want it
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

// follow passes on keys and sizes until the session ends.
func (c *client) follow(ctx context.Context, s *ssh.Session, in io.Writer, ended <-chan error, w, h int) error {
	look := time.NewTicker(lookAround)
	defer look.Stop()
	typed := make(chan []byte, 64) // a dead line takes none, and must not hold up who wants to quit
	go func() {
		for b := range typed {
			if _, err := in.Write(b); err != nil {
				for range typed { // until it is closed
				}
				return
			}
		}
	}()
	defer close(typed)
	for {
		select {
		case <-ctx.Done():
			return ctx.Err() //nolint:wrapcheck // it is the caller's
		case err := <-ended:
			c.put(err)
			return endOf(err)
		case b := <-c.keys:
			if c.isCovered() && quits(b) {
				return errQuit
			}
			select {
			case typed <- b:
			default: // nobody takes them
			}
		case now := <-look.C:
			nw, nh := c.o.Size()
			quiet, again := c.watch(now)
			if nw != w || nh != h || again {
				w, h = nw, nh
				_ = s.WindowChange(h, w) // the server draws everything then
			}
			if quiet > c.longest() {
				return errors.New("nothing is heard")
			}
		}
	}
}

// longest is how long a server may be silent.
func (c *client) longest() time.Duration {
	if len(c.o.Addresses) > 1 {
		return leftAfter
	}
	return max(deadAfter, c.o.Silence)
}

// put notes whether the server has put the terminal back when a session ended.
func (c *client) put(err error) {
	var status *ssh.ExitError
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dirty = err != nil && !errors.As(err, &status)
}

// endOf is why a session ended, as its exit status has it.
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

// begin notes that there is a connection.
func (c *client) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = time.Now()
}

// hear notes a sign of life.
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

// watch covers the screen when nothing was heard for too long. It returns for how long
// that is, and whether something is heard again.
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

// wait says why there is no connection, until it is time to try again. quit reports
// whether the viewer wants to end.
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

// terminal is the viewer's, as the server writes to it.
type terminal struct{ c *client }

// Write implements [io.Writer]. What comes over a covered screen is not shown: all of it
// is drawn again when that is over.
func (t terminal) Write(b []byte) (int, error) {
	c := t.c
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = time.Now()
	if c.covered {
		return len(b), nil
	}
	c.shown, c.dirty, c.drawn = c.heard, true, true
	return c.o.Out.Write(b) //nolint:wrapcheck // it is the terminal's
}
