package sshclient

import (
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
)

// HostError is a server that does not show the key that it is known by.
type HostError struct {
	Address string
	Key     ssh.PublicKey
	Changed bool // it is known by another one
	File    string
}

// Error implements error.
func (e *HostError) Error() string {
	if e.Changed {
		return fmt.Sprintf("%s shows another key (%s) than %s knows: somebody may be in between. If the server has a new key, take the old one out: ssh-keygen -R %s",
			e.Address, ssh.FingerprintSHA256(e.Key), e.File, knownhosts.Normalize(e.Address))
	}
	return fmt.Sprintf("%s is not known: its key is %s", e.Address, ssh.FingerprintSHA256(e.Key))
}

// Hosts checks the keys of servers by a file as OpenSSH has it, which may be missing.
func Hosts(file string) ssh.HostKeyCallback {
	return func(address string, remote net.Addr, key ssh.PublicKey) error {
		check, err := readHosts(file)
		if errors.Is(err, fs.ErrNotExist) {
			return &HostError{Address: address, Key: key, File: file}
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errHosts, err)
		}
		err = check(address, remote, key)
		var wrong *knownhosts.KeyError
		if errors.As(err, &wrong) {
			return &HostError{Address: address, Key: key, Changed: len(wrong.Want) > 0, File: file}
		}
		return err
	}
}

// errHosts is a file of known hosts that cannot be read: that does not mend itself.
var errHosts = errors.New("known hosts")

// Know adds the key of a server to a file.
func Know(e *HostError) error {
	if err := os.MkdirAll(filepath.Dir(e.File), 0o700); err != nil {
		return fmt.Errorf("known hosts: %w", err)
	}
	f, err := os.OpenFile(e.File, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("known hosts: %w", err)
	}
	line := knownhosts.Line([]string{e.Address}, e.Key) + "\n"
	if !endsLine(f) {
		line = "\n" + line
	}
	_, err = f.WriteString(line)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("known hosts: %w", err)
	}
	return nil
}

// endsLine reports whether what is added to a file begins a line.
func endsLine(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return true
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return err == nil && last[0] == '\n'
}

// maxKeyFile is how much of the file of a key is read.
const maxKeyFile = 64 << 10

// Key reads a private key, with the certificate that stands beside it as FILE-cert.pub.
func Key(file string) (ssh.Signer, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	if info.Size() > maxKeyFile {
		return nil, fmt.Errorf("%s is no key: it is too large", file)
	}
	text, err := os.ReadFile(file) //nolint:gosec // the user names it
	if err != nil {
		return nil, err //nolint:wrapcheck // it names the file
	}
	s, err := ssh.ParsePrivateKey(text)
	var locked *ssh.PassphraseMissingError
	switch {
	case errors.As(err, &locked):
		return nil, fmt.Errorf("%s has a passphrase: give it to ssh-agent (ssh-add %s)", file, file)
	case err != nil:
		return nil, fmt.Errorf("%s holds no private key", file)
	}
	line, err := os.ReadFile(file + "-cert.pub") //nolint:gosec // beside it
	if err != nil {
		return s, nil //nolint:nilerr // there is none
	}
	pub, _, _, _, err := ssh.ParseAuthorizedKey(line)
	cert, is := pub.(*ssh.Certificate)
	if err != nil || !is {
		return nil, fmt.Errorf("%s-cert.pub is no certificate", file)
	}
	return ssh.NewCertSigner(cert, s) //nolint:wrapcheck // it says what does not fit
}

// Agent are the keys of ssh-agent at a socket, none where there is no agent. They are
// good until close.
func Agent(socket string) (keys []ssh.Signer, closeAgent func()) {
	none := func() {}
	if socket == "" {
		return nil, none
	}
	conn, err := net.Dial("unix", socket) //nolint:noctx // it is this machine
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

// isAuth reports whether a server took none of the keys. The library has no type for it.
func isAuth(err error) bool { return strings.Contains(err.Error(), "unable to authenticate") }
