package cli

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/crypto/ssh"

	"wallboard/cli/command"
	"wallboard/internal/vt"
)

// remote is a viewer's terminal, over SSH.
type remote struct {
	t       *testing.T
	session *ssh.Session
	keys    io.Writer

	mu     sync.Mutex
	screen *vt.Screen
	all    bytes.Buffer
}

func (r *remote) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all.Write(b)
	return r.screen.Write(b)
}

func (r *remote) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.screen.String()
}

func (r *remote) shows(texts ...string) {
	r.t.Helper()
	for late := time.Now().Add(patienceOfTests); ; <-time.After(20 * time.Millisecond) {
		if text := r.text(); containsAll(text, texts) {
			return
		} else if time.Now().After(late) {
			r.t.Fatalf("never seen: %q\n%s", texts, text)
		}
	}
}

const patienceOfTests = time.Minute

func containsAll(s string, texts []string) bool {
	for _, text := range texts {
		if !strings.Contains(s, text) {
			return false
		}
	}
	return true
}

func sshKey(t *testing.T) ssh.Signer {
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

// look logs in with a key and asks for a terminal.
func look(t *testing.T, addr string, key ssh.Signer, w, h int) *remote {
	t.Helper()
	c, err := ssh.Dial("tcp", addr, &ssh.ClientConfig{
		User: "x", Auth: []ssh.AuthMethod{ssh.PublicKeys(key)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(), Timeout: patienceOfTests,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	r := &remote{t: t, session: s, screen: vt.NewScreen(w, h)}
	r.keys, _ = s.StdinPipe()
	s.Stdout = r
	if err := s.RequestPty("xterm-256color", h, w, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Shell(); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *remote) press(keys string) {
	r.t.Helper()
	if _, err := io.WriteString(r.keys, keys); err != nil {
		r.t.Error(err)
	}
}

// TestServe has two people look at a board over SSH, one of whom may not see names,
// and takes the other out of the configuration.
func TestServe(t *testing.T) {
	t.Parallel()
	anna, wall := sshKey(t), sshKey(t)
	line := func(k ssh.Signer) string { return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(k.PublicKey()))) }
	s := newScripts(t, nil, quiet(), "[serve]\nlisten = \"127.0.0.1:0\"\nevery = \"200ms\"\nhost_key_file = \""+filepath.Join(t.TempDir(), "keys", "host")+"\"\n"+
		"[[serve.user]]\nname = \"wall\"\nkeys = [\""+line(wall)+"\"]\nnames = \"hidden\"\npage = \"Agents\"\n")
	before, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	rewrite(t, s.config, string(before)+"\n[[serve.user]]\nname = \"anna\"\nkeys = [\""+line(anna)+"\"]\npage = \"Agents\"\n")
	ctx, cancel := context.WithCancel(t.Context())
	said := make(chan string, 10)
	var errs bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- Run(ctx, []string{"serve", "--config", s.config}, command.Streams{In: strings.NewReader(""), Out: onLine(func(line string) { said <- line }), Err: &errs})
	}()
	var addr string
	select {
	case text := <-said:
		addr, _, _ = strings.Cut(strings.TrimPrefix(text, "the board is at "), ",")
	case code := <-ended:
		t.Fatalf("it ended with %d: %s", code, errs.String())
	}

	a := look(t, addr, anna, 120, 40)
	a.shows("Agents", "Activity")
	agent := agents(t, s.srv)[0]
	w := look(t, addr, wall, 100, 30)
	w.shows("▌  Agent ") // with a number: 1 may have gone home
	if strings.Contains(w.text(), agent) {
		t.Errorf("%s is on a screen without names:\n%s", agent, w.text())
	}
	a.press("?")
	a.shows("Keys")
	a.press("x")
	if err := a.session.WindowChange(20, 60); err != nil {
		t.Error(err)
	}
	a.mu.Lock()
	a.screen = vt.NewScreen(60, 20)
	a.mu.Unlock()
	a.shows("Agents")

	rewrite(t, s.config, string(before))
	start := time.Now()
	if err := a.session.Wait(); err != nil {
		t.Error(err)
	}
	t.Logf("it took %v to show out who is no longer allowed", time.Since(start))
	for mode, on := range a.screen.Modes() {
		if on != (mode == ansi.ModeTextCursorEnable.Mode() || mode == ansi.ModeAutoWrap.Mode()) {
			t.Errorf("mode %d of the terminal is left %v", mode, on)
		}
	}
	w.press("q")
	if err := w.session.Wait(); err != nil {
		t.Error(err)
	}
	if err := vt.Stream(w.all.Bytes(), true); err != nil {
		t.Error(err)
	}
	cancel()
	if code := <-ended; code != command.ExitOK {
		t.Errorf("it ended with %d: %s", code, errs.String())
	}
}
