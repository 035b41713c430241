package config

import (
	"strings"
	"testing"

	"wallboard/internal/testkit"
)

// TestCluster loads [cluster] with what is wrong with it.
func TestCluster(t *testing.T) {
	t.Parallel()
	const rtd = "[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\nusername = \"u\"\n[rest]\nurl = \"\"\n[cluster]\nname = \"milan\"\nnode = \"wb1\"\n"
	const peers = `peers = ["127.0.0.1:6222", "127.0.0.1:6223", "127.0.0.1:6224"]` + "\n"
	for text, want := range map[string]string{
		peers: "",
		"":    "cluster.peers: names 0 nodes",
		`peers = ["127.0.0.1:6222", "127.0.0.1:6223"]`:                   "cluster.peers: names 2 nodes",
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
	if err == nil || !strings.Contains(err.Error(), "is no name of a cluster") {
		t.Errorf("a blank in the name: %v", err)
	}
}
