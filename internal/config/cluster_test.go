package config

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net"
	"strconv"
	"strings"
	"testing"

	"wallboard/internal/lib/netconn"
	"wallboard/internal/lib/testkit"
)

// TestCluster checks [cluster] with various problems.
func TestCluster(t *testing.T) {
	t.Parallel()
	const rtd = "[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\nusername = \"u\"\n[rest]\nurl = \"\"\n[cluster]\nname = \"milan\"\nnode = \"wb1\"\n"
	folder := t.TempDir()
	secret, short, open := write(t, folder, "secret", strings.Repeat("x", 64)+"\n", 0o600), write(t, folder, "short", "x\n", 0o600), write(t, folder, "open", strings.Repeat("x", 64), 0o644)
	const bare = `peers = ["127.0.0.1:6222", "127.0.0.1:6223", "127.0.0.1:6224"]` + "\n"
	peers := bare + "secret_file = " + strconv.Quote(secret) + "\n"
	for text, want := range map[string]string{
		peers: "",
		bare:  "cluster.secret_file: is missing",
		bare + "secret_file = " + strconv.Quote(short): "holds 1 bytes",
		bare + "secret_file = " + strconv.Quote(open):  "is open to others",
		bare + `secret_file = "gone"`:                  "cluster.secret_file: cannot be used",
		"":                                             "cluster.peers: names 0 nodes",
		`peers = ["127.0.0.1:6222", "127.0.0.1:6223"]`: "cluster.peers: names 2 nodes",
		`peers = ["127.0.0.1:6222", "127.0.0.1:6222", "127.0.0.1:6224"]`: "is listed twice",
		`peers = ["127.0.0.1:6222", "wb2.example.com:6222", "wb3:6222"]`: "cluster.tls_cert_file: is missing",
		`peers = ["127.0.0.1:6222", "127.0.0.1:6223", "127.0.0.1"]`:      "is not an address",
		peers + `listen = "0.0.0.0:6222"`:                                "cluster.tls_cert_file: is missing",
		peers + `listen = "127.0.0.1:0"`:                                 "cluster.listen",
		peers + `lease = "10ms"`:                                         "cluster.lease",
		peers + `fallback = "other"`:                                     "cluster.fallback",
		peers + `tls_cert_file = "a.pem"`:                                "cluster.tls_key_file: is missing",
		`servers = ["nats://nats.example.com"]`:                          "unencrypted",
		`servers = ["tls://anna:secret@nats.example.com"]`:               "contains a user name",
		`servers = ["http://nats.example.com"]`:                          "is not an address of a NATS server",
		`servers = ["tls://nats.example.com:4222"]`:                      "",
	} {
		_, err := Load(write(t, testkit.PrivateDir(t), "config.toml", rtd+text, 0o600), testOptions())
		switch {
		case want == "" && err != nil && strings.Contains(err.Error(), "cluster"):
			t.Errorf("%s: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", text, err, want)
		case err != nil && strings.Contains(err.Error(), "secret@"):
			t.Errorf("a password is told: %v", err)
		}
	}
	_, err := Load(write(t, testkit.PrivateDir(t), "config.toml", strings.Replace(rtd, "milan", "a b", 1)+peers, 0o600), testOptions())
	if err == nil || !strings.Contains(err.Error(), "is not a valid cluster name") {
		t.Errorf("a blank in the name: %v", err)
	}
}

// TestSecretTLS checks that nodes with the same secret accept each other and refuse all
// others.
func TestSecretTLS(t *testing.T) {
	t.Parallel()
	node := func(secret string) *tls.Config {
		c, err := netconn.TLSFromSecret([]byte(secret), []string{"127.0.0.1"})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	ours, theirs := strings.Repeat("x", minSecretBytes), strings.Repeat("y", minSecretBytes)
	trap := node(theirs)
	trap.ClientAuth = tls.RequestClientCert
	for name, x := range map[string]struct {
		server, client *tls.Config
		let            bool
	}{
		"a node":                     {node(ours), node(ours), true},
		"another secret":             {node(ours), node(theirs), false},
		"who shows nothing":          {node(ours), &tls.Config{InsecureSkipVerify: true}, false},
		"who shows another":          {node(ours), &tls.Config{InsecureSkipVerify: true, Certificates: node(theirs).Certificates}, false},
		"who listens in its address": {trap, node(ours), false},
	} {
		if err := handshake(t, x.server, x.client); (err == nil) != x.let {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// handshake runs a TLS handshake of a client and a server, and returns its error.
func handshake(t *testing.T, server, client *tls.Config) error {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // of a test
	served := make(chan error, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			served <- err
			return
		}
		defer conn.Close() //nolint:errcheck // of a test
		served <- tls.Server(conn, server).HandshakeContext(t.Context())
	}()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	client.ServerName = "127.0.0.1"
	err = tls.Client(conn, client).HandshakeContext(t.Context())
	_ = conn.Close()
	return errors.Join(err, <-served)
}

// TestKeyPair reads a certificate and its key from files with a byte order mark.
func TestKeyPair(t *testing.T) {
	t.Parallel()
	one, err := netconn.TLSFromSecret([]byte(strings.Repeat("x", minSecretBytes)), nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(one.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := testkit.PrivateDir(t)
	file := func(name, kind string, der []byte) string {
		return write(t, dir, name, "\ufeff"+string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})), 0o600)
	}
	if _, err := readKeyPair(file("node.pem", "CERTIFICATE", one.Certificates[0].Certificate[0]), file("node.key", "PRIVATE KEY", key)); err != nil {
		t.Error(err)
	}
}

// TestMarkedSecret reads the same secret from files with and without a byte order mark.
func TestMarkedSecret(t *testing.T) {
	t.Parallel()
	dir, text := testkit.PrivateDir(t), strings.Repeat("x", minSecretBytes)
	roots := func(name, text string) *x509.CertPool {
		c := &Cluster{Listen: "127.0.0.1:1", SecretFile: write(t, dir, name, text, 0o600)}
		r := newReport("", nil)
		if c.loadSecret(r); r.err() != nil {
			t.Fatal(r.err())
		}
		return c.tlsConfig.RootCAs
	}
	if !roots("plain", text+"\n").Equal(roots("marked", "\ufeff"+text+"\r\n")) {
		t.Error("the byte order mark is part of the secret")
	}
}
