package cli

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"wallboard/feeds"
	"wallboard/internal/lib/testkit"
)

// measuredServer is `wallboard serve` and its platform in separate processes.
type measuredServer struct {
	t     *testing.T
	pid   int
	addr  string
	asked io.Writer
	said  *bufio.Reader
	errs  *complaints
	env   []string
}

// complaints collects the output of a process.
type complaints struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *complaints) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *complaints) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// measureServer starts a server with additional lines for [serve] and users.
func measureServer(t *testing.T, platformArgs, more string, users ...string) *measuredServer {
	t.Helper()
	return measureServerOn(t, platform(t, platformArgs), more, users...)
}

// measureServerOn starts a server on an existing platform.
func measureServerOn(t *testing.T, fo feeds.Options, more string, users ...string) *measuredServer {
	t.Helper()
	dir := testkit.PrivateDir(t)
	config := configFile(t, fmt.Sprintf("[ui]\ntheme = \"dark\"\n[rtd]\nurl = %q\nws_url = %q\naccess_token = \"demo-token\"\n"+
		"[serve]\nlisten = \"127.0.0.1:0\"\nmax_viewers = 2000\nhost_key_file = %q\n%s\n", fo.URL, fo.WSURL, filepath.Join(dir, "host"), more)+
		strings.Join(users, ""))
	return startServer(t, os.Args[0], dir, nil, platformEnv+"=serve --config "+config)
}

// startServer starts a serving program that prints its address and answers questions.
func startServer(t *testing.T, program, dir string, args []string, environ ...string) *measuredServer {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	inherited := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOGC=") }) // a server runs without GOGC
	cmd.Env = slices.Concat(inherited, environ, []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CACHE_HOME=" + dir})
	x := &measuredServer{t: t, errs: new(complaints)}
	cmd.Stderr = x.errs
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	asked, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Signal(os.Interrupt); _ = cmd.Wait() })
	x.pid, x.asked, x.said, x.env = cmd.Process.Pid, asked, bufio.NewReader(out), cmd.Env
	text, err := x.said.ReadString('\n')
	if err != nil {
		t.Fatal(err, x.errs.String())
	}
	x.addr, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "the board is at "), ",")
	return x
}

// ask sends a question to the process and returns the answer.
func (x *measuredServer) ask(what string) string {
	x.t.Helper()
	_, _ = io.WriteString(x.asked, what+"\n")
	said, err := x.said.ReadString('\n')
	if err != nil {
		x.t.Fatal(err, x.errs.String())
	}
	return said
}

// count returns the goroutines and the live heap.
func (x *measuredServer) count() (goroutines int, heap int64) {
	x.t.Helper()
	if _, err := fmt.Sscan(x.ask("count"), &goroutines, &heap); err != nil {
		x.t.Fatal(err)
	}
	return goroutines, heap
}

// core returns the CPU usage in percent of a core.
func (x *measuredServer) core(long time.Duration) float64 {
	x.t.Helper()
	before, began := processorTime(x.t, x.pid), time.Now()
	<-time.After(long)
	return 100 * float64(processorTime(x.t, x.pid)-before) / float64(time.Since(began))
}

// client is a viewer, possibly a misbehaving one.
type client struct {
	key           ssh.Signer
	width, height int
	// got, if not nil, receives the size and time of each read. A deaf client never reads.
	got  func(n int, at time.Time)
	saw  func(b []byte) // saw, if not nil, receives the data of each read
	deaf bool
	from byte // last byte of its loopback address; 0: any

	keys    io.Writer
	conn    *ssh.Client
	session *ssh.Session
}

// look logs in and requests a terminal.
func (c *client) look(ctx context.Context, addr string) error {
	var d net.Dialer
	if c.from != 0 {
		d.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, c.from)}
	}
	raw, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	wire := &stopping{Conn: raw}
	conn, channels, requests, err := ssh.NewClientConn(wire, addr, clientConfig(c.key))
	if err != nil {
		_ = raw.Close()
		return err
	}
	c.conn = ssh.NewClient(conn, channels, requests)
	s, err := c.conn.NewSession()
	if err != nil {
		return err
	}
	_ = s.Setenv("COLORTERM", "truecolor")
	_ = s.Setenv("LANG", "C.UTF-8")
	c.session = s
	if s.Stdout = c; c.got == nil {
		s.Stdout = io.Discard
	}
	if c.keys, err = s.StdinPipe(); err != nil {
		return err
	}
	if err := s.RequestPty("xterm-256color", c.height, c.width, nil); err != nil {
		return err
	}
	if err := s.Shell(); err != nil {
		return err
	}
	wire.stopped.Store(c.deaf)
	return nil
}

func (c *client) Write(b []byte) (int, error) {
	c.got(len(b), time.Now())
	if c.saw != nil {
		c.saw(b)
	}
	return len(b), nil
}

// stopping is a connection that can stop reading.
type stopping struct {
	net.Conn
	stopped atomic.Bool
}

func (s *stopping) Read(b []byte) (int, error) {
	for s.stopped.Load() {
		<-time.After(time.Second)
		if _, err := s.Write(nil); err != nil {
			return 0, err
		}
	}
	return s.Conn.Read(b)
}

// crowd connects many clients, at most 16 logins at a time, and returns the duration and
// the server's CPU time per login.
func (x *measuredServer) crowd(clients []*client) (took, each time.Duration) {
	x.t.Helper()
	for i, c := range clients {
		c.from = cmp.Or(c.from, loopbackOf(i))
	}
	var all sync.WaitGroup
	room := make(chan struct{}, 16)
	before, began := processorTime(x.t, x.pid), time.Now()
	for _, c := range clients {
		all.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			if err := c.look(x.t.Context(), x.addr); err != nil {
				x.t.Error(err)
			}
		})
	}
	all.Wait()
	x.t.Cleanup(func() {
		for _, c := range clients {
			if c.conn != nil {
				_ = c.conn.Close()
			}
		}
	})
	return time.Since(began), (processorTime(x.t, x.pid) - before) / time.Duration(max(len(clients), 1))
}

// loopbackOf returns the last byte of a loopback address for the ith viewer: an address has only a
// few connections before the login.
func loopbackOf(i int) byte { return byte(2 + i%250) }

// watchBoard connects a viewer from a loopback address that only counts the received bytes.
func watchBoard(t *testing.T, addr string, from byte, key ssh.Signer, received *atomic.Int64) {
	t.Helper()
	c := &client{key: key, from: from, width: 200, height: 60, got: func(n int, _ time.Time) { received.Add(int64(n)) }}
	if err := c.look(t.Context(), addr); err != nil {
		t.Error(err)
		return
	}
	t.Cleanup(func() { _ = c.conn.Close() })
}
