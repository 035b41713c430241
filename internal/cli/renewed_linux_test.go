package cli

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/webservice"
)

// Secrets that the services refuse at first.
const (
	expiredSecret = "expired-secret"
	laterSecret   = "later-secret"
)

// ownSecret is the password of a viewer's own login.
const ownSecret = "own-secret"

// secretProxy forwards requests to a simulated platform and records the secrets in them.
type secretProxy struct {
	*httptest.Server

	mu   sync.Mutex
	sent map[string]bool // secrets that were sent; true: the service accepted one of the requests
}

// sentSecret is the context key of the secret in a request.
type sentSecret struct{}

func newSecretProxy(t *testing.T, to string, secrets ...string) *secretProxy {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	p := &secretProxy{sent: make(map[string]bool)}
	forward := &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: target.Scheme, Host: target.Host}) },
		ModifyResponse: p.record,
		ErrorHandler:   func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var text bytes.Buffer
		_ = r.Header.Write(&text)
		if r.Header.Get("Upgrade") == "" {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			text.Write(body)
		}
		for _, secret := range secrets {
			if strings.Contains(text.String(), secret) {
				r = r.WithContext(context.WithValue(r.Context(), sentSecret{}, secret))
			}
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { p.CloseClientConnections(); p.Close() })
	return p
}

// record records the answer to a request with a secret.
func (p *secretProxy) record(r *http.Response) error {
	secret, ok := r.Request.Context().Value(sentSecret{}).(string)
	if !ok || r.StatusCode == http.StatusSwitchingProtocols {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent[secret] = p.sent[secret] || r.StatusCode == http.StatusOK && !bytes.Contains(body, []byte(`"errors"`))
	return nil
}

// await waits until a secret was sent and, with accepted, until a request with it was accepted.
func (p *secretProxy) await(t *testing.T, secret string, accepted bool, output func() string) {
	t.Helper()
	for late := time.After(patience); ; {
		p.mu.Lock()
		got, ok := p.sent[secret]
		p.mu.Unlock()
		if ok && (got || !accepted) {
			return
		}
		select {
		case <-late:
			t.Fatalf("%q was not sent, or not accepted: %s", secret, output())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// renewal describes a program whose secret is in a file and is replaced.
type renewal struct {
	name        string
	args        string // command line
	terminal    bool   // the program needs a terminal
	credentials bool   // the file is in $CREDENTIALS_DIRECTORY
	keyring     bool   // the secret is in the keyring instead of a file
	key         string // name of the secret: table.key
	valid       string // the secret that the service accepts
	history     bool   // the page History is opened
	viewer      bool   // a user of the server opens a board
}

func renewals() []renewal {
	token := renewal{key: "rtd.access_token", valid: canaryToken}
	var all []renewal
	for name, args := range services() {
		r := token
		r.name, r.args = name, args
		all = append(all, r)
	}
	for name, args := range map[string]string{"board": "", "kiosk": "kiosk", "--metrics": "--metrics 127.0.0.1:0"} {
		r := token
		r.name, r.args, r.terminal = name, args, true
		all = append(all, r)
	}
	return append(all,
		renewal{name: "password", args: "metrics --addr 127.0.0.1:0", key: "rtd.password", valid: canaryPassword},
		renewal{name: "credentials directory", args: "metrics --addr 127.0.0.1:0", credentials: true, key: "rtd.access_token", valid: canaryToken},
		renewal{name: "keyring", args: "metrics --addr 127.0.0.1:0", keyring: true, key: "rtd.access_token", valid: canaryToken},
		renewal{name: "keyring of a server", args: "serve", keyring: true, key: "rtd.access_token", valid: canaryToken},
		renewal{name: "actions of a user", args: "serve", key: "serve.user.rest.password", valid: ownSecret, viewer: true},
		renewal{name: "keyring of a user", args: "serve", keyring: true, key: "serve.user.rest.password", valid: ownSecret, viewer: true},
		renewal{name: "actions of a board", terminal: true, key: "rest.password", valid: canaryPassword},
		renewal{name: "actions by token", terminal: true, key: "rest.access_token", valid: canaryToken},
		renewal{name: "actions of viewers", args: "serve", key: "rest.password", valid: canaryPassword},
		renewal{name: "history of a board", terminal: true, key: "history.api_key", valid: simulator.DefaultAPIKey, history: true},
		renewal{name: "history of viewers", args: "serve", key: "history.api_key", valid: simulator.DefaultAPIKey, history: true},
	)
}

// TestRenewedSecrets starts programs with a secret that a service refuses. First the folder of the
// secret's file is replaced, or the secret in the keyring. No notification reports this: the programs
// read the secret again because it is refused. Then the file with the valid secret is written again.
func TestRenewedSecrets(t *testing.T) {
	t.Parallel()
	for _, r := range renewals() {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			anna := sshKey(t)
			own := webservice.Account{Username: "anna.own", Password: ownSecret, Name: "Anna", Surname: "Own", Supervisor: true}
			s := newScripts(t, func(o *simulator.Options) {
				o.Switches.SocketAuth = rtd.SocketAuthSession
				o.Users = append(o.Users, own)
			}, quiet(), "[[notify]]\nname = \"a\"\ncommand = [\"/bin/true\"]\n", "[serve]\nlisten = \"127.0.0.1:0\"\n"+
				serveUser("anna", anna, "role = \"act\"\n[serve.user.rest]\nusername = \"anna.own\"\npassword = \""+ownSecret+"\""))
			proxy := newSecretProxy(t, s.srv.HTTPURL(), expiredSecret, r.valid, laterSecret)
			if r.keyring {
				keyring := newSecretService(t, expiredSecret)
				rewrite(t, s.config, r.with(t, s, proxy, "_keyring", "wallboard/anna"))
				p := r.start(t, s.config, "export DBUS_SESSION_BUS_ADDRESS="+keyring.address+"; ", anna)
				proxy.await(t, expiredSecret, false, p.output)
				keyring.set(r.valid)
				p.reconnect(t)
				proxy.await(t, r.valid, true, p.output)
				return
			}
			file, replace := r.prepare(t, s, proxy)
			p := r.start(t, s.config, "export CREDENTIALS_DIRECTORY="+filepath.Dir(file)+"; ", anna)
			proxy.await(t, expiredSecret, false, p.output)
			replace()
			p.reconnect(t)
			proxy.await(t, r.valid, true, p.output)
			rewrite(t, file, laterSecret+"\n")
			p.reconnect(t)
			proxy.await(t, laterSecret, false, p.output)
		})
	}
}

// renewing is a running program whose secret is replaced.
type renewing struct {
	output    func() string
	reconnect func(t *testing.T) // logs in again if the renewal has ended the session of a viewer with an own login
}

// prepare moves the secret from the configuration to a file and lets the program use the proxy.
// replace replaces a parent of the file's directory by one with the valid secret.
func (r *renewal) prepare(t *testing.T, s *scripts, proxy *secretProxy) (file string, replace func()) {
	t.Helper()
	dir := filepath.Dir(s.config)
	file = filepath.Join(dir, "current", "secrets", "secret")
	for version, secret := range map[string]string{"1": expiredSecret, "2": r.valid} {
		if err := os.MkdirAll(filepath.Join(dir, version, "secrets"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, version, "secrets", "secret"), []byte(secret+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := func(version string) {
		if err := os.Symlink(version, filepath.Join(dir, "next")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "next"), filepath.Join(dir, "current")); err != nil {
			t.Fatal(err)
		}
	}
	link("1")
	path := file
	if r.credentials {
		path = filepath.Base(file)
	}
	rewrite(t, s.config, r.with(t, s, proxy, "_file", path))
	return file, func() { link("2") }
}

// with returns the configuration with another source of the secret, and with the addresses of a proxy.
func (r *renewal) with(t *testing.T, s *scripts, proxy *secretProxy, source, value string) string {
	t.Helper()
	config, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	dot := strings.LastIndex(r.key, ".")
	table, key := r.key[:dot], r.key[dot+1:]
	before, rest, found := strings.Cut(string(config), "\n["+table+"]\n")
	text, after, _ := strings.Cut(rest, "\n[")
	if !found {
		t.Fatalf("no [%s] in the configuration", table)
	}
	var lines []string
	for line := range strings.Lines(text + "\n") {
		switch name, _, _ := strings.Cut(line, " "); {
		case slices.Contains([]string{"access_token", "password", "api_key"}, name): // replaced by the source
		case name == "username" && key != "password": // not used with a token
		default:
			lines = append(lines, line)
		}
	}
	if key == "password" && !strings.Contains(text, "username = ") {
		lines = append(lines, "username = \"supervisor\"\n")
	}
	if r.key == "rtd.password" {
		lines = append(lines, "auth = \"login\"\n")
	}
	lines = append(lines, key+source+" = \""+value+"\"\n")
	out := before + "\n[" + table + "]\n" + strings.Join(lines, "") + "[" + after
	host, proxyHost := hostOf(t, s.srv.HTTPURL()), hostOf(t, proxy.URL)
	return strings.ReplaceAll(out, host, proxyHost)
}

func hostOf(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// start starts the program after the shell command before. user is a user of the server.
func (r *renewal) start(t *testing.T, config, before string, user ssh.Signer) renewing {
	t.Helper()
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "wallboard", "themes"), 0o700); err != nil { // without the folder, files would be polled
		t.Fatal(err)
	}
	args := append(strings.Fields(r.args), "--config", config)
	if r.terminal {
		x := newTerminal(t, home, args...)
		if r.history {
			x.shows("LIVE")
			x.press("8")
		}
		return renewing{x.text, func(*testing.T) {}}
	}
	p, first := launchProgram(t, home, before, args...)
	out := renewing{p.errs.String, func(*testing.T) {}}
	if !r.history && !r.viewer {
		return out
	}
	address, _, _ := strings.Cut(strings.TrimPrefix(<-first, "the board is at "), ",")
	viewer := look(t, address, user, terminalWidth, terminalHeight)
	viewer.shows("LIVE")
	if r.history {
		viewer.press("8")
		return out
	}
	out.reconnect = func(t *testing.T) {
		t.Helper()
		if err := viewer.session.Wait(); err == nil { // the server ends the session, because the login has changed
			t.Error("the session ends without a reason")
		}
		viewer = look(t, address, user, terminalWidth, terminalHeight)
	}
	return out
}
