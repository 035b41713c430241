package cli

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/crypto/ssh"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/control/audit"
	"wallboard/internal/lib/terminal"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/webservice"
)

// remote is a viewer's terminal over SSH.
type remote struct {
	t       *testing.T
	session *ssh.Session
	keys    io.Writer

	mu     sync.Mutex
	screen *terminal.Screen
	all    bytes.Buffer
	errs   bytes.Buffer
}

// remoteErrors keeps the standard error of a remote, which may arrive before the rest of its
// output.
type remoteErrors struct{ *remote }

func (r remoteErrors) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.errs.Write(b)
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
	return r.screen.String() + r.errs.String()
}

func (r *remote) shows(texts ...string) {
	r.t.Helper()
	r.until(fmt.Sprintf("never seen: %q", texts), func(screen string) bool { return containsAll(screen, texts) })
}

// hides waits until a text disappears.
func (r *remote) hides(text string) {
	r.t.Helper()
	r.until(fmt.Sprintf("it stays: %q", text), func(screen string) bool { return !strings.Contains(screen, text) })
}

// until waits for a state of the screen.
func (r *remote) until(otherwise string, ok func(screen string) bool) {
	r.t.Helper()
	for late := time.Now().Add(patienceOfTests); ; <-time.After(20 * time.Millisecond) {
		if text := r.text(); ok(text) {
			return
		} else if time.Now().After(late) {
			r.t.Fatalf("%s\n%s", otherwise, text)
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

// lookWhenAllowed is look for a user who is about to be admitted.
func lookWhenAllowed(t *testing.T, addr string, key ssh.Signer, w, h int) *remote {
	t.Helper()
	c := dialUntil(t, addr, clientConfig(key), func(error) bool { return true })
	_ = c.Close()
	return look(t, addr, key, w, h)
}

// dial connects to a server. On a busy machine the server can give up before the client has
// sent its first line; dial tries again then.
func dial(t *testing.T, addr string, config *ssh.ClientConfig) *ssh.Client {
	t.Helper()
	return dialUntil(t, addr, config, func(err error) bool {
		return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)
	})
}

// dialUntil connects to a server. It tries again after some errors.
func dialUntil(t *testing.T, addr string, config *ssh.ClientConfig, again func(error) bool) *ssh.Client {
	t.Helper()
	for late := time.Now().Add(patienceOfTests); ; <-time.After(50 * time.Millisecond) {
		c, err := ssh.Dial("tcp", addr, config)
		if err == nil {
			return c
		}
		if !again(err) || time.Now().After(late) {
			t.Fatal(err)
		}
	}
}

func clientConfig(key ssh.Signer) *ssh.ClientConfig {
	return &ssh.ClientConfig{
		User: "x", Auth: []ssh.AuthMethod{ssh.PublicKeys(key)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(), Timeout: patienceOfTests,
	}
}

// look logs in with a key and requests a terminal.
func look(t *testing.T, addr string, key ssh.Signer, w, h int) *remote {
	t.Helper()
	c := dial(t, addr, clientConfig(key))
	t.Cleanup(func() { _ = c.Close() })
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	r := &remote{t: t, session: s, screen: terminal.NewScreen(w, h)}
	r.keys, _ = s.StdinPipe()
	s.Stdout, s.Stderr = r, remoteErrors{r}
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

// running is a running `wallboard serve`.
type running struct {
	*scripts
	addr  string
	stop  context.CancelFunc
	ended chan int
	errs  bytes.Buffer
}

func keyLine(k ssh.Signer) string {
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(k.PublicKey())))
}

// serveUser returns a [[serve.user]] with a key and additional lines.
func serveUser(name string, key ssh.Signer, lines string) string {
	return fmt.Sprintf("[[serve.user]]\nname = %q\nkeys = [%q]\n%s\n", name, keyLine(key), lines)
}

// serveTo runs a server for users.
func serveTo(t *testing.T, s *scripts, users ...string) *running {
	t.Helper()
	before, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	rewrite(t, s.config, string(before)+"\n[serve]\nlisten = \"127.0.0.1:0\"\nevery = \"200ms\"\nhost_key_file = \""+filepath.Join(testkit.PrivateDir(t), "keys", "host")+"\"\n"+strings.Join(users, ""))
	return serveAgain(t, s)
}

// serveAgain runs a server with the existing configuration.
func serveAgain(t *testing.T, s *scripts) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	said := make(chan string, 10)
	x := &running{scripts: s, stop: cancel, ended: make(chan int, 1)}
	go func() {
		x.ended <- Run(ctx, []string{"serve", "--config", s.config}, cmdutil.Streams{In: strings.NewReader(""), Out: onLine(func(line string) { said <- line }), Err: &x.errs})
	}()
	select {
	case text := <-said:
		x.addr, _, _ = strings.Cut(strings.TrimPrefix(text, "the board is at "), ",")
	case code := <-x.ended:
		t.Fatalf("it ended with %d: %s", code, x.errs.String())
	}
	return x
}

// end shuts the server down.
func (x *running) end() {
	x.t.Helper()
	x.stop()
	if code := <-x.ended; code != cmdutil.ExitOK {
		x.t.Errorf("it ended with %d: %s", code, x.errs.String())
	}
}

// TestServe serves two viewers, one without names, and removes the other from the
// configuration.
func TestServe(t *testing.T) {
	t.Parallel()
	anna, wall := sshKey(t), sshKey(t)
	x := serveTo(t, newScripts(t, nil, quiet()), serveUser("wall", wall, "names = \"hidden\"\npage = \"Agents\""))
	before, err := os.ReadFile(x.config)
	if err != nil {
		t.Fatal(err)
	}
	rewrite(t, x.config, string(before)+"\n"+serveUser("anna", anna, "page = \"Agents\""))
	a := lookWhenAllowed(t, x.addr, anna, 120, 40)
	a.shows("Agents", "Activity")
	agent := agents(t, x.srv)[0]
	w := look(t, x.addr, wall, 100, 30)
	w.shows("▌  Agent ") // any number, because agent 1 may have logged out
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
	a.screen = terminal.NewScreen(60, 20)
	a.mu.Unlock()
	a.shows("Agents")

	rewrite(t, x.config, string(before))
	start := time.Now()
	if err := a.session.Wait(); !isStatus(err, 1) {
		t.Error(err)
	}
	t.Logf("it took %v to end the session of a removed user", time.Since(start))
	for mode, on := range a.screen.Modes() {
		if on != (mode == ansi.ModeTextCursorEnable.Mode() || mode == ansi.ModeAutoWrap.Mode()) {
			t.Errorf("mode %d of the terminal is left %v", mode, on)
		}
	}
	w.press("q")
	if err := w.session.Wait(); err != nil {
		t.Error(err)
	}
	if err := terminal.CheckStream(w.all.Bytes(), true); err != nil {
		t.Error(err)
	}
	x.end()
}

// done returns the finished actions of an audit log: user, login and action.
func done(t *testing.T, path string) (list []string) {
	t.Helper()
	for e, err := range audit.Read(path, audit.Filter{}) {
		if err != nil {
			t.Error(err)
		}
		if e.Finished && e.Action != "viewer-logout" { // their order is not fixed
			list = append(list, e.Person+" as "+e.User+": "+e.Action+" "+e.Outcome)
		}
	}
	return list
}

// TestServedRoles tries to act with every role.
func TestServedRoles(t *testing.T) {
	t.Parallel()
	ben, anna, carla, wall := sshKey(t), sshKey(t), sshKey(t), sshKey(t)
	own := webservice.Account{Username: "carla.own", Password: canaryPassword, Name: "Carla", Surname: "Own", Supervisor: true}
	s := newScripts(t, func(o *simulator.Options) { o.Users = append(o.Users, own) }, quiet())
	secret := filepath.Join(testkit.PrivateDir(t), "carla")
	if err := os.WriteFile(secret, []byte(canaryPassword), 0o600); err != nil {
		t.Fatal(err)
	}
	x := serveTo(t, s, serveUser("ben", ben, "pages = [\"campaigns\", \"Agents\"]"), serveUser("wall", wall, "role = \"kiosk\"\npages = [\"Groups\"]"), serveUser("anna", anna, "page = \"Campaigns\"\nrole = \"act\""),
		serveUser("carla", carla, "page = \"Campaigns\"\nrole = \"admin\"\nrest = { username = \"carla.own\", password_file = "+fmt.Sprintf("%q", secret)+" }"))
	b := look(t, x.addr, ben, 120, 40)
	b.shows("Win-back 1", "1 Campaigns  2 Agents  3 Situations  4 Feed")
	look(t, x.addr, wall, 120, 40).shows("Groups")
	b.press("xdaly:stop")
	b.shows("Commands", "0 of ")
	c := look(t, x.addr, carla, 120, 40)
	c.shows("Win-back 1", "LIVE")
	c.press("x")
	c.shows("Stop Win-back 1?")
	c.press("y")
	c.shows("was stopped")
	a := look(t, x.addr, anna, 120, 40)
	a.shows("Win-back 1", "LIVE")
	a.press("d")
	a.shows("Start campaign", "Win-back 1")
	a.press("y")
	path := filepath.Join(filepath.Dir(s.log), "audit.jsonl")
	for late := time.Now().Add(patienceOfTests); len(done(t, path)) < 2 && time.Now().Before(late); {
		<-time.After(50 * time.Millisecond)
	}
	x.end()
	want := []string{"carla as carla.own: campaign-stop confirmed", "anna as supervisor: campaign-start confirmed"}
	if diff := cmp.Diff(want, done(t, path)); diff != "" {
		t.Error(diff)
	}
	visits := done(t, filepath.Join(filepath.Dir(s.log), "audit-visits.jsonl"))
	want = []string{
		"ben as supervisor: viewer-login confirmed", "wall as supervisor: viewer-login confirmed",
		"carla as supervisor: viewer-login confirmed", "anna as supervisor: viewer-login confirmed",
	}
	if diff := cmp.Diff(want, visits); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(x.errs.String(), canaryPassword) {
		t.Error("a secret is in the log")
	}
}

// TestServedTogether checks presence, messages, turning a wall's page, following and ending
// a session.
func TestServedTogether(t *testing.T) {
	t.Parallel()
	anna, ben, hall := sshKey(t), sshKey(t), sshKey(t)
	x := serveTo(t, newScripts(t, nil, quiet()), serveUser("Anna", anna, "role = \"admin\"\npage = \"Services\""), serveUser("Ben", ben, "page = \"Agents\""),
		serveUser("hall", hall, "role = \"kiosk\""))
	a, h := look(t, x.addr, anna, 120, 40), look(t, x.addr, hall, 100, 30)
	b := look(t, x.addr, ben, 120, 40)
	a.shows("Ben", "LIVE")
	b.shows("Anna", "LIVE")
	h.shows("next:")
	b.press(":tell lunch at one\r")
	a.shows("Ben: lunch at one")
	b.shows("Sent to 1 board")
	b.press(":page hall Campaigns\r")
	b.shows("Your role cannot")
	a.press(":page hall campaigns\r")
	h.shows(" Campaigns ", "Win-back 1")
	a.press(":tell hall Well done\r")
	h.shows("Anna: Well done")
	b.press(":follow anna\r")
	a.shows("Ben asks to share your screen", "Allow")
	a.press("n")
	b.shows("Anna has declined")
	a.hides("Allow")
	b.press(":follow anna\r")
	a.shows("Allow")
	a.press("y")
	b.shows("following Anna", "2 Services ─")
	a.press("5")
	b.shows("5 Campaigns ─", "Win-back 1")
	b.press("4")
	b.shows("You no longer follow Anna")
	a.press(":viewers\r")
	a.shows("Viewers", "Ben (view, full) from 127.0.0.1", "hall (kiosk, hidden)")
	a.press("\x1b")
	a.hides("Viewers") // otherwise esc and the next key would be read as alt
	a.press(":kick ben\r")
	a.shows("End all of Ben's sessions?")
	a.press("y")
	if err := b.session.Wait(); !isStatus(err, 1) {
		t.Error(err)
	}
	a.shows("1 session of Ben has ended.")
	if text := b.text(); !strings.Contains(text, "An administrator has ended your session") {
		t.Errorf("Ben is told\n%s", text)
	}
	x.end()
}

// TestServedMemory checks that a take-over survives a restart of the server, and that a
// restricted viewer has no history.
func TestServedMemory(t *testing.T) {
	t.Parallel()
	anna, ben := sshKey(t), sshKey(t)
	s := newScripts(t, nil, quiet(), alwaysAlert("trouble", "critical"))
	x := serveTo(t, s, serveUser("Anna", anna, "page = \"Situations\""), serveUser("Ben", ben, "services = [\"SRV01\"]\npage = \"History\""))
	b := look(t, x.addr, ben, 120, 40)
	b.shows("LIVE", "The history of earlier days")
	a := look(t, x.addr, anna, 120, 40)
	a.shows("LIVE", "Trouble")
	a.press("8")
	a.shows("Today")
	a.press("7")
	a.shows("Trouble")
	a.press("m")
	a.shows("Take over", "Everyone")
	a.press("I call them\x13")
	a.shows("Taken by Anna")
	b.press("7")
	b.shows("Trouble")
	x.end()
	x = serveAgain(t, s)
	a = look(t, x.addr, anna, 120, 40)
	a.shows("LIVE", "Trouble", "Anna")
	x.end()
}

// TestServedFailures breaks the server's resources one after another while viewers are
// connected.
func TestServedFailures(t *testing.T) {
	t.Parallel()
	anna, ben := sshKey(t), sshKey(t)
	s := newScripts(t, nil, quiet())
	platformOnly, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	x := serveTo(t, s, serveUser("anna", anna, "role = \"act\"\npage = \"Campaigns\""), serveUser("ben", ben, "page = \"Campaigns\""))
	served, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	a, b := look(t, x.addr, anna, 120, 40), look(t, x.addr, ben, 120, 40)
	a.shows("Win-back 1", "LIVE")
	b.shows("Win-back 1", "LIVE")

	// The audit log cannot be written: logins work, actions are refused.
	path := filepath.Join(filepath.Dir(s.log), "audit.jsonl")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	again := look(t, x.addr, ben, 100, 30)
	again.shows("Win-back 1")
	a.press("x")
	a.shows("Stop Win-back 1?")
	a.press("y")
	a.shows("Not sent", "the audit file cannot")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}

	// A configuration without users, and an invalid one, change nothing.
	for _, text := range []string{string(platformOnly), string(served) + "\n[serve.users]\n", string(served) + "\n[[serve.user]]\nname = \"carl\"\nkeys = [\"none\"]\n"} {
		rewrite(t, s.config, text)
		<-time.After(time.Second)
		b.press("2")
		b.shows("2 Services ─")
		b.press("5")
		b.shows("5 Campaigns ─")
	}

	// Another role in the file: the session ends soon, the others continue.
	rewrite(t, s.config, strings.Replace(string(served), "role = \"act\"", "role = \"view\"", 1))
	begun := time.Now()
	if err := a.session.Wait(); !isStatus(err, 1) {
		t.Errorf("a session whose role changed ends with %v", err)
	}
	if took := time.Since(begun); took > 20*time.Second && !testkit.Race {
		t.Errorf("it took %v to end the session of somebody with another role", took)
	}
	a = look(t, x.addr, anna, 120, 40)
	a.shows("read-only")

	// The platform is gone: all viewers are told.
	if err := x.srv.Close(); err != nil {
		t.Error(err)
	}
	a.shows("cannot be reached")
	b.shows("cannot be reached")
	x.end()
}

// isStatus reports whether a session has ended with a status.
func isStatus(err error, want int) bool {
	var exit *ssh.ExitError
	return errors.As(err, &exit) && exit.ExitStatus() == want
}
