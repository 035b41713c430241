package secret

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
	"golang.org/x/crypto/ssh"

	"wallboard/internal/lib/testkit"
)

// keyPair creates a key of age and returns its public key and the path of a file with the private
// key.
func keyPair(t *testing.T) (public, file string) {
	t.Helper()
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return key.Recipient().String(), writeKey(t, "# a comment\n"+key.String()+"\n")
}

func writeKey(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(testkit.PrivateDir(t), "key.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// sshKeyPair is like keyPair for a key of SSH, with a passphrase unless it is empty.
func sshKeyPair(t *testing.T, passphrase string) (public, file string) {
	t.Helper()
	pub, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if passphrase != "" {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(private, "", []byte(passphrase))
	}
	if err != nil {
		t.Fatal(err)
	}
	sshPub, err := ssh.NewPublicKey(pub)
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(ssh.MarshalAuthorizedKey(sshPub))), writeKey(t, string(pem.EncodeToMemory(block)))
}

func lockOf(t *testing.T, keys ...string) Lock {
	t.Helper()
	l, err := ParseLock(keys)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLocks opens data with every combination of the keys of two locks.
func TestLocks(t *testing.T) {
	t.Parallel()
	a, aFile := keyPair(t)
	b, bFile := sshKeyPair(t, "")
	c, cFile := keyPair(t)
	_, otherFile := keyPair(t)
	data := []byte("the shift of today")
	one, err := Seal(data, lockOf(t, a, b), nil)
	if err != nil {
		t.Fatal(err)
	}
	two, err := Seal(data, lockOf(t, a, b), lockOf(t, c))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(one, data) || bytes.Contains(two, data) {
		t.Fatal("the data is readable")
	}
	for _, test := range []struct {
		name   string
		sealed []byte
		files  []string
		opens  bool
	}{
		{"no key", one, nil, false},
		{"another key", one, []string{otherFile}, false},
		{"first key", one, []string{aFile}, true},
		{"SSH key", one, []string{otherFile, bFile}, true},
		{"two locks, first person", two, []string{aFile, bFile}, false},
		{"two locks, second person", two, []string{cFile}, false},
		{"two locks, both", two, []string{bFile, cFile}, true},
	} {
		got, err := Open(test.sealed, test.files...)
		if test.opens && (err != nil || !bytes.Equal(got, data)) || !test.opens && !errors.Is(err, ErrNoKey) {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
	}
	for i := range one {
		changed := bytes.Clone(one)
		changed[i] ^= 1
		if got, err := Open(changed, aFile); err == nil && !bytes.Equal(got, changed) && !bytes.Equal(got, data) {
			t.Fatalf("byte %d changed: opened as %q", i, got)
		}
	}
}

// TestSameKeys compares keys that are written differently.
func TestSameKeys(t *testing.T) {
	t.Parallel()
	a, _ := keyPair(t)
	s, _ := sshKeyPair(t, "")
	other, _ := sshKeyPair(t, "")
	for _, test := range []struct {
		first, second string
		same          bool
	}{{a, a + "\n", true}, {s + " anna", s + " bob", true}, {a, s, false}, {s, other, false}} {
		if got := lockOf(t, test.first).Overlaps(lockOf(t, test.second)); got != test.same {
			t.Errorf("%q, %q: %t", test.first, test.second, got)
		}
	}
	if n := len(lockOf(t, a, a+"\n", s+" anna", s)); n != 2 {
		t.Errorf("%d keys, want 2", n)
	}
}

// TestReadableKeyFile does not use a private key that other users can read.
func TestReadableKeyFile(t *testing.T) {
	t.Parallel()
	a, file := keyPair(t)
	sealed, err := Seal([]byte("x"), lockOf(t, a))
	if err == nil {
		err = os.Chmod(file, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(sealed, file); err == nil || !strings.Contains(err.Error(), "is open to others") {
		t.Errorf("opened with a key with mode 0644: %v", err)
	}
}

// TestBadKeys checks the messages for keys that cannot be used; none quotes a private key.
func TestBadKeys(t *testing.T) {
	t.Parallel()
	a, aFile := keyPair(t)
	private, err := os.ReadFile(aFile)
	if err != nil {
		t.Fatal(err)
	}
	_, locked := sshKeyPair(t, "passphrase")
	for _, key := range []string{"", "age1", "ssh-ed25519 AAAA", a[:len(a)-1]} {
		if _, err := ParseLock([]string{a, key}); err == nil || !strings.Contains(err.Error(), "is not a public key") {
			t.Errorf("%q: %v", key, err)
		}
	}
	if _, err := ParseLock([]string{strings.Fields(string(private))[3]}); err == nil || !strings.Contains(err.Error(), "is a private key") || strings.Contains(err.Error(), "AGE-SECRET") {
		t.Errorf("a private key: %v", err)
	}
	sealed, err := Seal([]byte("x"), lockOf(t, a))
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		locked:                                   "has a passphrase",
		writeKey(t, "AGE-SECRET-KEY-1QQQQ"):      "contains no private key",
		writeKey(t, ""):                          "contains no private key",
		filepath.Join(filepath.Dir(aFile), "no"): "read the key file",
	} {
		if _, err := Open(sealed, file); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "AGE-SECRET") || strings.Contains(err.Error(), string(private)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
