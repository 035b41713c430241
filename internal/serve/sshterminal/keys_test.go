package sshterminal

import (
	"crypto/ed25519"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

// TestOddLinesArePassedOver checks that a line of SSH 1 and one with invalid base64 are
// skipped, and that a file that cannot be read is a final error.
func TestOddLinesArePassedOver(t *testing.T) {
	t.Parallel()
	pub, _, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(pub)
	if err != nil {
		t.Fatal(err)
	}
	const address = "wall.example.com:2222"
	file := filepath.Join(t.TempDir(), "known_hosts")
	text := "oldhost 1024 35 1432725\nbroken.example.com ssh-ed25519 AAAA!!!\n# a word\n\n" + knownhosts.Line([]string{address}, key) + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	remote := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 2222}
	if err := KnownHostsCallback(file)(address, remote, key); err != nil {
		t.Errorf("the server that is known: %v", err)
	}
	var host *HostError
	if err := KnownHostsCallback(file)("other.example.com:2222", remote, key); !errors.As(err, &host) || host.Changed || host.File != file {
		t.Errorf("another one: %v", err)
	}
	if err := KnownHostsCallback(filepath.Dir(file))(address, remote, key); err == nil || !isFinal(err) {
		t.Errorf("a file that cannot be read is tried again: %v", err)
	}
}
