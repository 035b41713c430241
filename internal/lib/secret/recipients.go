package secret

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"filippo.io/age"
	"filippo.io/age/agessh"
	"golang.org/x/crypto/ssh"

	"wallboard/internal/lib/securefile"
)

// ErrNoKey means that data is encrypted and that no key file contains a key that opens it.
var ErrNoKey = errors.New("it is encrypted, and no key here opens it")

// Lock is a list of public keys. Any one of their private keys opens data that [Seal] has encrypted
// with the lock.
type Lock []age.Recipient

// contains reports whether a key is in the lock, regardless of its comment and notation.
func (l Lock) contains(key age.Recipient) bool {
	return slices.ContainsFunc(l, func(k age.Recipient) bool { return reflect.DeepEqual(k, key) })
}

// Overlaps reports whether two locks have a key in common, so that one person can open both.
func (l Lock) Overlaps(other Lock) bool { return slices.ContainsFunc(l, other.contains) }

// ParseLock returns the lock of public keys of age (age1…) or SSH (ssh-ed25519, ssh-rsa), each of them
// once. The error describes the first invalid key, or says that the keys cannot be combined.
func ParseLock(keys []string) (Lock, error) {
	var l Lock
	for _, key := range keys {
		var all []age.Recipient
		var err error
		if strings.HasPrefix(key, "ssh-") {
			var r age.Recipient
			r, err = agessh.ParseRecipient(key)
			all = []age.Recipient{r}
		} else {
			all, err = age.ParseRecipients(strings.NewReader(key))
		}
		if strings.HasPrefix(key, "AGE-SECRET-KEY") {
			return nil, errors.New("one of them is a private key; a public key of age begins with age1")
		}
		if err != nil {
			return nil, fmt.Errorf("%.20q is not a public key of age (age1…) or SSH (ssh-ed25519, ssh-rsa)", key)
		}
		for _, r := range all {
			if !l.contains(r) {
				l = append(l, r)
			}
		}
	}
	if _, err := Seal(nil, l); err != nil {
		return nil, fmt.Errorf("the keys cannot be used together: %w", err)
	}
	return l, nil
}

// maxLocks is the maximum number of locks of sealed data.
const maxLocks = 2

// sealedPrefix is the beginning of everything that age has encrypted.
const sealedPrefix = "age-encryption.org/v1\n"

// Seal encrypts data for each lock in turn. A key of each of them is needed to open it. Seal ignores
// locks without keys. There may be at most two locks, and the data must not begin like sealed data.
func Seal(data []byte, locks ...Lock) ([]byte, error) {
	for _, l := range locks {
		if len(l) == 0 {
			continue
		}
		var out bytes.Buffer
		w, err := age.Encrypt(&out, l...)
		if err == nil {
			_, err = w.Write(data)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("encrypt: %w", err)
		}
		data = out.Bytes()
	}
	return data, nil
}

// Open returns the data that [Seal] has encrypted. keyFiles are the paths of files with private
// keys, of age or SSH. The error wraps [ErrNoKey] if a key is missing.
func Open(sealed []byte, keyFiles ...string) ([]byte, error) {
	keys, err := readKeys(keyFiles)
	if err != nil {
		return nil, err
	}
	for n := 0; n < maxLocks && bytes.HasPrefix(sealed, []byte(sealedPrefix)); n++ {
		if len(keys) == 0 {
			return nil, ErrNoKey
		}
		r, err := age.Decrypt(bytes.NewReader(sealed), keys...)
		if _, noMatch := errors.AsType[*age.NoIdentityMatchError](err); noMatch && n > 0 {
			return nil, fmt.Errorf("%w: it needs the keys of two persons, and only one of them is here", ErrNoKey)
		} else if noMatch {
			return nil, ErrNoKey
		}
		if err == nil {
			sealed, err = io.ReadAll(r)
		}
		if err != nil {
			return nil, fmt.Errorf("decrypt: %w", err)
		}
	}
	return sealed, nil
}

// maxKeyFile is the maximum size of a key file in bytes.
const maxKeyFile = 1 << 20

// readKeyFile returns the content of a key file. It returns an error if other users can read the
// file. A credential of systemd may belong to root.
func readKeyFile(path string) ([]byte, error) {
	f, err := securefile.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if p := securefile.FindReader(path, info, filepath.Dir(path) == os.Getenv("CREDENTIALS_DIRECTORY")); p != nil {
		return nil, p
	}
	return io.ReadAll(io.LimitReader(f, maxKeyFile))
}

// readKeys returns the private keys in files.
func readKeys(files []string) ([]age.Identity, error) {
	var all []age.Identity
	for _, path := range files {
		text, err := readKeyFile(path)
		if err != nil {
			return nil, fmt.Errorf("read the key file: %w", err)
		}
		if bytes.Contains(text, []byte("PRIVATE KEY-----")) {
			key, err := agessh.ParseIdentity(text)
			if _, locked := errors.AsType[*ssh.PassphraseMissingError](err); locked {
				return nil, fmt.Errorf("the key file %s has a passphrase: use a copy without one, or a key of age-keygen", path)
			}
			if err != nil {
				return nil, fmt.Errorf("the key file %s contains no usable SSH key", path)
			}
			all = append(all, key)
			continue
		}
		keys, err := age.ParseIdentities(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("the key file %s contains no private key of age or SSH", path) // the error could quote the key
		}
		all = append(all, keys...)
	}
	return all, nil
}
