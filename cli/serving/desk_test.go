package serving

import (
	"crypto/ed25519"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// TestKnownHost checks names with and without a port.
func TestKnownHost(t *testing.T) {
	t.Parallel()
	pub, _, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(pub)
	if err != nil {
		t.Fatal(err)
	}
	line, err := knownHost([]string{"wb1.example.com", "192.0.2.1:22"}, ":2222", key)
	if err != nil || !strings.HasPrefix(line, "[wb1.example.com]:2222,192.0.2.1 ssh-ed25519 ") {
		t.Errorf("%q, %v", line, err)
	}
	_, hosts, got, _, _, err := ssh.ParseKnownHosts([]byte(line + "\n"))
	if err != nil || len(hosts) != 2 || string(got.Marshal()) != string(key.Marshal()) {
		t.Errorf("read again: %v, %v", hosts, err)
	}
}
