package admin

import (
	"crypto/ed25519"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"wallboard/internal/serve/cluster"
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
	line, err := knownHostLine([]string{"wb1.example.com", "192.0.2.1:22"}, "2222", key)
	if err != nil || !strings.HasPrefix(line, "[wb1.example.com]:2222,192.0.2.1 ssh-ed25519 ") {
		t.Errorf("%q, %v", line, err)
	}
	_, hosts, got, _, _, err := ssh.ParseKnownHosts([]byte(line + "\n"))
	if err != nil || len(hosts) != 2 || string(got.Marshal()) != string(key.Marshal()) {
		t.Errorf("read again: %v, %v", hosts, err)
	}
}

// TestNodeLines checks the known_hosts lines of the other nodes of a cluster, with given host names or
// the names of the nodes.
func TestNodeLines(t *testing.T) {
	t.Parallel()
	host := func(node, port string) cluster.NodeStatus {
		pub, _, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		key, err := ssh.NewPublicKey(pub)
		if err != nil {
			t.Fatal(err)
		}
		return cluster.NodeStatus{Presence: cluster.Presence{Node: node, HostKey: strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))), SSHPort: port}}
	}
	nodes := []cluster.NodeStatus{host("wb1", "2222"), host("wb2", "2200"), {Presence: cluster.Presence{Node: "wb3"}}}
	lines, err := nodeHostLines(nodes, hostNames([]string{"wb2=wb2.example.com", "wb2=192.0.2.2:22"}, "wb0"))
	if err != nil || len(lines) != 2 || lines[0] != "[wb1]:2222 "+nodes[0].HostKey || lines[1] != "[wb2.example.com]:2200,192.0.2.2 "+nodes[1].HostKey {
		t.Errorf("%q, %v", lines, err)
	}
	if _, err := nodeHostLines(nodes, hostNames([]string{"wb3=a", "wb4=b"}, "wb0")); err == nil {
		t.Error("names of nodes whose keys are not known are accepted")
	}
}
