package sshd

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

	"wallboard/internal/lib/sshlib"
)

// Size is the size of a terminal in cells.
type Size struct{ Width, Height int }

// Limits on what a client may request for its terminal.
const (
	maxWidth, maxHeight = 500, 200
	maxEnv              = 16  // environment variables
	maxValue            = 128 // bytes of one variable
)

// Session is the terminal of a user who is logged in.
type Session struct {
	ID      uint64
	Account Account
	Remote  string
	Since   time.Time
	Env     []string // TERM; COLORTERM, NO_COLOR, LANG and LC_* if the client sent them
	Size    Size     // at the start
	Resizes <-chan Size
	In      io.Reader
	Out     io.WriteCloser // Close ends the connection

	Received, Sent atomic.Int64 // bytes
	Busy           atomic.Int64 // nanoseconds spent on drawing; updated by Options.Show

	key     string
	resizes chan Size
	channel ssh.Channel
	ended   chan struct{}
	once    sync.Once
	last    atomic.Pointer[string] // message shown at the end
	hangUp  func()
}

// end ends a session with a message on standard error, or without one if the client ends it.
// Only the first call has an effect.
func (x *Session) end(why string) {
	x.once.Do(func() {
		x.last.Store(&why)
		close(x.ended)
	})
}

// counted is the terminal of a session. It counts the bytes read and written.
type counted struct{ x *Session }

// Read implements [io.Reader].
func (c counted) Read(b []byte) (int, error) {
	n, err := c.x.channel.Read(b)
	c.x.Received.Add(int64(n))
	return n, err
}

// piece is the maximum number of bytes in one write. The library keeps two buffers as large
// as the longest write for each connection; a whole frame would make them 32 KiB each.
const piece = 4000

// Write implements [io.Writer].
func (c counted) Write(b []byte) (written int, err error) {
	for part := range slices.Chunk(b, piece) {
		n, err := c.x.channel.Write(part)
		c.x.Sent.Add(int64(n))
		written += n
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// Close implements [io.Closer].
func (c counted) Close() error { c.x.hangUp(); return nil }

// link is an authenticated connection.
type link struct {
	server  *Server
	conn    *ssh.ServerConn
	raw     io.Closer
	host    string
	name    string
	key     string
	until   time.Time // expiry of the certificate; zero: never
	soon    bool      // the account logs in too often
	refused atomic.Int32
}

// run serves the connection until it ends.
func (l *link) run(ctx context.Context, channels <-chan ssh.NewChannel, requests <-chan *ssh.Request) {
	var beside sync.WaitGroup
	defer waitFor(&beside, endTime)
	defer sshlib.Close(l.conn) //nolint:errcheck // it may be closed already
	beside.Go(func() { ssh.DiscardRequests(requests) })
	beside.Go(l.stayAlive)
	late := time.AfterFunc(shellTime, func() { _ = l.raw.Close() }) // the client has opened no terminal
	defer late.Stop()
	defer beside.Go(func() { // the library blocks until all channels are received
		for channel := range channels {
			_ = channel.Reject(ssh.Prohibited, "it is over")
		}
	})
	taken := false
	for channel := range channels {
		if channel.ChannelType() != "session" || taken {
			_ = channel.Reject(ssh.Prohibited, "a terminal, and one of them, is all there is")
			if l.refused.Add(1) > maxRefused {
				return
			}
			continue
		}
		taken = true
		ch, asked, err := channel.Accept()
		if err != nil {
			return
		}
		beside.Go(func() {
			defer beside.Go(func() { drain(asked) }) // as above
			defer l.conn.Close()                     //nolint:errcheck // it may be closed already
			l.terminal(ctx, ch, asked, late)
		})
	}
}

// stayAlive sends signs of life, and closes the connection if the client does not answer.
func (l *link) stayAlive() {
	gone := make(chan struct{})
	go func() { _ = l.conn.Wait(); close(gone) }()
	every := time.NewTicker(aliveEvery)
	defer every.Stop()
	beat := make(<-chan time.Time)
	if strings.HasPrefix(string(l.conn.ClientVersion()), watchful) {
		t := time.NewTicker(beatEvery)
		defer t.Stop()
		beat = t.C
	}
	for {
		select {
		case <-gone:
			return
		case <-beat:
			// A beat has no reply: the board closes a connection that accepts no data.
			_, _, _ = l.conn.SendRequest("beat@wallboard", false, nil)
			continue
		case <-every.C:
		}
		late := time.AfterFunc(aliveTime, func() { _ = l.raw.Close() })
		_, _, err := l.conn.SendRequest("keepalive@openssh.com", true, nil)
		late.Stop()
		if err != nil {
			return
		}
	}
}

// Payloads of the requests of a session channel (RFC 4254, sections 6.2, 6.4, 6.7, 6.9, 6.10).
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

// terminal serves a session channel until it ends. late closes the connection unless the
// board starts in time.
func (l *link) terminal(ctx context.Context, ch ssh.Channel, asked <-chan *ssh.Request, late *time.Timer) {
	x := &Session{
		Remote: l.host, Since: time.Now(), key: l.key, channel: ch, ended: make(chan struct{}), resizes: make(chan Size, 1),
		hangUp: func() { _ = l.raw.Close() },
	}
	x.Account.Name = l.name
	x.Resizes, x.In, x.Out = x.resizes, counted{x}, counted{x}
	var shown chan struct{} // closed when the board ends; nil: not started
	defer func() {
		x.end("")
		if shown != nil {
			<-shown
		}
		_ = ch.Close()
	}()
	for {
		select {
		case <-shown:
			return
		case r, ok := <-asked:
			if !ok {
				return
			}
			begin := r.Type == "shell" && shown == nil && x.Size != Size{}
			ok = begin || l.ask(x, r, shown != nil)
			if r.WantReply {
				_ = r.Reply(ok, nil)
			}
			if !ok {
				if l.refused.Add(1) > maxRefused {
					return
				}
			}
			if begin {
				late.Stop()
				shown = make(chan struct{})
				go func() { defer close(shown); l.show(ctx, x) }()
			}
		}
	}
}

func drain(asked <-chan *ssh.Request) {
	for range asked {
	}
}

// ask handles a request and reports whether it is granted. It grants only what a terminal
// needs. shown reports whether the board has started.
func (l *link) ask(x *Session, r *ssh.Request, shown bool) bool {
	switch r.Type {
	case "pty-req":
		var p ptyRequest
		if shown || x.Size != (Size{}) || ssh.Unmarshal(r.Payload, &p) != nil || len(p.Term) > maxValue {
			return false
		}
		x.Size = sized(p.Width, p.Height)
		x.setenv("TERM", p.Term)
		return true
	case "env":
		var e envRequest
		if shown || ssh.Unmarshal(r.Payload, &e) != nil {
			return false
		}
		return wanted(e.Name) && x.setenv(e.Name, e.Value)
	case "window-change":
		var w windowRequest
		if x.Size == (Size{}) || ssh.Unmarshal(r.Payload, &w) != nil {
			return false
		}
		select { // replace an older size
		case <-x.resizes:
		default:
		}
		x.resizes <- sized(w.Width, w.Height)
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

// sized returns a size within the limits.
func sized(w, h uint32) Size {
	return Size{int(min(max(w, 1), maxWidth)), int(min(max(h, 1), maxHeight))}
}

// wanted reports whether an environment variable describes the terminal or the locale.
func wanted(name string) bool {
	return slices.Contains([]string{"COLORTERM", "NO_COLOR", "LANG"}, name) || strings.HasPrefix(name, "LC_")
}

// setenv adds an environment variable and reports whether it is valid: short printable
// ASCII.
func (x *Session) setenv(name, value string) bool {
	odd := func(c rune) bool { return c < ' ' || c > '~' }
	if len(x.Env) >= maxEnv || len(name)+len(value) > maxValue || strings.ContainsFunc(name+value, odd) {
		return false
	}
	x.Env = append(x.Env, name+"="+value)
	return true
}

// show runs the board of a session until it ends.
func (l *link) show(ctx context.Context, x *Session) {
	s := l.server
	why := tooSoon
	if !l.soon {
		why = s.add(x)
	}
	if why != "" {
		s.o.Noted(Event{What: "refused", User: l.name, Remote: l.host, Why: why})
		_, _ = fmt.Fprintf(x.channel.Stderr(), "%s\r\n", why)
		status := uint32(1)
		if why == noRoom || why == tooSoon {
			status = ComeAgain
		}
		l.exit(x, status)
		return
	}
	defer s.remove(x)
	defer l.expire(x)()
	s.o.Noted(Event{What: "login", User: l.name, Remote: l.host})
	s.o.Log.Info("somebody looks", "user", l.name, "from", l.host)
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
	err := l.guarded(ctx, x)
	status := uint32(0)
	if server.Err() != nil {
		status = ComeAgain
	}
	if err != nil {
		status = 1
		s.o.Log.Error("a session ended", "user", l.name, "error", err)
		why := "The board has failed. The server's log has the reason."
		x.last.CompareAndSwap(nil, &why)
	}
	s.o.Noted(Event{What: "logout", User: l.name, Remote: l.host})
	if why := x.last.Load(); why != nil && *why != "" {
		if status == 0 {
			status = 1 // the viewer has not quit
		}
		late := time.AfterFunc(time.Second, x.hangUp)
		_, _ = fmt.Fprintf(x.channel.Stderr(), "\r%s\r\n", *why) // the cursor may be in any column
		late.Stop()
	}
	l.exit(x, status)
}

// tooSoon is the message for an account that logs in too often.
const tooSoon = "You log in too often. Try again in some seconds."

// expire ends a session when its certificate expires, unless stop is called before. It
// checks the time at least once a minute, because the clock may be set or the machine may
// be suspended.
func (l *link) expire(x *Session) (stop func()) {
	if l.until.IsZero() {
		return func() {}
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		for {
			left := time.Until(l.until)
			if left <= 0 {
				x.end("Your certificate has expired.")
				return
			}
			pause(ctx, min(left, time.Minute))
			if ctx.Err() != nil {
				return
			}
		}
	}()
	return stop
}

// guarded runs the board and returns a panic as an error.
func (l *link) guarded(ctx context.Context, x *Session) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("sshd: panic: %v\n%s", r, debug.Stack())
		}
	}()
	return l.server.o.Show(ctx, x)
}

// exit sends the exit status and closes the channel. After a second without success it
// closes the connection.
func (l *link) exit(x *Session, status uint32) {
	late := time.AfterFunc(time.Second, x.hangUp)
	defer late.Stop()
	_, _ = x.channel.SendRequest("exit-status", false, ssh.Marshal(exitStatus{status}))
	_ = x.channel.Close()
}
