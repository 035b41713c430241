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

	"wallboard/internal/lib/securefile"
)

// Cluster lets several servers (`wallboard serve`) share one connection to the platform. It
// is only read at the start. See wallboard docs cluster.
type Cluster struct {
	Name        string        `toml:"name"`             // Name of the cluster, the same on every node; "": no cluster.
	Node        string        `toml:"node"`             // Unique name of this node; "": the host name up to its first dot.
	Listen      string        `toml:"listen"`           // Address where this node accepts connections from the other nodes.
	Peers       []string      `toml:"peers"`            // Addresses of all nodes including this one, at least three; the same list on every node.
	Servers     []string      `toml:"servers"`          // Existing NATS servers to use, as "nats://host" or "tls://host"; empty: the nodes run their own.
	Credentials string        `toml:"credentials_file"` // Credentials file for a user of those servers; "": none.
	CertFile    string        `toml:"tls_cert_file"`    // PEM certificate of this node.
	KeyFile     string        `toml:"tls_key_file"`     // Private key of the certificate, readable only by this user.
	CAFile      string        `toml:"ca_file"`          // PEM certificates of the authorities that sign the nodes' certificates.
	SecretFile  string        `toml:"secret_file"`      // File with a secret, instead of certificates if all nodes run on one machine.
	Lease       time.Duration `toml:"lease"`            // How long the leading node may be silent before another takes over, 500ms to 30s.
	MayLead     bool          `toml:"lead"`             // Whether this node may hold the connection to the platform.
	Fallback    string        `toml:"fallback"`         // What a node without the others does: own (connect to the platform itself) or none.
	ActAlone    bool          `toml:"act_alone"`        // Whether such a node may act on the platform.
	Dir         string        `toml:"dir"`              // Folder for the shared data; "": wallboard/cluster/NAME in $XDG_STATE_HOME.

	tlsConfig *tls.Config
}

// Values of fallback, which determines the behavior of a node that cannot reach the other nodes.
const (
	FallbackOwn  = "own"
	FallbackNone = "none"
)

// Limits of [cluster].
const (
	minNodes = 3
	maxNodes = 16
	minLease = 500 * time.Millisecond
	maxLease = 30 * time.Second
)

// clusterNamePattern matches valid names of clusters and nodes.
var clusterNamePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$`)

func defaultCluster() Cluster {
	return Cluster{Listen: "127.0.0.1:6222", Lease: time.Second, MayLead: true, Fallback: FallbackOwn}
}

// Enabled reports whether this server is part of a cluster.
func (c *Cluster) Enabled() bool { return c.Name != "" }

// NodeName returns the name of this node: the configured name or, if there is none, the host name
// up to its first dot.
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

// Folder returns the directory on this machine for the shared data of the cluster.
func (c *Cluster) Folder() string {
	return cmp.Or(c.Dir, filepath.Join(xdg.StateHome, "wallboard", "cluster", c.Name))
}

// TLS returns the TLS configuration for connections between nodes, with certificates on both sides.
// It returns nil if neither certificates nor a shared secret are configured.
func (c *Cluster) TLS() *tls.Config {
	if c.tlsConfig == nil {
		return nil
	}
	return c.tlsConfig.Clone()
}

func (c *Cluster) check(r *report) {
	if !c.Enabled() {
		return
	}
	if !clusterNamePattern.MatchString(c.Name) {
		r.add("cluster.name", quoteValue(c.Name)+" is not a valid cluster name", "allowed: letters, digits, - and _, for example milan")
	}
	if name := c.NodeName(); !clusterNamePattern.MatchString(name) {
		r.add("cluster.node", quoteValue(name)+" is not a valid node name", "allowed: letters, digits, - and _, for example wb1")
	}
	checkRange(r, "cluster.lease", c.Lease, minLease, maxLease)
	checkOneOf(r, "cluster.fallback", c.Fallback, []string{FallbackOwn, FallbackNone})
	if len(c.Servers) > 0 {
		c.checkServers(r)
		return
	}
	c.checkPeers(r)
}

func (c *Cluster) checkPeers(r *report) {
	checkNodeAddress(r, "cluster.listen", c.Listen)
	switch n := len(c.Peers); {
	case n < minNodes:
		r.add("cluster.peers", "names "+strconv.Itoa(n)+" nodes", "list all nodes including this one, at least three: with two, neither can tell whether the other has stopped or is unreachable")
	case n > maxNodes:
		r.add("cluster.peers", "names "+strconv.Itoa(n)+" nodes", "allowed: 3 to "+strconv.Itoa(maxNodes))
	}
	isRemote := !isLocalAddress(c.Listen)
	for i, p := range c.Peers {
		path := elementKey("cluster.peers", i)
		checkNodeAddress(r, path, p)
		if slices.Contains(c.Peers[:i], p) {
			r.add(path, quoteValue(p)+" is listed twice", "list each node once")
		}
		isRemote = isRemote || !isLocalAddress(p)
	}
	if isRemote && c.CertFile == "" {
		r.add("cluster.tls_cert_file", "is missing", "nodes on several machines authenticate each other by certificates: set tls_cert_file, tls_key_file and ca_file; wallboard docs cluster describes how to create them")
	}
	if !isRemote && c.CertFile == "" && c.SecretFile == "" {
		r.add("cluster.secret_file", "is missing", "without it any user of this machine could join as a node: openssl rand -hex 32 > cluster-secret, mode 0600; or set tls_cert_file, tls_key_file and ca_file")
	}
}

func (c *Cluster) checkServers(r *report) {
	for i, s := range c.Servers {
		path := elementKey("cluster.servers", i)
		u, err := url.Parse(s)
		switch {
		case err != nil || u.Hostname() == "" || u.Scheme != "nats" && u.Scheme != "tls":
			r.add(path, "is not an address of a NATS server", `write it like "tls://nats.example.com:4222"`)
		case u.User != nil:
			r.add(path, "contains a user name or a password", "remove them from the address; use credentials_file")
		case u.Scheme == "nats" && !isLoopback(u.Hostname()) && c.CertFile == "":
			r.add(path, "nats:// sends personal names unencrypted", "use tls://; nats:// is for this machine only")
		}
	}
}

func checkNodeAddress(r *report, path, addr string) {
	if _, port, err := net.SplitHostPort(addr); err != nil || !isPort(port) || port == "0" {
		r.add(path, quoteValue(addr)+" is not an address", `write it like "wb1.example.com:6222" or "127.0.0.1:6222"`)
	}
}

// isLocalAddress reports whether the host in an address is this machine. It does not use DNS.
func isLocalAddress(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && isLoopback(host)
}

// loadFiles reads the certificates or the shared secret of [cluster]. Relative paths are relative
// to dir.
func (c *Cluster) loadFiles(r *report, dir string) {
	for _, p := range []*string{&c.Dir, &c.Credentials} {
		if *p != "" {
			*p = pathInDir(dir, *p)
		}
	}
	if c.Enabled() && c.SecretFile != "" && c.CertFile == "" {
		c.SecretFile = pathInDir(dir, c.SecretFile)
		c.loadSecret(r)
	}
	if !c.Enabled() || c.CertFile == "" && c.KeyFile == "" && c.CAFile == "" {
		return
	}
	for _, f := range []struct{ key, name string }{{"tls_cert_file", c.CertFile}, {"tls_key_file", c.KeyFile}, {"ca_file", c.CAFile}} {
		if f.name == "" {
			r.add("cluster."+f.key, "is missing", "tls_cert_file, tls_key_file and ca_file must be set together")
			return
		}
	}
	c.CertFile, c.KeyFile = pathInDir(dir, c.CertFile), pathInDir(dir, c.KeyFile)
	trust := Trust{CAFile: c.CAFile}
	trust.loadCA(r, "cluster", dir)
	c.CAFile = trust.CAFile
	pair, err := readKeyPair(c.CertFile, c.KeyFile)
	if err != nil {
		r.add("cluster.tls_cert_file", "cannot be used: "+securefile.WithoutPath(err).Error(), "name a PEM certificate, and its key as tls_key_file")
		return
	}
	r.checkExposure("cluster.tls_key_file", c.KeyFile)
	c.tlsConfig = &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{pair},
		RootCAs: trust.roots, ClientCAs: trust.roots, ClientAuth: tls.RequireAndVerifyClientCert,
	}
}

// readKeyPair reads a certificate and its private key, which are both in PEM format.
func readKeyPair(certFile, keyFile string) (tls.Certificate, error) {
	cert, err := readText(certFile, maxFileBytes)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := readText(keyFile, maxFileBytes)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair([]byte(cert), []byte(key))
}
