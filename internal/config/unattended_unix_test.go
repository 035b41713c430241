//go:build unix

package config

import (
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPipeDoesNotHang reads a FIFO without a writer as the configuration and as a
// file of certificates.
func TestPipeDoesNotHang(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	withCA := write(t, dir, "config.toml", strings.Replace(minimal, "[rtd]", "[rtd]\nca_file = \"pipe\"", 1), 0o600)
	began := time.Now()
	if _, err := Load(pipe, Options{}); err == nil || !strings.Contains(err.Error(), "without a writer") {
		t.Errorf("the configuration: %v", err)
	}
	if _, err := Load(withCA, Options{}); err == nil || !strings.Contains(err.Error(), "rtd.ca_file") {
		t.Errorf("the certificates: %v", err)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestLogToStderr checks both names of standard error.
func TestLogToStderr(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"stderr", "/dev/stderr"} {
		c, err := Parse(minimal+"[log]\nfile = \""+name+"\"\n", filepath.Join(t.TempDir(), "config.toml"), Options{})
		if err != nil || !c.Log.ToStderr() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSecretFiles lists the possible files of secrets, existing or not.
func TestSecretFiles(t *testing.T) {
	t.Parallel()
	dir, credentials := t.TempDir(), t.TempDir()
	write(t, credentials, "tok", "secret\n", 0o600)
	path := write(t, dir, "config.toml", "[rtd]\nurl = \"https://pbx.example.com/rtd\"\naccess_token_file = \"tok\"\n[record]\nkey_files = [\"key\"]\n", 0o600)
	c, err := Load(path, Options{Getenv: func(name string) string {
		return map[string]string{"CREDENTIALS_DIRECTORY": credentials}[name]
	}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{filepath.Join(dir, "tok"), filepath.Join(credentials, "tok"), filepath.Join(dir, "key")}; !slices.Equal(c.SecretFiles(), want) {
		t.Errorf("%v, want %v", c.SecretFiles(), want)
	}
}
