package sshterminal

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/crypto/ssh"

	"wallboard/internal/lib/securefile"
)

// maxHostKeyBytes is the maximum size of a host key file in bytes.
const maxHostKeyBytes = 64 << 10

// HostKey reads the private host key of the server from a file. The key must pass [CheckStrength] and have
// no passphrase, and no other user may read the file. If the file does not exist, HostKey generates an
// Ed25519 key, writes it to a file that only its owner can read, and returns true for created.
func HostKey(path string) (key ssh.Signer, created bool, err error) {
	if info, err := os.Lstat(path); err == nil && securefile.OthersPermissions(path, info) != 0 {
		return nil, false, fmt.Errorf("host key: %s can be read by others: chmod 600 it, and consider a new key", path)
	}
	text, err := securefile.Read(path, maxHostKeyBytes)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = newHostKey(path)
		created = true
	}
	if err != nil {
		return nil, false, fmt.Errorf("host key: %w", err)
	}
	key, err = ssh.ParsePrivateKey(text)
	if err != nil {
		return nil, false, fmt.Errorf("host key: %s holds no private key that can be read without a password", path)
	}
	if err := CheckStrength(key.PublicKey()); err != nil {
		return nil, false, fmt.Errorf("host key: %s: %w", path, err)
	}
	return key, created, nil
}

func newHostKey(path string) ([]byte, error) {
	if _, err := securefile.CreateFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	_, private25519, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	block, err := ssh.MarshalPrivateKey(private25519, "wallboard")
	if err != nil {
		return nil, fmt.Errorf("write a key: %w", err)
	}
	text := pem.EncodeToMemory(block)
	return text, securefile.Replace(path, text)
}
