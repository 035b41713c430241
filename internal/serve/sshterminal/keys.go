package sshterminal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"golang.org/x/crypto/ssh/knownhosts"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/textnorm"
)

// HostError is the error for a server whose key is unknown or has changed.
type HostError struct {
	Address string
	Key     ssh.PublicKey
	Changed bool // File has other keys of the server, but not this one
	File    string

	knownTypes   []string // types of the server's keys in File
	hasAuthority bool     // File has an authority for certificates of the server
}

// Error implements [error].
func (e *HostError) Error() string {
	if e.Changed {
		return fmt.Sprintf("%s shows another key (%s) than %s knows: somebody may be in between. If the server has a new key, take the old one out: ssh-keygen -R %s",
			e.Address, ssh.FingerprintSHA256(e.Key), e.File, knownhosts.Normalize(e.Address))
	}
	return fmt.Sprintf("%s is not known: its key is %s", e.Address, ssh.FingerprintSHA256(e.Key))
}

// KnownHostsCallback returns a callback that checks the keys of servers against a known_hosts file
// of OpenSSH. For an unknown or changed key, the callback returns a [*HostError]. If the file is
// missing, all keys are unknown.
func KnownHostsCallback(file string) ssh.HostKeyCallback {
	return func(address string, remote net.Addr, key ssh.PublicKey) error {
		check, text, err := readHosts(file)
		if errors.Is(err, fs.ErrNotExist) {
			return &HostError{Address: address, Key: key, File: file}
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errKnownHostsUnreadable, err)
		}
		err = check(address, remote, key)
		var wrong *knownhosts.KeyError
		if errors.As(err, &wrong) {
			return addKnownKeys(wrong.Want, text, &HostError{Address: address, Key: key, File: file})
		}
		return err
	}
}

// addKnownKeys sets the fields of e that depend on the known keys of the server: knownTypes,
// hasAuthority, and Changed if there are any keys. text is the content of the known_hosts
// file. It returns e.
func addKnownKeys(keys []knownhosts.KnownKey, text []byte, e *HostError) *HostError {
	lines := bytes.Split(text, []byte("\n"))
	for _, k := range keys {
		if bytes.HasPrefix(bytes.TrimLeft(lines[k.Line-1], " \t"), []byte("@cert-authority")) {
			e.hasAuthority = true
		} else {
			e.knownTypes = append(e.knownTypes, k.Key.Type())
		}
	}
	e.Changed = len(keys) > 0
	return e
}

// errKnownHostsUnreadable means that a known_hosts file cannot be read. A retry would fail for the same
// reason.
var errKnownHostsUnreadable = errors.New("known hosts")

// AddKnownHost appends the server's key in e to the known_hosts file in e.
func AddKnownHost(e *HostError) error {
	if err := os.MkdirAll(filepath.Dir(e.File), 0o700); err != nil {
		return fmt.Errorf("known hosts: %w", err)
	}
	f, err := os.OpenFile(e.File, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("known hosts: %w", err)
	}
	line := knownhosts.Line([]string{e.Address}, e.Key) + "\n"
	if !endsWithLineFeed(f) {
		line = "\n" + line
	}
	_, err = f.WriteString(line)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("known hosts: %w", err)
	}
	return nil
}

// endsWithLineFeed reports whether a file is empty or ends with a line feed.
func endsWithLineFeed(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return true
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] == '\n'
}

// maxKeyFileBytes is the maximum size of a key file in bytes.
const maxKeyFileBytes = 64 << 10

// LoadKey reads a private key from a file. If FILE-cert.pub exists, LoadKey returns the key
// together with that certificate.
func LoadKey(file string) (ssh.Signer, error) {
	text, err := securefile.ReadRegular(file, maxKeyFileBytes)
	if err != nil {
		return nil, fmt.Errorf("read the key: %w", err)
	}
	s, err := ssh.ParsePrivateKey([]byte(textnorm.DecodeText(text)))
	var locked *ssh.PassphraseMissingError
	switch {
	case errors.As(err, &locked):
		return nil, fmt.Errorf("%s has a passphrase: give it to ssh-agent (ssh-add %s)", file, file)
	case err != nil:
		return nil, fmt.Errorf("%s contains no private key", file)
	}
	line, err := securefile.ReadRegular(file+"-cert.pub", maxKeyFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil // without a certificate, only the key is used
	}
	if err != nil {
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	pub, _, _, _, err := ssh.ParseAuthorizedKey([]byte(textnorm.DecodeText(line)))
	cert, isCertificate := pub.(*ssh.Certificate)
	if err != nil || !isCertificate {
		return nil, fmt.Errorf("%s-cert.pub is not a certificate", file)
	}
	return ssh.NewCertSigner(cert, s)
}

// AgentKeys returns the keys of the ssh-agent that listens on a socket, or none if no agent
// answers. The keys are valid until closeAgent is called.
func AgentKeys(socket string) (keys []ssh.Signer, closeAgent func()) {
	none := func() {}
	if socket == "" {
		return nil, none
	}
	conn, err := net.Dial("unix", socket) //nolint:noctx // a local socket answers at once
	if err != nil {
		return nil, none
	}
	keys, err = agent.NewClient(conn).Signers()
	if err != nil {
		_ = conn.Close()
		return nil, none
	}
	return keys, func() { _ = conn.Close() }
}

// isAuthError reports whether a login failed because the server accepted none of the keys. The
// library has no type for this error.
func isAuthError(err error) bool { return strings.Contains(err.Error(), "unable to authenticate") }
