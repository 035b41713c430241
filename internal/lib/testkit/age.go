package testkit

import (
	"os"
	"path/filepath"
	"testing"

	"filippo.io/age"
)

// AgeKey creates a pair of keys of age. It returns the public key and the path of a file with the
// private key.
func AgeKey(t testing.TB) (public *age.X25519Recipient, path string) {
	t.Helper()
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(PrivateDir(t), "key.txt")
	if err := os.WriteFile(path, []byte(key.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return key.Recipient(), path
}
