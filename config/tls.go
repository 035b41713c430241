package config

import (
	"crypto/tls"
	"crypto/x509"
	"path/filepath"
)

// TLSConfig returns how to speak TLS with the service: version 1.2 or later,
// trusting the certificates of ca_file alone if it is set, else the system's.
// Each call returns a new one.
func (c *RTD) TLSConfig() *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		RootCAs:            c.roots,
		InsecureSkipVerify: c.InsecureSkipVerify, //nolint:gosec // the user's explicit choice, marked on the screen
	}
}

// loadCA reads ca_file, if there is one.
func (c *RTD) loadCA(r *report, dir string) {
	if c.CAFile == "" {
		return
	}
	c.CAFile = beside(dir, c.CAFile)
	pem, err := readLimited(c.CAFile, maxFile)
	if err != nil {
		r.add("rtd.ca_file", "cannot be read: "+reason(err), "name a readable file of PEM certificates")
		return
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		r.add("rtd.ca_file", "holds no certificate in PEM form", "a certificate begins with -----BEGIN CERTIFICATE-----")
		return
	}
	c.roots = pool
}

// beside returns the path of a file that the configuration in dir names.
func beside(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}
