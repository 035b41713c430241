package cli

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/testkit"
)

// keyFile writes a new private key to a file in a directory.
func keyFile(t *testing.T, dir string) (key ssh.Signer, file string) {
	t.Helper()
	_, k, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(k, "")
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "key")
	if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	key, err = ssh.NewSignerFromKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return key, file
}

// hostLine logs in with a key and returns the known_hosts line of the server.
func hostLine(t *testing.T, addr string, key ssh.Signer) (line string) {
	t.Helper()
	config := clientConfig(key)
	config.HostKeyCallback = func(host string, _ net.Addr, key ssh.PublicKey) error {
		line = knownhosts.Line([]string{host}, key)
		return nil
	}
	_ = dial(t, addr, config).Close()
	return line
}

// TestView uses the program's own client: it asks about an unknown server once, and restores the
// terminal. A viewer whose session is ended by an administrator is told the reason.
func TestView(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	signer, file := keyFile(t, dir)
	admin := sshKey(t)
	s := serveTo(t, newScripts(t, nil, quiet()), serveUser("anna", signer, "page = \"Agents\""), serveUser("ben", admin, "role = \"admin\""))
	host, port, err := net.SplitHostPort(s.addr)
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range []bool{false, true} {
		x := newTerminal(t, dir, "view", host, "--port", port, "--identity", file, "--known-hosts", filepath.Join(dir, "hosts"))
		if !known {
			x.shows("is not known: its key is SHA256:", "yes")
			x.press("yes\r")
		}
		x.shows("LIVE", "Activity")
		x.press("2")
		x.shows("2 Services ─")
		if !known {
			x.press("q")
			x.leaves()
			continue
		}
		b := look(t, s.addr, admin, 120, 40)
		b.shows("LIVE")
		b.press(":kick anna\r")
		b.shows("End all of anna's sessions?")
		b.press("y")
		x.waitForEnd()
		if code := x.cmd.ProcessState.ExitCode(); code != cmdutil.ExitFailed || !strings.Contains(x.errs.String(), "An administrator has ended your session.") {
			t.Errorf("a kicked viewer: it ended with %d and said %s", code, x.errs.String())
		}
	}
	s.end()
}

// TestViewLeavesUnknownServersOut passes three servers: a known one, one whose key has changed, and an
// unknown one. The board of the known server is shown without a question, also if nobody can be asked.
func TestViewLeavesUnknownServersOut(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	signer, file := keyFile(t, dir)
	var servers [3]*running
	for i := range servers {
		servers[i] = serveTo(t, newScripts(t, nil, quiet()), serveUser("anna", signer, "page = \"Agents\""))
		defer servers[i].end()
	}
	unknown, changed, known := servers[0].addr, servers[1].addr, servers[2].addr
	hosts := filepath.Join(dir, "hosts")
	other := knownhosts.Line([]string{changed}, sshKey(t).PublicKey())
	if err := os.WriteFile(hosts, []byte(hostLine(t, known, signer)+"\n"+other+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, batch := range [][]string{nil, {"--batch"}} {
		x := newTerminal(t, dir, append([]string{"view", unknown, changed, known, "--identity", file, "--known-hosts", hosts}, batch...)...)
		x.shows("LIVE", "Activity")
		x.press("q")
		x.waitForEnd()
		if said := x.errs.String(); !strings.Contains(said, "warning: "+unknown) || !strings.Contains(said, "warning: "+changed) {
			t.Errorf("%v: it said %s", batch, said)
		}
	}
	x := newTerminal(t, dir, "view", unknown, "--identity", file, "--known-hosts", hosts, "--batch")
	x.waitForEnd()
	if !strings.Contains(x.errs.String(), unknown+" is not known") {
		t.Errorf("an unknown server alone: it said %s", x.errs.String())
	}
}
