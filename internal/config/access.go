package config

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/securefile"
)

// ServiceAccess is the login to one of the platform's services and the certificates to trust.
// After [Load], Password and AccessToken hold the secrets regardless of their source.
type ServiceAccess struct {
	Login
	Trust
}

// Login holds a user name and the sources of the secrets. One secret is enough.
type Login struct {
	Username           string      `toml:"username"`             // User name, for logins that need one.
	Password           secret.Text `toml:"password"`             // The password itself; only in a configuration file with mode 0600.
	PasswordEnv        string      `toml:"password_env"`         // Environment variable that holds the password.
	PasswordFile       string      `toml:"password_file"`        // File with mode 0600 that holds the password on one line; looked up next to the configuration file, then in $CREDENTIALS_DIRECTORY.
	PasswordKeyring    string      `toml:"password_keyring"`     // Password in the keyring of the operating system, as "service/user".
	AccessToken        secret.Text `toml:"access_token"`         // The access token itself; only in a configuration file with mode 0600.
	AccessTokenEnv     string      `toml:"access_token_env"`     // Environment variable that holds the access token.
	AccessTokenFile    string      `toml:"access_token_file"`    // File that holds the access token on one line, as for password_file.
	AccessTokenKeyring string      `toml:"access_token_keyring"` // Access token in the keyring of the operating system, as "service/user".
}

// Trust configures the verification of a service's certificate.
type Trust struct {
	CAFile             string `toml:"ca_file"`              // PEM certificates to trust instead of the system's.
	InsecureSkipVerify bool   `toml:"insecure_skip_verify"` // Do not verify the server's certificate; the board warns permanently.

	roots *x509.CertPool // from CAFile; nil: the system's
}

// checkAddress adds a problem if the address of a service is invalid. secure is the required
// scheme, such as https. The scheme plain, such as http, is allowed only for an address on this
// machine or with insecure_skip_verify. Problems never quote the address, because it may contain a
// password.
func (c *Trust) checkAddress(r *report, section, key, address, secure, plain string) {
	key = joinKey(section, key)
	example := "write it like " + secure + "://host/" + section
	u, err := url.Parse(address)
	if err != nil {
		r.add(key, "is not a valid address", example)
		return
	}
	port, portErr := strconv.ParseUint(u.Port(), 10, 16)
	switch {
	case u.Scheme != secure && u.Scheme != plain:
		r.add(key, "must begin with "+secure+":// or "+plain+"://", example)
	case u.Hostname() == "":
		r.add(key, "has no host", example)
	case u.User != nil:
		r.add(key, "contains a user name or a password", "remove them from the address; use "+section+".username and "+section+".password_file")
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(address, "#"):
		r.add(key, "contains a query (?) or a fragment (#)", "write only scheme, host, port and path")
	case u.Port() != "" && (portErr != nil || port == 0):
		r.add(key, "has a port out of range", "allowed: 1 to 65535")
	case u.Scheme == plain && !isLoopback(u.Hostname()) && !c.InsecureSkipVerify:
		r.add(key, plain+":// sends the secrets unencrypted", "use "+secure+
			"://; "+plain+":// is for this machine only, unless insecure_skip_verify = true accepts the risk, "+
			"which marks the board permanently")
	}
}

// isLoopback reports whether a host name or IP address always refers to this machine. It does not use DNS.
func isLoopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// TLSConfig returns a new TLS configuration for the service, with TLS 1.2 as the minimum version.
// It trusts only the certificates in ca_file or, if ca_file is not set, those of the system.
func (c *Trust) TLSConfig() *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		RootCAs:            c.roots,
		InsecureSkipVerify: c.InsecureSkipVerify, //nolint:gosec // the user's explicit choice, marked on the screen
	}
}

// loadCA reads the certificates in ca_file if it is set. A relative path is relative to dir.
func (c *Trust) loadCA(r *report, section, dir string) {
	if c.CAFile == "" {
		return
	}
	c.CAFile = pathInDir(dir, c.CAFile)
	r.secretFiles = append(r.secretFiles, c.CAFile) // watch it for changes, like the files of secrets
	pem, err := readText(c.CAFile, maxFileBytes)
	if err != nil {
		r.add(section+".ca_file", "cannot be read: "+securefile.WithoutPath(err).Error(), "name a readable file of PEM certificates")
		return
	}
	r.checkExposure(section+".ca_file", c.CAFile)
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(pem)) {
		r.add(section+".ca_file", "contains no certificate in PEM format", "a certificate begins with -----BEGIN CERTIFICATE-----")
		return
	}
	c.roots = pool
}

// pathInDir returns the path of a file to which the configuration refers. A relative name is
// relative to dir.
func pathInDir(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}
