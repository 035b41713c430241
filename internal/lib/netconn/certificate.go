package netconn

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"sync"
	"time"

	"wallboard/internal/lib/securefile"
)

// TLSFromSecret derives a TLS configuration, with certificates on both sides, from a shared secret. The
// secret determines the key of a certificate authority, so the authority is the same wherever the
// secret is known. Each process signs its own certificate, for the given hosts, with this key. Without
// the secret, a client can neither connect nor impersonate a server. The secret itself is never sent.
func TLSFromSecret(secret []byte, hosts []string) (*tls.Config, error) {
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
	}
	addHosts(node, append([]string{"localhost"}, hosts...))
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

// addHosts adds names and IP addresses to a certificate.
func addHosts(c *x509.Certificate, hosts []string) {
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			c.IPAddresses = append(c.IPAddresses, ip)
		} else if host != "" {
			c.DNSNames = append(c.DNSNames, host)
		}
	}
}

// Lifetime of a self-signed certificate. It is long, because browsers warn about each new
// certificate.
const (
	selfSignedLifetime = 10 * 365 * 24 * time.Hour
	renewBefore        = 30 * 24 * time.Hour
)

// maxFileBytes is the maximum size of a file with a certificate or key, in bytes.
const maxFileBytes = 1 << 20

// SelfSignedCertificate returns the self-signed certificate in the file at path, which also contains its key.
// If there is none, if it expires soon, or if it lacks one of the hosts, SelfSignedCertificate creates one,
// writes it to the file with mode 0600, and returns true for created. Old browsers accept the type
// of its key, too.
func SelfSignedCertificate(path string, hosts []string, now time.Time) (c *tls.Certificate, created bool, err error) {
	if info, err := os.Lstat(path); err == nil && securefile.OthersPermissions(path, info) != 0 {
		return nil, false, fmt.Errorf("%s can be read by others: remove it, so that another key is created", path)
	}
	text, err := securefile.Read(path, maxFileBytes)
	switch {
	case err == nil:
		if pair, err := tls.X509KeyPair(text, text); err == nil && isUsable(&pair, hosts, now) {
			return &pair, false, nil
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, false, fmt.Errorf("read the certificate: %w", err)
	}
	if text, err = newSelfSigned(hosts, now); err != nil {
		return nil, false, err
	}
	if err := securefile.Replace(path, text); err != nil {
		return nil, false, fmt.Errorf("write the certificate: %w", err)
	}
	pair, err := tls.X509KeyPair(text, text)
	return &pair, true, err
}

func isUsable(pair *tls.Certificate, hosts []string, now time.Time) bool {
	if now.After(pair.Leaf.NotAfter.Add(-renewBefore)) {
		return false
	}
	for _, host := range hosts {
		if pair.Leaf.VerifyHostname(host) != nil {
			return false
		}
	}
	return true
}

func newSelfSigned(hosts []string, now time.Time) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("generate a key: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127)) //nolint:mnd // bits; at most 20 bytes are allowed
	if err != nil {
		return nil, fmt.Errorf("choose a serial number: %w", err)
	}
	c := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "wallboard"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(selfSignedLifetime),
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	addHosts(c, hosts)
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("create a certificate: %w", err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("encode a key: %w", err)
	}
	return append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})...), nil
}

// CertificateFiles reads a certificate and its key from two files, again whenever the files change, so that a
// renewed certificate needs no restart. It is safe for concurrent use.
type CertificateFiles struct {
	certPath, keyPath string

	mu        sync.Mutex
	pair      *tls.Certificate
	modified  [2]time.Time // modification times of the two files
	checkedAt time.Time
}

// recheckInterval is how often [CertificateFiles] looks for changed files.
const recheckInterval = 10 * time.Second

// OpenCertificate reads a certificate and its key. Other users must not be able to read the key.
func OpenCertificate(certPath, keyPath string) (*CertificateFiles, error) {
	f := &CertificateFiles{certPath: certPath, keyPath: keyPath}
	return f, f.read(f.modificationTimes())
}

// Current returns the certificate. If changed files cannot be read, it returns the previous
// certificate.
func (f *CertificateFiles) Current(now time.Time) *tls.Certificate {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now.Sub(f.checkedAt) >= recheckInterval {
		f.checkedAt = now
		if times := f.modificationTimes(); times != f.modified {
			_ = f.read(times) // the files are being replaced, or are damaged: the next call tries again
		}
	}
	return f.pair
}

func (f *CertificateFiles) modificationTimes() (out [2]time.Time) {
	for i, path := range []string{f.certPath, f.keyPath} {
		if info, err := os.Stat(path); err == nil {
			out[i] = info.ModTime()
		}
	}
	return out
}

func (f *CertificateFiles) read(times [2]time.Time) error {
	cert, err := securefile.ReadRegular(f.certPath, maxFileBytes)
	if err != nil {
		return fmt.Errorf("read the certificate: %w", err)
	}
	info, err := os.Stat(f.keyPath)
	if err != nil {
		return fmt.Errorf("read the key: %w", err)
	}
	if p := securefile.FindReader(f.keyPath, info, true); p != nil {
		return fmt.Errorf("read the key: %w", p)
	}
	key, err := securefile.ReadRegular(f.keyPath, maxFileBytes)
	if err != nil {
		return fmt.Errorf("read the key: %w", err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return fmt.Errorf("use the certificate: %w", err)
	}
	f.pair, f.modified = &pair, times
	return nil
}
