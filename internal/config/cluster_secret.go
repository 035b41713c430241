package config

import (
	"net"
	"strconv"
	"strings"

	"wallboard/internal/lib/netconn"
	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/textnorm"
)

// minSecretBytes is the minimum length of a cluster's secret in bytes. The secret must be long,
// because any client that connects to a node gets the node's certificate, with which it can try any
// number of secrets offline.
const minSecretBytes = 32

// loadSecret reads the secret in secret_file and derives the nodes' TLS configuration from it.
func (c *Cluster) loadSecret(r *report) {
	text, err := readPrivate(c.SecretFile, ownerOnly)
	if err != nil {
		r.add("cluster.secret_file", "cannot be used: "+securefile.WithoutPath(err).Error(), "name a file with mode 0600 that all nodes have: openssl rand -hex 32 > cluster-secret")
		return
	}
	secret := []byte(strings.TrimSpace(textnorm.DecodeText(text)))
	if len(secret) < minSecretBytes {
		r.add("cluster.secret_file", "holds "+strconv.Itoa(len(secret))+" bytes", "at least "+strconv.Itoa(minSecretBytes)+" are needed: openssl rand -hex 32 > cluster-secret")
		return
	}
	var hosts []string
	for _, addr := range append([]string{c.Listen}, c.Peers...) {
		if host, _, err := net.SplitHostPort(addr); err == nil {
			hosts = append(hosts, host)
		}
	}
	if c.tlsConfig, err = netconn.TLSFromSecret(secret, hosts); err != nil {
		r.add("cluster.secret_file", "cannot be used: "+err.Error(), "name another file")
	}
}

// AuthText describes for users how the nodes authenticate each other.
func (c *Cluster) AuthText() string {
	switch {
	case len(c.Servers) > 0:
		return "the nodes use other NATS servers, which decide whom they let in"
	case c.CertFile != "":
		return "the nodes show each other certificates of the authority in ca_file (TLS 1.3)"
	}
	return "the nodes of this machine know each other by the secret of secret_file (TLS 1.3)"
}
