package sshterminal

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"wallboard/internal/lib/testkit"
)

// hostKey returns a new key and its known_hosts line.
func hostKey(t *testing.T, pattern string) (ssh.PublicKey, string) {
	t.Helper()
	pub, _, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(pub)
	if err != nil {
		t.Fatal(err)
	}
	return key, pattern + " " + strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))) + "\n"
}

// TestKnownHostsMemory limits the memory for reading a known_hosts file.
func TestKnownHostsMemory(t *testing.T) { //nolint:paralleltest // the test counts allocations
	_, plain := hostKey(t, "a")
	_, many := hostKey(t, strings.Repeat("a,", 2000)+"b")
	_, hash := hostKey(t, knownhosts.HashHostname("wall.example.com"))
	_, wild := hostKey(t, "a*b*c")
	_, long := hostKey(t, "a")
	file := filepath.Join(t.TempDir(), "known_hosts")
	testkit.CheckMemory(t, []testkit.Pattern{
		{Repeated: plain},
		{Repeated: "@revoked " + plain},
		{Repeated: "@cert-authority " + plain},
		{Repeated: many},
		{Repeated: hash},
		{Repeated: wild},
		{Repeated: "\n"},
		{Repeated: "a b c\n"},
		{Repeated: "a b"},
		{Repeated: "a "},
		{Repeated: ","},
		{Repeated: "*"},
		{Repeated: "#"},
		{Repeated: "|1|"},
		{Before: "a", Repeated: ",a", After: strings.TrimPrefix(long, "a")},
		{Before: strings.TrimSpace(long), Repeated: " c"},
	}, 160, func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_ = KnownHostsCallback(file)("wall.example.com:2222", &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 2222}, testKey(t, plain))
	})
}

func testKey(t *testing.T, line string) ssh.PublicKey {
	t.Helper()
	_, _, key, _, _, err := ssh.ParseKnownHosts([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestUnusableHosts checks that the line of the server is found after lines that the library cannot read
// or would compare for too long.
func TestUnusableHosts(t *testing.T) {
	t.Parallel()
	const address = "wall.example.com:2222"
	key, line := hostKey(t, knownhosts.Normalize(address))
	_, slow := hostKey(t, strings.Repeat("*?", 20)+"!")
	_, wild := hostKey(t, "a*b*c")
	_, long := hostKey(t, strings.Repeat("a", 70<<10))
	for name, odd := range map[string]string{
		"many *": slow, "many *, revoked": "@revoked " + slow, "many patterns with several *": strings.Repeat(wild, 1<<15), "a long line": long,
		"a broken hash": "|1|a|b " + strings.TrimPrefix(line, knownhosts.Normalize(address)+" "), "no name": "! " + strings.TrimPrefix(line, knownhosts.Normalize(address)+" "),
		"an unknown marker": "@other " + line, "a broken port": "[a " + strings.TrimPrefix(line, knownhosts.Normalize(address)+" "),
	} {
		file := filepath.Join(t.TempDir(), "known_hosts")
		if err := os.WriteFile(file, []byte(odd+line), 0o600); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			done <- KnownHostsCallback(file)(address, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 2222}, key)
		}()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: it takes longer than a minute", name)
		}
	}
}

// TestPatternsOfHosts checks that a few patterns with several * are not skipped.
func TestPatternsOfHosts(t *testing.T) {
	t.Parallel()
	key, line := hostKey(t, "[wb*.*.example.com]:2222")
	file := filepath.Join(t.TempDir(), "known_hosts")
	if err := os.WriteFile(file, []byte("oldhost 1024 35 1432725\n"+line), 0o600); err != nil {
		t.Fatal(err)
	}
	remote := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 2222}
	if err := KnownHostsCallback(file)("wb1.milan.example.com:2222", remote, key); err != nil {
		t.Error(err)
	}
	var host *HostError
	if err := KnownHostsCallback(file)("db1.milan.example.com:2222", remote, key); !errors.As(err, &host) {
		t.Errorf("another host: %v", err)
	}
}

// TestKeyOfSeveral checks that a server with several host keys is trusted if one of them is known,
// whatever its type, and that an unknown server with a certificate can be added.
func TestKeyOfSeveral(t *testing.T) {
	t.Parallel()
	ecPrivate, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ecKey, err := ssh.NewSignerFromKey(ecPrivate)
	if err != nil {
		t.Fatal(err)
	}
	edKey, rsaKey, authority := newKey(t), newRSA(t), newKey(t)
	cert := &ssh.Certificate{Key: edKey.PublicKey(), CertType: ssh.HostCert, ValidPrincipals: []string{"127.0.0.1"}, ValidBefore: ssh.CertTimeInfinity}
	if err := cert.SignCert(rand.Reader, authority); err != nil {
		t.Fatal(err)
	}
	certified, err := ssh.NewCertSigner(cert, edKey)
	if err != nil {
		t.Fatal(err)
	}
	address := serverWith(t, certified, edKey, ecKey, rsaKey)
	line := func(key ssh.PublicKey) string { return knownhosts.Line([]string{address}, key) + "\n" }
	for name, text := range map[string]string{
		"ed25519": line(edKey.PublicKey()), "ecdsa": line(ecKey.PublicKey()), "ssh-rsa": line(rsaKey.PublicKey()),
		"an authority": "@cert-authority " + line(authority.PublicKey()), "an invalid line": "x\n" + line(rsaKey.PublicKey()),
		"none": "", "another ssh-rsa": line(newRSA(t).PublicKey()),
	} {
		file := filepath.Join(t.TempDir(), "known_hosts")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := (&client{options: ClientOptions{
			Addresses: []string{address}, CheckHostKey: KnownHostsCallback(file),
			Keys: func() ([]ssh.Signer, func(), error) { return []ssh.Signer{newKey(t)}, func() {}, nil },
		}}).dial(t.Context())
		var host *HostError
		switch isHost := errors.As(err, &host); {
		case name == "none" && (!isHost || host.Changed), name == "another ssh-rsa" && (!isHost || !host.Changed):
			t.Errorf("%s: %v", name, err)
		case name != "none" && name != "another ssh-rsa" && !errors.Is(err, ErrRefused): // the host key is accepted, but not the client's key
			t.Errorf("%s: %v", name, err)
		}
	}
}

func newRSA(t *testing.T) ssh.Signer {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// serverWith runs a server with several host keys that refuses all logins.
func serverWith(t *testing.T, keys ...ssh.Signer) (address string) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	config := &ssh.ServerConfig{PublicKeyCallback: func(ssh.ConnMetadata, ssh.PublicKey) (*ssh.Permissions, error) {
		return nil, errors.New("nobody")
	}}
	for _, k := range keys {
		config.AddHostKey(k)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _, _, _ = ssh.NewServerConn(conn, config)
			_ = conn.Close()
		}
	})
	t.Cleanup(func() { _ = l.Close(); all.Wait() })
	return l.Addr().String()
}
