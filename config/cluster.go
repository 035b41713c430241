package config

import (
	"cmp"
	"crypto/tls"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"
)

// Cluster has several servers (`wallboard serve`) show the platform on one connection. It
// is read at the start only. See docs/cluster.md.
type Cluster struct {
	Name        string        `toml:"name"`             // Of the cluster, the same on every node; "" is none: this server is by itself.
	Node        string        `toml:"node"`             // Of this node, no other one has it; "" is the host's name up to its first dot.
	Listen      string        `toml:"listen"`           // Address where the other nodes connect.
	Peers       []string      `toml:"peers"`            // Addresses of all nodes, this one too, at least three; the list is the same on every node.
	Servers     []string      `toml:"servers"`          // NATS servers to use, as "nats://host" or "tls://host"; empty: the nodes have their own.
	Credentials string        `toml:"credentials_file"` // Of a user of those servers; "" is none.
	CertFile    string        `toml:"tls_cert_file"`    // PEM certificate that shows the others who this node is.
	KeyFile     string        `toml:"tls_key_file"`     // Its key, readable by this user only.
	CAFile      string        `toml:"ca_file"`          // PEM certificates of who may say so; nodes whose certificate is of nobody else are let in.
	SecretFile  string        `toml:"secret_file"`      // Of nodes that are all on one machine, instead of certificates: a secret that all of them have, readable by this user only.
	Lease       time.Duration `toml:"lease"`            // How long a silent node is waited for before another takes the connection over, 500ms to 30s.
	Lead        bool          `toml:"lead"`             // This node may have the connection to the platform.
	Fallback    string        `toml:"fallback"`         // What a node does that cannot reach the others: own (it connects itself) or none (it shows that there is no cluster).
	ActAlone    bool          `toml:"act_alone"`        // Such a node acts all the same, with a warning, though somebody at another node may do the same at that moment; otherwise its actions wait.
	Dir         string        `toml:"dir"`              // What the nodes keep together; "" is wallboard/cluster/NAME in $XDG_STATE_HOME.

	mutual *tls.Config
}

// What a node does that cannot reach the others.
const (
	FallbackOwn  = "own"
	FallbackNone = "none"
)

// The bounds of [cluster].
const (
	leastNodes    = 3
	mostNodes     = 16
	shortestLease = 500 * time.Millisecond
	longestLease  = 30 * time.Second
)

// clusterName is what names of clusters and nodes look like.
var clusterName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$`)

func defaultCluster() Cluster {
	return Cluster{Listen: "127.0.0.1:6222", Lease: time.Second, Lead: true, Fallback: FallbackOwn}
}

// Enabled reports whether this server is one of several.
func (c *Cluster) Enabled() bool { return c.Name != "" }

// NodeName is what the other nodes call this one.
func (c *Cluster) NodeName() string {
	if c.Node != "" {
		return c.Node
	}
	host, err := os.Hostname()
	if err != nil {
		return ""
	}
	name, _, _ := strings.Cut(host, ".")
	return name
}

// Folder is where is kept what the nodes keep together.
func (c *Cluster) Folder() string {
	return cmp.Or(c.Dir, filepath.Join(xdg.StateHome, "wallboard", "cluster", c.Name))
}

// TLS is how the nodes show each other who they are, nil where they need not: on one
// machine.
func (c *Cluster) TLS() *tls.Config {
	if c.mutual == nil {
		return nil
	}
	return c.mutual.Clone()
}

func (c *Cluster) check(r *report) {
	if !c.Enabled() {
		return
	}
	if !clusterName.MatchString(c.Name) {
		r.add("cluster.name", quoted(c.Name)+" is no name of a cluster", "allowed: letters, digits, - and _, as in milan")
	}
	if name := c.NodeName(); !clusterName.MatchString(name) {
		r.add("cluster.node", quoted(name)+" is no name of a node", "allowed: letters, digits, - and _, as in wb1")
	}
	within(r, "cluster.lease", c.Lease, shortestLease, longestLease)
	oneOf(r, "cluster.fallback", c.Fallback, []string{FallbackOwn, FallbackNone})
	if len(c.Servers) > 0 {
		c.checkServers(r)
		return
	}
	c.checkPeers(r)
}

func (c *Cluster) checkPeers(r *report) {
	isNodeAddress(r, "cluster.listen", c.Listen)
	switch n := len(c.Peers); {
	case n < leastNodes:
		r.add("cluster.peers", "names "+strconv.Itoa(n)+" nodes", "name all of them, this one too, and at least three: of two none can know whether the other is gone or cannot be reached")
	case n > mostNodes:
		r.add("cluster.peers", "names "+strconv.Itoa(n)+" nodes", "allowed: 3 to "+strconv.Itoa(mostNodes))
	}
	away := !ownMachine(c.Listen)
	for i, p := range c.Peers {
		path := element("cluster.peers", i)
		isNodeAddress(r, path, p)
		if slices.Contains(c.Peers[:i], p) {
			r.add(path, quoted(p)+" stands there twice", "name each node once")
		}
		away = away || !ownMachine(p)
	}
	if away && c.CertFile == "" {
		r.add("cluster.tls_cert_file", "is missing", "nodes of several machines show each other who they are: name tls_cert_file, tls_key_file and ca_file; docs/cluster.md says how to make them")
	}
	if !away && c.CertFile == "" && c.SecretFile == "" {
		r.add("cluster.secret_file", "is missing", "without it every user of this machine could be a node: openssl rand -hex 32 > cluster-secret, mode 0600; or name tls_cert_file, tls_key_file and ca_file")
	}
}

func (c *Cluster) checkServers(r *report) {
	for i, s := range c.Servers {
		path := element("cluster.servers", i)
		u, err := url.Parse(s)
		switch {
		case err != nil || u.Hostname() == "" || u.Scheme != "nats" && u.Scheme != "tls":
			r.add(path, "is no address of a NATS server", `write it like "tls://nats.example.com:4222"`)
		case u.User != nil:
			r.add(path, "holds a user name or a password", "take them out of the address; use credentials_file")
		case u.Scheme == "nats" && !loopback(u.Hostname()) && c.CertFile == "":
			r.add(path, "nats:// tells names of people readable by everyone on the way", "use tls://; nats:// is for this machine only")
		}
	}
}

// isNodeAddress wants a host and a port.
func isNodeAddress(r *report, path, addr string) {
	if _, port, err := net.SplitHostPort(addr); err != nil || !isPort(port) || port == "0" {
		r.add(path, quoted(addr)+" is no address", `write it like "wb1.example.com:6222" or "127.0.0.1:6222"`)
	}
}

// ownMachine reports whether an address is one of this machine alone.
func ownMachine(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && loopback(host)
}

// load reads the files of [cluster].
func (c *Cluster) load(r *report, dir string) {
	for _, p := range []*string{&c.Dir, &c.Credentials} {
		if *p != "" {
			*p = beside(dir, *p)
		}
	}
	if c.Enabled() && c.SecretFile != "" && c.CertFile == "" {
		c.SecretFile = beside(dir, c.SecretFile)
		c.loadSecret(r)
	}
	if !c.Enabled() || c.CertFile == "" && c.KeyFile == "" && c.CAFile == "" {
		return
	}
	for _, f := range []struct{ key, name string }{{"tls_cert_file", c.CertFile}, {"tls_key_file", c.KeyFile}, {"ca_file", c.CAFile}} {
		if f.name == "" {
			r.add("cluster."+f.key, "is missing", "tls_cert_file, tls_key_file and ca_file go together")
			return
		}
	}
	c.CertFile, c.KeyFile = beside(dir, c.CertFile), beside(dir, c.KeyFile)
	trust := Trust{CAFile: c.CAFile}
	trust.loadCA(r, "cluster", dir)
	c.CAFile = trust.CAFile
	pair, err := tls.LoadX509KeyPair(c.CertFile, c.KeyFile)
	if err != nil {
		r.add("cluster.tls_cert_file", "cannot be used: "+reason(err), "name a PEM certificate, and its key as tls_key_file")
		return
	}
	r.exposed("cluster.tls_key_file", c.KeyFile)
	c.mutual = &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{pair},
		RootCAs: trust.roots, ClientCAs: trust.roots, ClientAuth: tls.RequireAndVerifyClientCert,
	}
}
