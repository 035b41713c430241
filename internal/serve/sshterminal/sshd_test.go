package sshterminal

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/crypto/ssh"

	"wallboard/internal/lib/testkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newKey returns a new Ed25519 key.
func newKey(t *testing.T) ssh.Signer {
	t.Helper()
	_, k, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ssh.NewSignerFromKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// house is a server on the loopback interface with two accounts.
type house struct {
	t         *testing.T
	s         *Server
	addr      string
	anna, ben ssh.Signer
	events    chan Event
	stop      context.CancelFunc // ends the server
}

// echo prints the account, the size, each key and each new size until it reads q. It panics
// at !.
func echo(ctx context.Context, x *Session) error {
	_, _ = fmt.Fprintf(x.Out, "hello %s %dx%d %v\n", x.Account.Name, x.Size.Width, x.Size.Height, x.Env)
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
	for {
		select {
		case k := <-keys:
			switch k {
			case 'q':
				return nil
			case '!':
				panic("the board broke")
			}
			_, _ = fmt.Fprintf(x.Out, "key %c\n", k)
		case s := <-x.Resizes:
			_, _ = fmt.Fprintf(x.Out, "size %dx%d\n", s.Width, s.Height)
		case <-ctx.Done():
			return nil
		}
	}
}

func newHouse(t *testing.T, change func(*Options)) *house {
	t.Helper()
	h := &house{t: t, anna: newKey(t), ben: newKey(t), events: make(chan Event, 100_000)}
	o := Options{
		HostKey: newKey(t), MaxViewers: 20, RunSession: echo, OnEvent: func(e Event) { h.events <- e },
		Access: Access{Accounts: []Account{
			{Name: "anna", Keys: []ssh.PublicKey{h.anna.PublicKey()}, MaxSessions: 3, Rights: "view"},
			{Name: "ben", Keys: []ssh.PublicKey{h.ben.PublicKey()}, Rights: "view"},
		}},
	}
	if change != nil {
		change(&o)
	}
	h.s = New(o)
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.addr = l.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	h.stop = cancel
	done := make(chan error, 1)
	go func() { done <- h.s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return h
}

func (h *house) dial(auth ...ssh.AuthMethod) (*ssh.Client, error) {
	return ssh.Dial("tcp", h.addr, &ssh.ClientConfig{
		User: "whoever", Auth: auth, HostKeyCallback: ssh.InsecureIgnoreHostKey(), Timeout: 10 * time.Second,
	})
}

// seat is the terminal of a client's session.
type seat struct {
	*ssh.Session
	in    io.Writer
	lines *bufio.Scanner
	errs  *bufio.Scanner
}

func (h *house) sit(key ssh.Signer) (*ssh.Client, *seat) {
	h.t.Helper()
	c, err := h.dial(ssh.PublicKeys(key))
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = c.Close() })
	s, err := c.NewSession()
	if err != nil {
		h.t.Fatal(err)
	}
	x := &seat{Session: s}
	x.in, _ = s.StdinPipe()
	out, _ := s.StdoutPipe()
	x.lines = bufio.NewScanner(out)
	errs, _ := s.StderrPipe()
	x.errs = bufio.NewScanner(errs)
	_ = s.Setenv("COLORTERM", "truecolor")
	if err := s.RequestPty("xterm", 40, 120, nil); err != nil {
		h.t.Fatal(err)
	}
	if err := s.Shell(); err != nil {
		h.t.Fatal(err)
	}
	return c, x
}

// says waits for a line that contains want.
func (x *seat) says(t *testing.T, want string) {
	t.Helper()
	waitForLine(t, x.lines, want)
}

// isTold waits for a line on standard error that contains want.
func (x *seat) isTold(t *testing.T, want string) {
	t.Helper()
	waitForLine(t, x.errs, want)
}

func waitForLine(t *testing.T, lines *bufio.Scanner, want string) {
	t.Helper()
	for lines.Scan() {
		if strings.Contains(lines.Text(), want) {
			return
		}
	}
	t.Errorf("never said: %s", want)
}

// endsWith waits for the exit status of the session.
func (x *seat) endsWith(t *testing.T, want int) {
	t.Helper()
	got := 0
	err := x.Wait()
	var status *ssh.ExitError
	if errors.As(err, &status) {
		got = status.ExitStatus()
	} else if err != nil {
		t.Error(err)
	}
	if got != want {
		t.Errorf("the exit status is %d, want %d", got, want)
	}
}

// TestSession runs a session from the login to the end.
func TestSession(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	_, x := h.sit(h.anna)
	x.says(t, "hello anna 120x40 [COLORTERM=truecolor TERM=xterm]")
	_, _ = io.WriteString(x.in, "j")
	x.says(t, "key j")
	_ = x.WindowChange(50, 200)
	x.says(t, "size 200x50")
	_ = x.WindowChange(65535, 1<<31)
	x.says(t, "size 500x200")
	for range 2000 { // faster than the server can pass on
		_ = x.WindowChange(10, 20)
	}
	x.says(t, "size 20x10")
	if all := h.s.Sessions(); len(all) != 1 || all[0].Account.Name != "anna" || all[0].Sent.Load() == 0 || all[0].Received.Load() != 1 {
		t.Errorf("%+v", all)
	}
	_, _ = io.WriteString(x.in, "q")
	if err := x.Wait(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"login", "logout"} {
		if e := <-h.events; e.Kind != want || e.User != "anna" {
			t.Errorf("%+v, should be %s", e, want)
		}
	}
}

// TestNobodyElse checks that other ways to log in fail.
func TestNobodyElse(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	weak, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	rsaKey, _ := ssh.NewSignerFromKey(weak)
	for name, auth := range map[string][]ssh.AuthMethod{
		"no key":             nil,
		"a password":         {ssh.Password("anna")},
		"questions":          {ssh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })},
		"a key of nobody":    {ssh.PublicKeys(newKey(t))},
		"a weak key":         {ssh.PublicKeys(rsaKey)},
		"anna's, not proved": {ssh.PublicKeys(pretender{h.anna, newKey(t)})},
	} {
		if c, err := h.dial(auth...); err == nil {
			t.Errorf("%s: let in", name)
			_ = c.Close()
		}
	}
	_, x := h.sit(h.anna)
	x.says(t, "hello anna")
}

// pretender offers one key and signs with another.
type pretender struct{ shown, has ssh.Signer }

func (p pretender) PublicKey() ssh.PublicKey { return p.shown.PublicKey() }

func (p pretender) Sign(r io.Reader, b []byte) (*ssh.Signature, error) { return p.has.Sign(r, b) }

// TestCertificates checks that only valid certificates of an authority allow a login.
func TestCertificates(t *testing.T) {
	t.Parallel()
	authority, other := newKey(t), newKey(t)
	h := newHouse(t, func(o *Options) { o.Access.Authorities = []ssh.PublicKey{authority.PublicKey()} })
	now := uint64(time.Now().Unix())
	for name, c := range map[string]struct {
		by   ssh.Signer
		cert ssh.Certificate
		let  bool
	}{
		"good":                 {authority, ssh.Certificate{CertType: ssh.UserCert, ValidPrincipals: []string{"ben"}, ValidBefore: now + 60}, true},
		"of nobody":            {authority, ssh.Certificate{CertType: ssh.UserCert, ValidBefore: now + 60}, false},
		"of a stranger":        {authority, ssh.Certificate{CertType: ssh.UserCert, ValidPrincipals: []string{"carl"}, ValidBefore: now + 60}, false},
		"over":                 {authority, ssh.Certificate{CertType: ssh.UserCert, ValidPrincipals: []string{"ben"}, ValidBefore: now - 60}, false},
		"not yet":              {authority, ssh.Certificate{CertType: ssh.UserCert, ValidPrincipals: []string{"ben"}, ValidAfter: now + 600, ValidBefore: now + 900}, false},
		"of a host":            {authority, ssh.Certificate{CertType: ssh.HostCert, ValidPrincipals: []string{"ben"}, ValidBefore: now + 60}, false},
		"by somebody":          {other, ssh.Certificate{CertType: ssh.UserCert, ValidPrincipals: []string{"ben"}, ValidBefore: now + 60}, false},
		"for a command":        {authority, ssh.Certificate{CertType: ssh.UserCert, ValidPrincipals: []string{"ben"}, ValidBefore: now + 60, Permissions: ssh.Permissions{CriticalOptions: map[string]string{"force-command": "x"}}}, false},
		"from another address": {authority, ssh.Certificate{CertType: ssh.UserCert, ValidPrincipals: []string{"ben"}, ValidBefore: now + 60, Permissions: ssh.Permissions{CriticalOptions: map[string]string{"source-address": "192.0.2.1/32"}}}, false},
		"from here":            {authority, ssh.Certificate{CertType: ssh.UserCert, ValidPrincipals: []string{"ben"}, ValidBefore: now + 60, Permissions: ssh.Permissions{CriticalOptions: map[string]string{"source-address": "127.0.0.0/8"}}}, true},
	} {
		key := newKey(t)
		cert := c.cert
		cert.Key = key.PublicKey()
		if err := cert.SignCert(rand.Reader, c.by); err != nil {
			t.Fatal(err)
		}
		signer, err := ssh.NewCertSigner(&cert, key)
		if err != nil {
			t.Fatal(err)
		}
		h.s.failedLogins.Reset()
		client, err := h.dial(ssh.PublicKeys(signer))
		if (err == nil) != c.let {
			t.Errorf("a certificate %s: %v", name, err)
		}
		if err == nil {
			_ = client.Close()
		}
	}
}

// TestExpiry checks that a session ends when its certificate expires.
func TestExpiry(t *testing.T) {
	t.Parallel()
	authority, key := newKey(t), newKey(t)
	h := newHouse(t, func(o *Options) { o.Access.Authorities = []ssh.PublicKey{authority.PublicKey()} })
	cert := ssh.Certificate{Key: key.PublicKey(), CertType: ssh.UserCert, ValidPrincipals: []string{"ben"}, ValidBefore: uint64(time.Now().Unix()) + 3}
	if err := cert.SignCert(rand.Reader, authority); err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewCertSigner(&cert, key)
	if err != nil {
		t.Fatal(err)
	}
	_, x := h.sit(signer)
	x.says(t, "hello ben")
	x.isTold(t, "Your certificate has expired.")
	if time.Now().Unix() < int64(cert.ValidBefore) {
		t.Error("the session ended before its certificate expired")
	}
}

// TestLogins checks the limits on the logins and connections of one account.
func TestLogins(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{HostKey: newKey(t), MaxViewers: 100, Access: Access{Accounts: []Account{{Name: "anna", MaxSessions: 2}, {Name: "ben", MaxSessions: 30}}}})
		try := func(name string, n int) (soon, full int) {
			var all []func()
			for range n {
				left, ok, early := s.countLogin(name)
				all = append(all, left)
				if early {
					soon++
				}
				if !ok {
					full++
				}
			}
			for _, left := range all {
				left()
			}
			return soon, full
		}
		if soon, full := try("anna", 20); soon != 10 || full != 20-2-maxExtraConnections {
			t.Errorf("of 20 logins %d were too early and %d too many", soon, full)
		}
		if soon, _ := try("ben", 30); soon != 0 {
			t.Error("an account with 30 sessions may have them at once")
		}
		<-time.After(3 * time.Second)
		if soon, full := try("anna", 4); soon != 1 || full != 0 {
			t.Errorf("after 3 s %d of 4 logins were too early, %d too many", soon, full)
		}
	})
}

// TestPlaceForAdmins checks that an admin can log in when the server is full for others.
func TestPlaceForAdmins(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(o *Options) {
		o.MaxViewers = 2
		o.Access.Accounts[0].Admin = true
	})
	_, x := h.sit(h.ben)
	x.says(t, "hello ben")
	_, y := h.sit(h.ben)
	y.isTold(t, "reached its maximum number of viewers")
	_, z := h.sit(h.anna)
	z.says(t, "hello anna")
}

// TestNoSHA1 checks that the server refuses algorithms with SHA-1.
func TestNoSHA1(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	for what, c := range map[string]ssh.Config{
		"key exchange": {KeyExchanges: []string{ssh.InsecureKeyExchangeDH14SHA1}},
		"MAC":          {MACs: []string{ssh.HMACSHA1, ssh.InsecureHMACSHA196}, Ciphers: []string{ssh.CipherAES128CTR}},
	} {
		client, err := ssh.Dial("tcp", h.addr, &ssh.ClientConfig{Config: c, User: "x", Auth: []ssh.AuthMethod{ssh.PublicKeys(h.anna)}, HostKeyCallback: ssh.InsecureIgnoreHostKey()})
		if err == nil {
			_ = client.Close()
			t.Errorf("a %s with SHA-1 was agreed on", what)
		}
	}
}

// TestRefusedRequests checks that the server refuses everything but a terminal, and ends a
// connection with too many refusals.
func TestRefusedRequests(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	c, x := h.sit(h.anna)
	x.says(t, "hello")
	for _, kind := range []string{"exec", "subsystem", "x11-req", "auth-agent-req@openssh.com", "env", "pty-req", "shell", "break", "eow@openssh.com", "whatever"} {
		if ok, err := x.SendRequest(kind, true, ssh.Marshal(struct{ Name, Value string }{"LD_PRELOAD", "/tmp/x"})); ok || err != nil {
			t.Errorf("%s: %v, %v", kind, ok, err)
		}
	}
	for _, kind := range []string{"tcpip-forward", "streamlocal-forward@openssh.com", "cancel-tcpip-forward", "no-more-sessions@openssh.com", "whatever"} {
		if ok, _, err := c.SendRequest(kind, true, nil); ok || err != nil {
			t.Errorf("%s: %v, %v", kind, ok, err)
		}
	}
	for _, kind := range []string{"direct-tcpip", "forwarded-tcpip", "x11", "auth-agent@openssh.com", "direct-streamlocal@openssh.com", "tun@openssh.com", "session"} {
		var refused *ssh.OpenChannelError
		if _, _, err := c.OpenChannel(kind, nil); !errors.As(err, &refused) {
			t.Errorf("%s: %v", kind, err)
		}
	}
	_, _ = io.WriteString(x.in, "j")
	x.says(t, "key j")
	for n := 10 + 7; n < maxRefusedRequests; n++ { // 10 requests and 7 channels were refused above
		if _, _, err := c.OpenChannel("direct-tcpip", nil); !errors.As(err, new(*ssh.OpenChannelError)) {
			t.Fatal(err)
		}
	}
	// No more channels: opening one while the connection ends may block forever.
	for range maxRefusedRequests {
		if _, err := x.SendRequest("exec", true, nil); err != nil {
			return // the connection has ended
		}
	}
	t.Error("the number of requests is not limited")
}

// TestCommandWithoutATerminal checks that a session channel without a terminal gets no
// command, file transfer or shell.
func TestCommandWithoutATerminal(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	c, err := h.dial(ssh.PublicKeys(h.anna))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close() //nolint:errcheck // nothing depends on it
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	for name, ask := range map[string]func() error{
		"a command": func() error { return s.Start("id") }, "files": func() error { return s.RequestSubsystem("sftp") }, "a shell without a terminal": s.Shell,
	} {
		if err := ask(); err == nil {
			t.Errorf("%s was granted", name)
		}
	}
	if n := len(h.s.Sessions()); n != 0 {
		t.Errorf("%d sessions", n)
	}
}

// TestTooMany checks the limits on the sessions of the server and of one account.
func TestTooMany(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(o *Options) { o.MaxViewers = 4 })
	for range 3 {
		_, x := h.sit(h.anna)
		x.says(t, "hello anna")
	}
	_, x := h.sit(h.anna)
	x.isTold(t, "reached your maximum number of sessions")
	_, y := h.sit(h.ben)
	y.says(t, "hello ben")
	_, z := h.sit(h.ben)
	z.isTold(t, "reached its maximum number of viewers")
}

// TestChangedAccess checks that Allow ends the sessions of changed accounts and no others.
func TestChangedAccess(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	_, anna := h.sit(h.anna)
	anna.says(t, "hello anna")
	_, ben := h.sit(h.ben)
	ben.says(t, "hello ben")
	access := h.s.options.Access
	access.Accounts = append([]Account(nil), access.Accounts...)
	access.Accounts[1].Rights = "kiosk"
	start := time.Now()
	h.s.SetAccess(access)
	ben.isTold(t, "Log in again")
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	_, _ = io.WriteString(anna.in, "j")
	anna.says(t, "key j")
	access.Accounts[0].Keys = []ssh.PublicKey{h.ben.PublicKey()}
	h.s.SetAccess(access)
	anna.isTold(t, "no longer accepted")
	if _, err := h.dial(ssh.PublicKeys(h.anna)); err == nil {
		t.Error("anna's old key lets somebody in")
	}
}

// TestKick checks that Kick ends the sessions of one user only.
func TestKick(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	_, anna := h.sit(h.anna)
	anna.says(t, "hello anna")
	_, ben := h.sit(h.ben)
	ben.says(t, "hello ben")
	if n := h.s.EndSessionsOf("anna"); n != 1 {
		t.Errorf("%d sessions", n)
	}
	anna.isTold(t, "An administrator has ended your session")
	anna.endsWith(t, 1)
	_, _ = io.WriteString(ben.in, "j")
	ben.says(t, "key j")
	_, _ = io.WriteString(ben.in, "q")
	ben.endsWith(t, 0)
}

// TestServerEndIsExplained checks that a server that stops tells its viewers so, with the exit status
// that makes wallboard view reconnect.
func TestServerEndIsExplained(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	_, anna := h.sit(h.anna)
	anna.says(t, "hello anna")
	h.stop()
	anna.isTold(t, "The server is stopping or restarting.")
	anna.endsWith(t, ExitReconnect)
}

// TestPanicOfOneBoard checks that a panic ends only its own session.
func TestPanicOfOneBoard(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	_, anna := h.sit(h.anna)
	_, ben := h.sit(h.ben)
	_, _ = io.WriteString(anna.in, "!")
	anna.isTold(t, "The board has failed")
	anna.endsWith(t, 1)
	_, _ = io.WriteString(ben.in, "j")
	ben.says(t, "key j")
}

// wrongKeysEnv is the environment variable for the number of wrong keys.
const wrongKeysEnv = "SSHD_WRONG_KEYS"

// TestWrongKeys checks that many logins with a wrong key do not disturb a viewer.
func TestWrongKeys(t *testing.T) {
	t.Parallel()
	n := 300
	if m, err := strconv.Atoi(os.Getenv(wrongKeysEnv)); err == nil {
		n = m
	}
	h := newHouse(t, nil)
	_, x := h.sit(h.anna)
	x.says(t, "hello")
	bad := newKey(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range n / 4 {
				if _, err := h.dial(ssh.PublicKeys(bad)); err == nil {
					t.Error("let in")
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	worst := time.Duration(0)
	for over := false; !over; {
		select {
		case <-done:
			over = true
		default:
			start := time.Now()
			_, _ = io.WriteString(x.in, "j")
			x.says(t, "key j")
			worst = max(worst, time.Since(start))
		}
	}
	t.Logf("%d wrong keys; the slowest key of the viewer took %v", n, worst)
	if worst > 10*time.Second {
		t.Errorf("a key took %v", worst)
	}
	if h.s.failedLogins.Allows("127.0.0.1") && n > 100 {
		t.Log("the address may try again already")
	}
}

// TestHalfOpenHandshakes checks that 500 half-open connections from ten addresses neither block a login
// from another address nor disturb a viewer, even without timeouts.
func TestHalfOpenHandshakes(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(o *Options) { o.noLoginTimeouts = true })
	_, x := h.sit(h.anna)
	x.says(t, "hello")
	var flood sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	defer flood.Wait()
	defer cancel()
	for i := range 10 {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+i))}}
		for range 50 {
			c, err := d.DialContext(ctx, "tcp", h.addr)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close() //nolint:errcheck // it may be closed already
		}
	}
	for h.s.handshakeLimiter.Len() < maxHandshakes {
		<-time.After(time.Millisecond)
	}
	start := time.Now()
	c, err := h.dial(ssh.PublicKeys(h.ben))
	if err != nil {
		t.Fatalf("the login of another address: %v", err)
	}
	_ = c.Close()
	t.Logf("a login took %v", time.Since(start))
	_, _ = io.WriteString(x.in, "j")
	x.says(t, "key j")
	if n := h.s.handshakeLimiter.Len(); n > maxHandshakes {
		t.Errorf("%d handshakes, at most %d are allowed", n, maxHandshakes)
	}
}

// TestBanner checks that the server closes a silent connection after bannerTimeout.
func TestBanner(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close() //nolint:errcheck // it may be closed already
	start := time.Now()
	_, _ = io.Copy(io.Discard, c)
	if took := time.Since(start); took < bannerTimeout/2 || took > handshakeTimeout-2*time.Second {
		t.Errorf("a silent connection was closed after %v, want %v", took, bannerTimeout)
	}
}

func TestHostKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "keys", "host_ed25519")
	key, made, err := HostKey(path)
	if err != nil || !made {
		t.Fatal(made, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	again, made, err := HostKey(path)
	if err != nil || made || string(again.PublicKey().Marshal()) != string(key.PublicKey().Marshal()) {
		t.Errorf("another key, %v, %v", made, err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := HostKey(path); err == nil {
		t.Error("a key that others can read is taken")
	}
}

func TestParseKey(t *testing.T) {
	t.Parallel()
	good := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(newKey(t).PublicKey())))
	if _, err := ParseKey(good + " anna@desk"); err != nil {
		t.Error(err)
	}
	weak, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	short, err := ssh.NewPublicKey(&weak.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, line := range map[string]string{
		"nothing": "", "a word": "anna", "options": `command="id" ` + good, "two": good + "\n" + good, "weak": string(ssh.MarshalAuthorizedKey(short)),
	} {
		if _, err := ParseKey(line); err == nil {
			t.Errorf("%s is taken for a key", name)
		}
	}
}

// shortOfFiles is a listener whose first calls of Accept fail with EMFILE.
type shortOfFiles struct {
	net.Listener
	left int
}

func (l *shortOfFiles) Accept() (net.Conn, error) {
	if l.left > 0 {
		l.left--
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return l.Listener.Accept()
}

// TestTooManyOpenFiles checks that the server continues after errors of Accept.
func TestTooManyOpenFiles(t *testing.T) {
	t.Parallel()
	key := newKey(t)
	s := New(Options{HostKey: newKey(t), MaxViewers: 1, RunSession: echo, Access: Access{Accounts: []Account{{Name: "anna", Keys: []ssh.PublicKey{key.PublicKey()}}}}})
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, &shortOfFiles{l, 2}) }()
	h := &house{t: t, s: s, addr: l.Addr().String()}
	c, err := h.dial(ssh.PublicKeys(key))
	if err != nil {
		t.Errorf("after the shortage: %v", err)
	} else {
		_ = c.Close()
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
