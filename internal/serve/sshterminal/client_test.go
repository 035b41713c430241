package sshterminal

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"wallboard/internal/lib/terminal"
)

const patience = 30 * time.Second

// line is a proxy to a server. It can be cut, and frozen so that it passes no data.
type line struct {
	t    *testing.T
	l    net.Listener
	to   string
	pass sync.RWMutex // locked while the line is frozen

	mu    sync.Mutex
	conns []net.Conn
}

func newLine(t *testing.T, to string) *line {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	x := &line{t: t, l: l, to: to}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			on, err := new(net.Dialer).DialContext(t.Context(), "tcp", to)
			if err != nil {
				_ = from.Close()
				continue
			}
			x.mu.Lock()
			x.conns = append(x.conns, from, on)
			x.mu.Unlock()
			for a, b := range map[net.Conn]net.Conn{from: on, on: from} {
				all.Go(func() { x.copy(a, b) })
			}
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		x.cut()
		all.Wait()
	})
	return x
}

func (x *line) copy(from, to net.Conn) {
	b := make([]byte, 4096)
	for {
		n, err := from.Read(b)
		x.pass.RLock()
		_, werr := to.Write(b[:n])
		x.pass.RUnlock()
		if err != nil || werr != nil {
			_ = from.Close()
			_ = to.Close()
			return
		}
	}
}

func (x *line) cut() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, c := range x.conns {
		_ = c.Close()
	}
	x.conns = nil
}

// show is a board that shows the last key or size. It ends at q, and fails at !.
func show(ctx context.Context, x *Session) error {
	keys := make(chan byte)
	go func() {
		b := make([]byte, 1)
		for {
			if _, err := x.In.Read(b); err != nil {
				return
			}
			select {
			case keys <- b[0]:
			case <-ctx.Done():
				return
			}
		}
	}()
	draw := func(what string) { _, _ = fmt.Fprintf(x.Out, "\x1b[2J\x1b[Hboard %s", what) }
	draw("begun")
	for {
		select {
		case k := <-keys:
			switch k {
			case 'q':
				return nil
			case '!':
				return errors.New("broken")
			}
			draw("key " + string(rune(k)))
		case s := <-x.Resizes:
			draw(fmt.Sprintf("drawn at %dx%d", s.Width, s.Height))
		case <-ctx.Done():
			return nil
		}
	}
}

// servedClient is a server and a client of it.
type servedClient struct {
	t      *testing.T
	line   *line
	key    ssh.Signer
	own    ssh.Signer      // host key of the server
	others []*servedClient // further servers of the client
	hosts  string
	keys   *io.PipeWriter
	ended  chan error
	mu     sync.Mutex
	screen *terminal.Screen
	all    strings.Builder
	server *Server
	leaves string // sequences that the board writes and that the client must reset
	stop   func() // stops the server
	again  func() // restarts the server
}

func (h *servedClient) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all.Write(b)
	return h.screen.Write(b)
}

func (h *servedClient) shows(text string) {
	h.t.Helper()
	for late := time.Now().Add(patience); ; <-time.After(10 * time.Millisecond) {
		h.mu.Lock()
		screen := h.screen.String()
		h.mu.Unlock()
		if strings.Contains(screen, text) {
			return
		}
		if time.Now().After(late) {
			h.t.Fatalf("never seen: %q\n%s", text, screen)
		}
	}
}

func (h *servedClient) press(keys string) {
	h.t.Helper()
	if _, err := io.WriteString(h.keys, keys); err != nil {
		h.t.Error(err)
	}
}

// ends waits for the end of the client, and checks its error and the state of the terminal.
func (h *servedClient) ends(want error) {
	h.t.Helper()
	select {
	case err := <-h.ended:
		if !errors.Is(err, want) {
			h.t.Errorf("it ended with %v, want %v", err, want)
		}
	case <-time.After(patience):
		h.t.Fatal("it does not end")
	}
	_ = h.keys.Close()
	h.mu.Lock()
	defer h.mu.Unlock()
	all := h.all.String()
	if all != "" && !strings.HasSuffix(all, terminal.ResetSequence) || h.screen.UnknownSequence() != "" {
		h.t.Errorf("the terminal is not reset: the output ends with %q; %q", all[max(0, len(all)-100):], h.screen.UnknownSequence())
	}
}

func newServedClient(t *testing.T, known bool) *servedClient {
	t.Helper()
	h := &servedClient{t: t, key: newKey(t), screen: terminal.NewScreen(60, 20), ended: make(chan error, 1), hosts: filepath.Join(t.TempDir(), "ssh", "known_hosts")}
	hostKey := newKey(t)
	h.own = hostKey
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	h.again = func() {
		h.server = New(Options{
			HostKey: hostKey, MaxViewers: 1,
			RunSession: func(ctx context.Context, x *Session) error {
				_, _ = io.WriteString(x.Out, h.leaves)
				defer io.WriteString(x.Out, "\x1b]2;not finished") //nolint:errcheck // the connection may be lost
				return show(ctx, x)
			},
			Access: Access{Accounts: []Account{{Name: "anna", Keys: []ssh.PublicKey{h.key.PublicKey()}}}},
		})
		if l == nil {
			if l, err = new(net.ListenConfig).Listen(t.Context(), "tcp", addr); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func(l net.Listener) { defer close(done); _ = h.server.Serve(ctx, l) }(l)
		l = nil
		h.stop = func() { cancel(); <-done }
	}
	h.again()
	t.Cleanup(func() { h.stop() })
	h.line = newLine(t, addr)
	if known {
		if err := AddKnownHost(&HostError{Address: h.line.l.Addr().String(), Key: hostKey.PublicKey(), File: h.hosts}); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// run starts the client.
func (h *servedClient) run() { h.runUntil(h.t.Context()) }

func (h *servedClient) runUntil(ctx context.Context) {
	in, keys := io.Pipe()
	h.keys = keys
	h.t.Cleanup(func() { _ = in.Close() })
	addresses := []string{h.line.l.Addr().String()}
	for _, o := range h.others {
		addresses = append(addresses, o.line.l.Addr().String())
	}
	go func() {
		h.ended <- RunClient(ctx, ClientOptions{
			Addresses: addresses, In: in, Out: h, Size: func() (int, int) { return 60, 20 }, Term: "xterm",
			Keys: func() ([]ssh.Signer, func(), error) { return []ssh.Signer{h.key}, func() {}, nil }, CheckHostKey: KnownHostsCallback(h.hosts),
			CoverTimeout: 2500 * time.Millisecond, FirstReconnectPause: 50 * time.Millisecond,
			CoverLines: func(_ time.Time, reason string) []string { return []string{"NO CONNECTION", reason} },
		})
	}()
}

// TestQuietBoard checks that the server's signs of life prevent the client from covering the screen of a
// board that draws nothing.
func TestQuietBoard(t *testing.T) {
	t.Parallel()
	h := newServedClient(t, true)
	h.run()
	h.shows("board begun")
	<-time.After(4 * time.Second)
	h.shows("board begun")
	h.press("j")
	h.shows("board key j")
	h.press("q")
	h.ends(nil)
	if strings.Contains(h.all.String(), "NO CONNECTION") {
		t.Error("a quiet board was covered")
	}
}

// TestFrozenLine checks that the client covers the screen while the line is frozen, shows the board again
// afterwards, and lets the viewer quit.
func TestFrozenLine(t *testing.T) {
	t.Parallel()
	h := newServedClient(t, true)
	h.run()
	h.shows("board begun")
	h.line.pass.Lock()
	start := time.Now()
	h.shows("NO CONNECTION")
	t.Logf("covered after %v", time.Since(start))
	h.line.pass.Unlock()
	h.shows("board drawn at 60x20")
	h.line.pass.Lock()
	h.shows("NO CONNECTION")
	h.press("q") // not passed to the server
	h.ends(nil)
	h.line.pass.Unlock()
}

// TestCutLine checks that the client reconnects after the line is cut, and after the server
// restarts.
func TestCutLine(t *testing.T) {
	t.Parallel()
	h := newServedClient(t, true)
	h.run()
	h.shows("board begun")
	h.line.cut()
	h.shows("NO CONNECTION")
	h.shows("board drawn")
	h.stop()
	h.shows("NO CONNECTION")
	h.again()
	h.shows("board drawn")
	h.press("!")
	h.ends(ErrEnded)
}

// TestKickedViewer checks that the client returns the reason if an administrator ends the
// session, instead of changing to another server, and that it shows the reason of a server that
// is full.
func TestKickedViewer(t *testing.T) {
	t.Parallel()
	h := newServedClient(t, true)
	h.beside()
	h.run()
	h.shows("board begun")
	second := newServedClient(t, true)
	second.line, second.key, second.hosts = h.line, h.key, h.hosts
	second.run()
	second.shows("the server is not ready: The server has reached its maximum")
	second.press("q")
	second.ends(nil)
	h.server.EndSessionsOf("anna")
	err := <-h.ended
	if !errors.Is(err, ErrEnded) || !strings.HasSuffix(err.Error(), ": An administrator has ended your session.") {
		t.Errorf("it ended with %v", err)
	}
	_ = h.keys.Close()
}

// TestServerThatOpensNoSession checks that the viewer can quit if the server accepts the login
// but opens no session.
func TestServerThatOpensNoSession(t *testing.T) {
	t.Parallel()
	h := newServedClient(t, true)
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.line = newLine(t, l.Addr().String())
	if err := AddKnownHost(&HostError{Address: h.line.l.Addr().String(), Key: h.own.PublicKey(), File: h.hosts}); err != nil {
		t.Fatal(err)
	}
	asked := make(chan struct{})
	var server sync.WaitGroup
	server.Go(func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		config := &ssh.ServerConfig{PublicKeyCallback: func(ssh.ConnMetadata, ssh.PublicKey) (*ssh.Permissions, error) { return &ssh.Permissions{}, nil }}
		config.AddHostKey(h.own)
		_, channels, requests, err := ssh.NewServerConn(conn, config)
		if err != nil {
			t.Error(err)
			return
		}
		go ssh.DiscardRequests(requests)
		<-channels
		close(asked)
		for range channels { // until the client disconnects
		}
	})
	t.Cleanup(func() { _ = l.Close(); h.line.cut(); server.Wait() })
	h.run()
	select {
	case <-asked:
	case <-time.After(patience):
		t.Fatal("the client asked for no session")
	}
	h.press("q")
	h.ends(nil)
}

// beside starts another server with the same account, and adds it to the client.
func (h *servedClient) beside() *servedClient {
	h.t.Helper()
	o := newServedClient(h.t, true)
	o.stop()
	o.key = h.key
	o.again()
	if err := AddKnownHost(&HostError{Address: o.line.l.Addr().String(), Key: o.own.PublicKey(), File: h.hosts}); err != nil {
		h.t.Fatal(err)
	}
	h.others = append(h.others, o)
	return o
}

// looked waits until a server has exactly one session.
func looked(t *testing.T, at *servedClient) {
	t.Helper()
	for late := time.Now().Add(patience); len(at.server.Sessions()) != 1; <-time.After(10 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal("the server does not have exactly one session")
		}
	}
}

// TestGoesToAnotherServer checks that the client changes to the next server if one becomes
// silent, stops, or drops the connection.
func TestGoesToAnotherServer(t *testing.T) {
	t.Parallel()
	first := newServedClient(t, true)
	second, third := first.beside(), first.beside()
	first.run()
	first.shows("board begun")
	looked(t, first)

	first.line.pass.Lock() // the server becomes silent
	start := time.Now()
	looked(t, second)
	took := time.Since(start)
	t.Logf("at another server after %v", took)
	if took > reconnectTimeout { // the limit for a client of a single server
		t.Errorf("it took %v", took)
	}
	first.shows("board drawn")
	first.line.pass.Unlock()

	second.stop() // a regular stop
	looked(t, third)
	first.shows("board drawn")
	first.press("j")
	first.shows("board key j")

	third.line.cut() // the connection is lost
	looked(t, first) // the first server works again
	first.press("q")
	first.ends(nil)
}

// TestOneOfThemRefuses checks that the client skips a server that refuses it, and ends if all
// servers do.
func TestOneOfThemRefuses(t *testing.T) {
	t.Parallel()
	first := newServedClient(t, true)
	second := first.beside()
	first.stop()
	mine := first.key
	first.key = newKey(t)
	first.again() // now accepts another key
	first.key = mine
	first.run()
	looked(t, second)
	first.shows("board drawn")
	first.press("q")
	if err := <-first.ended; err != nil {
		t.Error(err)
	}
	_ = first.keys.Close()
	first.key = newKey(t)
	first.run()
	if err := <-first.ended; !errors.Is(err, ErrRefused) {
		t.Errorf("it ended with %v", err)
	}
	_ = first.keys.Close()
}

// TestHostsAndKeys checks unknown and changed host keys, and an unknown key of the client.
func TestHostsAndKeys(t *testing.T) {
	t.Parallel()
	h := newServedClient(t, false)
	h.run()
	var unknown *HostError
	if err := <-h.ended; !errors.As(err, &unknown) || unknown.Changed {
		t.Fatalf("%v", err)
	}
	if err := AddKnownHost(unknown); err != nil {
		t.Fatal(err)
	}
	h.run()
	h.shows("board begun")
	h.press("q")
	h.ends(nil)
	mine := h.key
	h.key = newKey(t)
	h.run()
	h.ends(ErrRefused)
	h.key = mine
	if err := os.WriteFile(h.hosts, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	other := *unknown
	other.Key = newKey(t).PublicKey()
	if err := AddKnownHost(&other); err != nil {
		t.Fatal(err)
	}
	h.run()
	err := <-h.ended
	if !errors.As(err, &unknown) || !unknown.Changed || !strings.Contains(err.Error(), "ssh-keygen -R") {
		t.Errorf("another key: %v", err)
	}
}

// TestKeyFiles checks the results of Key and Agent for valid and invalid files.
func TestKeyFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, k, _ := ed25519.GenerateKey(rand.Reader)
	open, _ := ssh.MarshalPrivateKey(k, "")
	locked, _ := ssh.MarshalPrivateKeyWithPassphrase(k, "", []byte("secret"))
	for name, b := range map[string][]byte{"open": pemOf(open), "locked": pemOf(locked), "none": []byte("hello"), "large": make([]byte, maxKeyFileBytes+1)} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "open-cert.pub"), []byte("ssh-ed25519 AAAA"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"locked": "ssh-add", "none": "no private key", "large": "larger than", "missing": "no such file", "open": "not a certificate"} {
		if _, err := LoadKey(filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.Truncate(filepath.Join(dir, "open-cert.pub"), maxKeyFileBytes+1); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadKey(filepath.Join(dir, "open")); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("a large certificate: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "open-cert.pub")); err != nil {
		t.Fatal(err)
	}
	if s, err := LoadKey(filepath.Join(dir, "open")); err != nil || s.PublicKey().Type() != ssh.KeyAlgoED25519 {
		t.Error(err)
	}
	signer, _ := ssh.NewSignerFromKey(k)
	cert := &ssh.Certificate{Key: signer.PublicKey(), CertType: ssh.UserCert}
	if err := cert.SignCert(rand.Reader, newKey(t)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"open": string(pemOf(open)), "open-cert.pub": string(ssh.MarshalAuthorizedKey(cert))} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("\ufeff"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := LoadKey(filepath.Join(dir, "open")); err != nil || s.PublicKey().Type() != ssh.CertAlgoED25519v01 {
		t.Errorf("with byte order marks: %v", err)
	}
	if keys, done := AgentKeys(filepath.Join(dir, "nothing")); len(keys) != 0 {
		t.Error("keys of an agent that is not there")
	} else {
		done()
	}
}

func pemOf(b *pem.Block) []byte { return pem.EncodeToMemory(b) }

// TestKnowEndsALine checks that Know does not change the last line of a file without a final
// line feed.
func TestKnowEndsALine(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "known_hosts")
	signer := newKey(t)
	first := knownhosts.Line([]string{"a.example.com:22"}, signer.PublicKey())
	if err := os.WriteFile(file, []byte(first), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"b.example.com:22", "c.example.com:22"} {
		if err := AddKnownHost(&HostError{Address: host, Key: signer.PublicKey(), File: file}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(got), "\n")
	if len(lines) != 4 || lines[0] != first || lines[3] != "" {
		t.Errorf("the file is\n%s", got)
	}
}

// TestTerminalAtEveryEnd checks that a terminal is reset whatever a server has left set, and
// however the session ends.
func TestTerminalAtEveryEnd(t *testing.T) {
	t.Parallel()
	const left = "\x1b[?1049h\x1b[?1h\x1b[?5h\x1b[?6h\x1b[?7l\x1b[?9h\x1b[?25l\x1b[?69h\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1004h" +
		"\x1b[?1005h\x1b[?1006h\x1b[?1015h\x1b[?1016h\x1b[?2004h\x1b[?2026h\x1b[?2027h\x1b[?2031h\x1b[?2048h" +
		"\x1b(0\x1b[7m\x1b[3;5r\x1b[4h\x1b[8l\x1b[>1u\x1b[>4;2m\x1b]11;#ff0000\x07"
	for name, end := range map[string]func(h *servedClient, stop context.CancelFunc) error{
		"the server": func(h *servedClient, _ context.CancelFunc) error { h.press("q"); return nil },
		"an error":   func(h *servedClient, _ context.CancelFunc) error { h.press("!"); return ErrEnded },
		"a signal":   func(_ *servedClient, stop context.CancelFunc) error { stop(); return nil },
		"lost connection": func(h *servedClient, _ context.CancelFunc) error {
			h.stop()
			h.shows("NO CONNECTION")
			h.press("q")
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newServedClient(t, true)
			h.stop()
			h.leaves = left
			h.again()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			h.runUntil(ctx)
			h.shows("board begun")
			want := end(h, stop)
			h.ends(want)
			h.mu.Lock()
			defer h.mu.Unlock()
			modes := h.screen.Modes()
			for mode, on := range modes {
				if on != (mode == ansi.ModeTextCursorEnable.Mode() || mode == ansi.ModeAutoWrap.Mode()) {
					t.Errorf("mode %d is left %v", mode, on)
				}
			}
			_, at, _ := strings.Cut(h.all.String(), left)
			for _, want := range []string{ansi.ResetStyle, "\x1b(B", "\x1b[r", "\x1b[4l", "\x1b[8h", "\x1b[<1u", "\x1b[>4m", "\x1b]111\x07", "\x1b]2;\x07"} {
				if !strings.Contains(at, want) {
					t.Errorf("%q is not sent", want)
				}
			}
		})
	}
}

// TestRestoreOfAnUnusedTerminal checks that a client that has shown nothing does not touch
// the terminal, and that output after the end is discarded.
func TestRestoreOfAnUnusedTerminal(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	c := &client{options: ClientOptions{Out: &out}}
	c.restoreTerminal()
	_, _ = screenWriter{c}.Write([]byte("too late"))
	if out.String() != "" {
		t.Errorf("it writes %q", out.String())
	}
}

// TestMarkedHosts checks that a byte order mark does not hide the first line of known_hosts.
func TestMarkedHosts(t *testing.T) {
	t.Parallel()
	file, key := filepath.Join(t.TempDir(), "known_hosts"), newKey(t).PublicKey()
	if err := os.WriteFile(file, []byte("\ufeff"+knownhosts.Line([]string{"a.example.com:22"}, key)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := KnownHostsCallback(file)("a.example.com:22", &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 22}, key); err != nil {
		t.Error(err)
	}
}
