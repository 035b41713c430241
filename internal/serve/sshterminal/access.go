package sshterminal

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

// Account is a user who may log in with keys or certificates.
type Account struct {
	Name        string
	Keys        []ssh.PublicKey
	MaxSessions int // maximum number at the same time; 0: no limit for this account
	// Admin means that the account may use the session reserved for admins.
	Admin bool
	// Rights describes the rights of the account. If Rights changes, the account's sessions end.
	Rights string
	// HiddenRights describes rights that must not be displayed. If HiddenRights changes, the
	// account's sessions end.
	HiddenRights string
}

// hasSameAccess reports whether two accounts have the same name, rights and hidden rights.
func (a *Account) hasSameAccess(b *Account) bool {
	return a.Name == b.Name && a.Rights == b.Rights && a.HiddenRights == b.HiddenRights
}

// Access is the list of users who may log in.
type Access struct {
	Accounts []Account
	// Authorities are the keys that may sign certificates for the accounts.
	Authorities []ssh.PublicKey
}

func (a *Access) accountNamed(name string) *Account {
	for i := range a.Accounts {
		if a.Accounts[i].Name == name {
			return &a.Accounts[i]
		}
	}
	return nil
}

// allowsKey reports whether an account may log in with a key, given in wire format. The key
// must belong to the account or, for a login with a certificate, to an authority.
func (a *Access) allowsKey(account *Account, key string) bool {
	contains := func(keys []ssh.PublicKey) bool {
		return slices.ContainsFunc(keys, func(k ssh.PublicKey) bool { return string(k.Marshal()) == key })
	}
	return contains(account.Keys) || contains(a.Authorities)
}

// Names of extensions in the permissions of a connection. A callback that checks a key may
// store its result only in these extensions, because clients also offer keys without having
// the private key.
const (
	userExtension = "wallboard-user"
	keyExtension  = "wallboard-key" // key of the account, or of the authority for a certificate, in wire format
	// expiryExtension is the expiry time of the certificate in seconds since 1970.
	expiryExtension = "wallboard-until"
)

var errUnknownKey = errors.New("sshterminal: unknown key")

// permissionsFor returns the permissions of a client that offers a key. It ignores the SSH
// user name, because the key alone determines the account.
func (s *Server) permissionsFor(_ ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
	s.mu.Lock()
	access := s.access
	s.mu.Unlock()
	if cert, isCertificate := key.(*ssh.Certificate); isCertificate {
		return access.certificatePermissions(cert)
	}
	wire := key.Marshal()
	for i := range access.Accounts {
		for _, known := range access.Accounts[i].Keys {
			if bytes.Equal(known.Marshal(), wire) {
				return newPermissions(access.Accounts[i].Name, known, nil), nil
			}
		}
	}
	return nil, errUnknownKey
}

// certificatePermissions returns the permissions of a client that offers a certificate. The
// certificate must be valid and signed by an authority, and one of its principals must be the
// name of an account. Unlike the library, certificatePermissions rejects a certificate without
// principals.
func (a *Access) certificatePermissions(cert *ssh.Certificate) (*ssh.Permissions, error) {
	if err := CheckStrength(cert.Key); err != nil || cert.CertType != ssh.UserCert {
		return nil, errUnknownKey
	}
	checker := ssh.CertChecker{SupportedCriticalOptions: []string{"source-address"}, IsUserAuthority: func(authority ssh.PublicKey) bool {
		return slices.ContainsFunc(a.Authorities, func(k ssh.PublicKey) bool { return bytes.Equal(k.Marshal(), authority.Marshal()) })
	}}
	for _, name := range cert.ValidPrincipals {
		if a.accountNamed(name) == nil || !checker.IsUserAuthority(cert.SignatureKey) {
			continue
		}
		// Authenticate requires the SSH user name to be a principal, so CheckCert is used instead.
		if err := checker.CheckCert(name, cert); err == nil {
			p := newPermissions(name, cert.SignatureKey, cert.CriticalOptions)
			p.Extensions[expiryExtension] = strconv.FormatUint(cert.ValidBefore, 10)
			return p, nil
		}
	}
	return nil, errUnknownKey
}

// newPermissions returns the permissions for a connection to the named account. key is the key
// of the account or of an authority. options are the critical options of the certificate; the
// library enforces source-address.
func newPermissions(name string, key ssh.PublicKey, options map[string]string) *ssh.Permissions {
	return &ssh.Permissions{
		CriticalOptions: options,
		Extensions:      map[string]string{userExtension: name, keyExtension: string(key.Marshal())},
	}
}

// certificateExpiry returns the time at which the certificate of a connection expires. It
// returns the zero time if there is no certificate or it does not expire.
func certificateExpiry(p *ssh.Permissions) time.Time {
	seconds, err := strconv.ParseUint(p.Extensions[expiryExtension], 10, 64)
	if err != nil || seconds > math.MaxInt64 { // no certificate, or one that does not expire
		return time.Time{}
	}
	return time.Unix(int64(seconds), 0)
}

// signatureAlgorithms returns the accepted signature algorithms. None of them uses SHA-1.
func signatureAlgorithms() []string {
	return []string{
		ssh.KeyAlgoED25519, ssh.KeyAlgoSKED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521, ssh.KeyAlgoSKECDSA256,
		ssh.KeyAlgoRSASHA256, ssh.KeyAlgoRSASHA512,
	}
}

// minRSABits is the minimum length of an RSA key in bits.
const minRSABits = 3072

// CheckStrength returns an error if a key is too short or its type is not accepted.
func CheckStrength(key ssh.PublicKey) error {
	switch key.Type() {
	case ssh.KeyAlgoED25519, ssh.KeyAlgoSKED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521, ssh.KeyAlgoSKECDSA256:
		return nil
	case ssh.KeyAlgoRSA:
		if c, ok := key.(ssh.CryptoPublicKey); ok {
			if k, ok := c.CryptoPublicKey().(*rsa.PublicKey); ok && k.N.BitLen() >= minRSABits {
				return nil
			}
		}
		return fmt.Errorf("an RSA key needs at least %d bits", minRSABits)
	}
	return fmt.Errorf("keys of type %q are not accepted", key.Type())
}

// ParseKey parses a public key in the format of a line of authorized_keys. It rejects
// certificates and weak keys. It also rejects options such as from="…", because the server
// does not implement them.
func ParseKey(line string) (ssh.PublicKey, error) {
	key, _, options, rest, err := ssh.ParseAuthorizedKey([]byte(line))
	switch {
	case err != nil:
		return nil, errors.New("is not a public key")
	case len(options) > 0 || strings.TrimSpace(string(rest)) != "":
		return nil, errors.New("is more than one public key")
	}
	if _, isCertificate := key.(*ssh.Certificate); isCertificate {
		return nil, errors.New("is a certificate: put the key of its authority into trusted_ca_file")
	}
	return key, CheckStrength(key)
}
