package config

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"wallboard/secret"
)

// Access is how to log in to one of the platform's services, and whom to trust.
// After [Load], Password and AccessToken hold the secrets wherever they came from.
type Access struct {
	Login
	Trust
}

// Login is whom to log in as, and with what. One secret is enough.
type Login struct {
	Username           string      `toml:"username"`             // Whom to log in as, where that takes a user name.
	Password           secret.Text `toml:"password"`             // The password itself; only in a file of mode 0600.
	PasswordEnv        string      `toml:"password_env"`         // Environment variable that holds the password.
	PasswordFile       string      `toml:"password_file"`        // File of one line that holds the password, of mode 0600, beside the configuration or in $CREDENTIALS_DIRECTORY.
	PasswordKeyring    string      `toml:"password_keyring"`     // Password in the keyring of the operating system, as "service/user".
	AccessToken        secret.Text `toml:"access_token"`         // The access token itself; only in a file of mode 0600.
	AccessTokenEnv     string      `toml:"access_token_env"`     // Environment variable that holds the access token.
	AccessTokenFile    string      `toml:"access_token_file"`    // File of one line that holds the access token, as for password_file.
	AccessTokenKeyring string      `toml:"access_token_keyring"` // Access token in the keyring of the operating system, as "service/user".
}

// Trust is whom to take for one of the platform's services.
type Trust struct {
	CAFile             string `toml:"ca_file"`              // PEM certificates to trust instead of the system's; relative to the configuration file.
	InsecureSkipVerify bool   `toml:"insecure_skip_verify"` // The server's certificate is not verified; the board shows a permanent mark.

	roots *x509.CertPool // of CAFile; nil: the system's
}

// checkAddress never quotes the address: it may hold a password.
func (c *Trust) checkAddress(r *report, section, key, address, secure, plain string) {
	key = join(section, key)
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
		r.add(key, "names no host", example)
	case u.User != nil:
		r.add(key, "holds a user name or a password", "take them out of the address; use "+section+".username and "+section+".password_file")
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(address, "#"):
		r.add(key, "holds a query (?) or a fragment (#)", "write only scheme, host, port and path")
	case u.Port() != "" && (portErr != nil || port == 0):
		r.add(key, "has a port out of range", "allowed: 1 to 65535")
	case u.Scheme == plain && !loopback(u.Hostname()) && !c.InsecureSkipVerify:
		r.add(key, plain+":// sends the secrets readable by everyone on the way", "use "+secure+
			"://; "+plain+":// is for this machine only, unless insecure_skip_verify = true accepts the risk, "+
			"which marks the board permanently")
	}
}

// loopback reports whether a host is this machine, without asking a name server.
func loopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// TLSConfig returns how to speak TLS with the service: version 1.2 or later,
// trusting the certificates of ca_file alone if it is set, else the system's.
// Each call returns a new one.
func (c *Trust) TLSConfig() *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		RootCAs:            c.roots,
		InsecureSkipVerify: c.InsecureSkipVerify, //nolint:gosec // the user's explicit choice, marked on the screen
	}
}

// loadCA reads ca_file, if there is one.
func (c *Trust) loadCA(r *report, section, dir string) {
	if c.CAFile == "" {
		return
	}
	c.CAFile = beside(dir, c.CAFile)
	pem, err := readLimited(c.CAFile, maxFile)
	if err != nil {
		r.add(section+".ca_file", "cannot be read: "+reason(err), "name a readable file of PEM certificates")
		return
	}
	r.exposed(section+".ca_file", c.CAFile)
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		r.add(section+".ca_file", "holds no certificate in PEM form", "a certificate begins with -----BEGIN CERTIFICATE-----")
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
