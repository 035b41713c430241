package sshd

import (
	"bytes"
	"crypto/rsa"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// Account is somebody who may come in.
type Account struct {
	Name     string
	Keys     []ssh.PublicKey
	Sessions int // at once; 0: as many as there is room for
	// Admin reports whether a place is kept for them.
	Admin bool
	// Rights is what else decides what they are shown, as text: where it is another
	// one, so is the session.
	Rights string
	// Bound is the same of what nobody is to read.
	Bound string
}

// same reports whether two accounts are shown the same.
func (a *Account) same(b *Account) bool {
	return a.Name == b.Name && a.Rights == b.Rights && a.Bound == b.Bound
}

// Access is who may come in.
type Access struct {
	Accounts []Account
	// Authorities sign certificates whose principal is an account.
	Authorities []ssh.PublicKey
}

func (a *Access) account(name string) *Account {
	for i := range a.Accounts {
		if a.Accounts[i].Name == name {
			return &a.Accounts[i]
		}
	}
	return nil
}

// knows reports whether an account may still come in with a key, as a session keeps it.
func (a *Access) knows(who *Account, key string) bool {
	has := func(keys []ssh.PublicKey) bool {
		return slices.ContainsFunc(keys, func(k ssh.PublicKey) bool { return string(k.Marshal()) == key })
	}
	return has(who.Keys) || has(a.Authorities)
}

// What the permissions of a connection hold: the callback is asked about keys that
// are never proved, so nothing else of it counts.
const (
	userExtension = "wallboard-user"
	keyExtension  = "wallboard-key" // the key, or that of the authority
	// untilExtension is when a certificate expires, in seconds since 1970.
	untilExtension = "wallboard-until"
)

var errUnknownKey = errors.New("sshd: a key that is not known here")

// whose says whose a key is. The user name of SSH is not looked at.
func (s *Server) whose(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
	s.mu.Lock()
	access := s.access
	s.mu.Unlock()
	if cert, is := key.(*ssh.Certificate); is {
		return access.certified(cert)
	}
	wire := key.Marshal()
	for i := range access.Accounts {
		for _, known := range access.Accounts[i].Keys {
			if bytes.Equal(known.Marshal(), wire) {
				return permitted(access.Accounts[i].Name, known, nil), nil
			}
		}
	}
	return nil, errUnknownKey
}

// certified says whose a certificate is: one that is signed by an authority, is good
// now, and names an account. One that names nobody is good for everybody elsewhere,
// and for nobody here.
func (a *Access) certified(cert *ssh.Certificate) (*ssh.Permissions, error) {
	if err := Strong(cert.Key); err != nil || cert.CertType != ssh.UserCert {
		return nil, errUnknownKey
	}
	checker := ssh.CertChecker{SupportedCriticalOptions: []string{"source-address"}, IsUserAuthority: func(by ssh.PublicKey) bool {
		return slices.ContainsFunc(a.Authorities, func(k ssh.PublicKey) bool { return bytes.Equal(k.Marshal(), by.Marshal()) })
	}}
	for _, name := range cert.ValidPrincipals {
		if a.account(name) == nil || !checker.IsUserAuthority(cert.SignatureKey) {
			continue
		}
		// Authenticate would want the user name of SSH to be the principal.
		if err := checker.CheckCert(name, cert); err == nil {
			p := permitted(name, cert.SignatureKey, cert.CriticalOptions)
			p.Extensions[untilExtension] = strconv.FormatUint(cert.ValidBefore, 10)
			return p, nil
		}
	}
	return nil, errUnknownKey
}

// permitted is what a connection may do; of the options of a certificate the library
// looks at the address that it is good from.
func permitted(name string, key ssh.PublicKey, options map[string]string) *ssh.Permissions {
	return &ssh.Permissions{
		CriticalOptions: options,
		Extensions:      map[string]string{userExtension: name, keyExtension: string(key.Marshal())},
	}
}

// expiry is when the certificate of a connection expires, the zero time for never.
func expiry(p *ssh.Permissions) time.Time {
	at, err := strconv.ParseUint(p.Extensions[untilExtension], 10, 64)
	if err != nil || at > math.MaxInt64 { // no certificate, or one without an end
		return time.Time{}
	}
	return time.Unix(int64(at), 0)
}

// algorithms are those that a key may be proved with: none with SHA-1.
func algorithms() []string {
	return []string{
		ssh.KeyAlgoED25519, ssh.KeyAlgoSKED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521, ssh.KeyAlgoSKECDSA256,
		ssh.KeyAlgoRSASHA256, ssh.KeyAlgoRSASHA512,
	}
}

// shortestRSA is how many bits a key of RSA has at least.
const shortestRSA = 3072

// Strong returns an error for a key that is too weak to let somebody in.
func Strong(key ssh.PublicKey) error {
	switch key.Type() {
	case ssh.KeyAlgoED25519, ssh.KeyAlgoSKED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521, ssh.KeyAlgoSKECDSA256:
		return nil
	case ssh.KeyAlgoRSA:
		if c, is := key.(ssh.CryptoPublicKey); is {
			if k, is := c.CryptoPublicKey().(*rsa.PublicKey); is && k.N.BitLen() >= shortestRSA {
				return nil
			}
		}
		return fmt.Errorf("an RSA key has %d bits at least", shortestRSA)
	}
	return fmt.Errorf("a key of the kind %q is not taken", key.Type())
}

// ParseKey reads a public key as a line of authorized_keys has it. Options before it
// would promise what is not kept, and are refused.
func ParseKey(line string) (ssh.PublicKey, error) {
	key, _, options, rest, err := ssh.ParseAuthorizedKey([]byte(line))
	switch {
	case err != nil:
		return nil, errors.New("is no public key")
	case len(options) > 0 || strings.TrimSpace(string(rest)) != "":
		return nil, errors.New("is more than one public key")
	}
	if _, is := key.(*ssh.Certificate); is {
		return nil, errors.New("is a certificate: name who signs it in trusted_ca_file")
	}
	return key, Strong(key)
}
