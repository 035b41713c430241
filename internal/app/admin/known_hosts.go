package admin

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"wallboard/internal/config"
	"wallboard/internal/serve/cluster"
)

// KnownHostLines returns the known_hosts lines of this server and of the other nodes of its
// cluster. args are host names of this server, or have the form NODE=HOST for another node. If
// the keys of some nodes are unknown, it returns the lines of the other nodes and an error.
func KnownHostLines(ctx context.Context, c *config.Config, key ssh.PublicKey, args []string) ([]string, error) {
	ownNode := ""
	if c.Cluster.Enabled() {
		ownNode = c.Cluster.NodeName()
	}
	names := hostNames(args, ownNode)
	_, port, err := net.SplitHostPort(c.Serve.Listen)
	if err != nil {
		return nil, fmt.Errorf("serve.listen: %w", err)
	}
	line, err := knownHostLine(names[ownNode], port, key)
	if err != nil {
		return nil, err
	}
	delete(names, ownNode)
	lines := []string{line}
	if ownNode == "" {
		return lines, unknownNodeError(names)
	}
	query := NodeClient{Cluster: &c.Cluster}
	all, err := query.Statuses(ctx)
	if err != nil {
		return lines, fmt.Errorf("the host keys of the other nodes are not known: %w", err)
	}
	nodeHosts, err := nodeHostLines(all[0].Nodes, names) // the nodes are the same for all platforms
	lines = append(lines, nodeHosts...)
	if peers := len(c.Cluster.Peers); err == nil && len(lines) < peers {
		err = fmt.Errorf("the host keys of %d of %d nodes are known; run this again when all nodes run", len(lines), peers)
	}
	return lines, err
}

// nodeHostLines returns the known_hosts lines of nodes. It takes a node's host names from
// names or, if there are none, uses the name of the node. It removes the nodes from names and
// returns an error if names still contains a node.
func nodeHostLines(nodes []cluster.NodeStatus, names map[string][]string) ([]string, error) {
	var lines []string
	for i := range nodes {
		n := &nodes[i]
		key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(n.HostKey))
		if err != nil {
			continue // a node with an earlier version, which sends no key
		}
		hosts := names[n.Node]
		if len(hosts) == 0 {
			hosts = []string{n.Node}
		}
		line, err := knownHostLine(hosts, n.SSHPort, key)
		if err != nil {
			return lines, err
		}
		lines = append(lines, line)
		delete(names, n.Node)
	}
	return lines, unknownNodeError(names)
}

// hostNames returns the host names in args by node. An argument has the form NODE=HOST, or
// HOST for ownNode.
func hostNames(args []string, ownNode string) map[string][]string {
	names := make(map[string][]string)
	for _, arg := range args {
		node, host, ok := strings.Cut(arg, "=")
		if !ok {
			node, host = ownNode, arg
		}
		names[node] = append(names[node], host)
	}
	return names
}

// unknownNodeError returns an error about a node in names, or nil if names is empty. The
// caller must have removed all known nodes.
func unknownNodeError(names map[string][]string) error {
	for node, hosts := range names {
		return fmt.Errorf("unknown node %q, for %s", node, strings.Join(hosts, ", "))
	}
	return nil
}

// knownHostLine returns the known_hosts line of a server. If names is empty, it uses the name
// of this machine.
func knownHostLine(names []string, port string, key ssh.PublicKey) (string, error) {
	if len(names) == 0 {
		hostName, err := os.Hostname()
		if err != nil {
			return "", fmt.Errorf("the name of the machine is unknown: %w; specify a name", err)
		}
		names = []string{hostName}
	}
	var all []string
	for _, name := range names {
		if _, _, err := net.SplitHostPort(name); err != nil {
			name = net.JoinHostPort(strings.Trim(name, "[]"), port)
		}
		all = append(all, name)
	}
	return knownhosts.Line(all, key), nil
}
