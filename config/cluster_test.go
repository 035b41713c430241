package config

import (
	"crypto/tls"
	"net"
	"strconv"
	"strings"
	"testing"
)

// TestCluster loads [cluster] with what is wrong with it.
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
		`peers = ["127.0.0.1:6222", "127.0.0.1:6222", "127.0.0.1:6224"]`: "stands there twice",
		`peers = ["127.0.0.1:6222", "wb2.example.com:6222", "wb3:6222"]`: "cluster.tls_cert_file: is missing",
		`peers = ["127.0.0.1:6222", "127.0.0.1:6223", "127.0.0.1"]`:      "is no address",
		peers + `listen = "0.0.0.0:6222"`:                                "cluster.tls_cert_file: is missing",
		peers + `listen = "127.0.0.1:0"`:                                 "cluster.listen",
		peers + `lease = "10ms"`:                                         "cluster.lease",
		peers + `fallback = "other"`:                                     "cluster.fallback",
		peers + `tls_cert_file = "a.pem"`:                                "cluster.tls_key_file: is missing",
		`servers = ["nats://nats.example.com"]`:                          "readable by everyone",
		`servers = ["tls://anna:secret@nats.example.com"]`:               "holds a user name",
		`servers = ["http://nats.example.com"]`:                          "is no address of a NATS server",
		`servers = ["tls://nats.example.com:4222"]`:                      "",
	} {
		_, err := Load(write(t, t.TempDir(), "config.toml", rtd+text, 0o600), testOptions())
		switch {
		case want == "" && err != nil && strings.Contains(err.Error(), "cluster"):
			t.Errorf("%s: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", text, err, want)
		case err != nil && strings.Contains(err.Error(), "secret@"):
			t.Errorf("a password is told: %v", err)
		}
	}
	_, err := Load(write(t, t.TempDir(), "config.toml", strings.Replace(rtd, "milan", "a b", 1)+peers, 0o600), testOptions())
	if err == nil || !strings.Contains(err.Error(), "is no name of a cluster") {
		t.Errorf("a blank in the name: %v", err)
	}
}

// TestSecretTLS has two nodes with the same secret know each other, and nobody else.
func TestSecretTLS(t *testing.T) {
	t.Parallel()
	node := func(secret string) *tls.Config {
		c, err := secretTLS([]byte(secret), []string{"127.0.0.1"})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	ours := strings.Repeat("x", leastSecret)
	for name, x := range map[string]struct {
		client *tls.Config
		let    bool
	}{
		"a node":             {node(ours), true},
		"another secret":     {node(strings.Repeat("y", leastSecret)), false},
		"who shows nothing":  {&tls.Config{InsecureSkipVerify: true}, false},
		"who shows a secret": {&tls.Config{InsecureSkipVerify: true, Certificates: node("z").Certificates}, false},
	} {
		a, b := net.Pipe()
		server, client := tls.Server(a, node(ours)), tls.Client(b, x.client)
		x.client.ServerName = "127.0.0.1"
		go func() { _ = client.Handshake(); _, _ = client.Read(make([]byte, 1)) }()
		err := server.Handshake()
		if (err == nil) != x.let {
			t.Errorf("%s: %v", name, err)
		}
		_ = a.Close()
		_ = b.Close()
	}
	// Who listens at the address of a node that is down learns nothing and is believed nothing.
	a, b := net.Pipe()
	trap := node(strings.Repeat("y", leastSecret))
	trap.ClientAuth = tls.RequestClientCert
	go func() { _ = tls.Server(a, trap).Handshake() }()
	mine := node(ours)
	mine.ServerName = "127.0.0.1"
	if err := tls.Client(b, mine).Handshake(); err == nil {
		t.Error("a node believes a stranger")
	}
	_ = a.Close()
	_ = b.Close()
}
