package config

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"strconv"
	"strings"
	"time"

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
	if c.tlsConfig, err = deriveTLS(secret, hosts); err != nil {
		r.add("cluster.secret_file", "cannot be used: "+err.Error(), "name another file")
	}
}

// deriveTLS derives a TLS configuration, with certificates on both sides, from a shared secret. The
// secret determines the key of a certificate authority, so the authority is the same on all nodes.
// Each node signs its own certificate with this key. Without the secret, a client can neither
// connect nor impersonate a node. The secret itself is never sent.
func deriveTLS(secret []byte, hosts []string) (*tls.Config, error) {
	seed, err := hkdf.Key(sha256.New, secret, nil, "wallboard cluster authority", ed25519.SeedSize)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	key := ed25519.NewKeyFromSeed(seed)
	notBefore, notAfter := time.Date(2020, time.January, 1, 0, 0, 0, 0, time.UTC), time.Date(2100, time.January, 1, 0, 0, 0, 0, time.UTC)
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "wallboard cluster"}, NotBefore: notBefore, NotAfter: notAfter,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, authority, authority, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("create the certificate authority: %w", err)
	}
	root, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("parse the certificate authority: %w", err)
	}
	public, nodeKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("generate a key: %w", err)
	}
	node := &x509.Certificate{
		SerialNumber: new(big.Int).SetBytes(public[:16]), Subject: pkix.Name{CommonName: "wallboard node"}, NotBefore: notBefore, NotAfter: notAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		DNSNames: []string{"localhost"},
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			node.IPAddresses = append(node.IPAddresses, ip)
		} else if host != "" {
			node.DNSNames = append(node.DNSNames, host)
		}
	}
	if der, err = x509.CreateCertificate(rand.Reader, node, root, public, key); err != nil {
		return nil, fmt.Errorf("create a certificate: %w", err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(root)
	return &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: nodeKey}},
		RootCAs: pool, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert,
	}, nil
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
