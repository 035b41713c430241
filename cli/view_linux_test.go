package cli

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"net"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/crypto/ssh"

	"wallboard/internal/testkit"
)

// TestView uses the own client: an unknown server is asked about once, and the terminal is
// restored.
func TestView(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	_, k, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(k, "")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "key")
	if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(k)
	if err != nil {
		t.Fatal(err)
	}
	s := serveTo(t, newScripts(t, nil, quiet()), serveUser("anna", signer, "page = \"Agents\""))
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
		x.shows("─ Services")
		x.press("q")
		x.leaves()
	}
	s.end()
}
