package netconn

import (
	"crypto/tls"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// TestSelfSigned checks when a certificate is created again.
func TestSelfSigned(t *testing.T) {
	t.Parallel()
	path := filepath.Join(testkit.PrivateDir(t), "state", "web.pem")
	now := time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)
	get := func(hosts ...string) (*tls.Certificate, bool) {
		t.Helper()
		c, created, err := SelfSignedCertificate(path, hosts, now)
		if err != nil {
			t.Fatal(err)
		}
		return c, created
	}
	first, created := get("board.example.com", "192.0.2.1")
	if !created || first.Leaf.VerifyHostname("board.example.com") != nil || first.Leaf.VerifyHostname("192.0.2.1") != nil || first.Leaf.VerifyHostname("other.example.com") == nil {
		t.Errorf("created: %v, names %v %v", created, first.Leaf.DNSNames, first.Leaf.IPAddresses)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	if again, created := get("board.example.com"); created || !again.Leaf.Equal(first.Leaf) {
		t.Error("a certificate that fits is replaced")
	}
	if _, created := get("new.example.com"); !created {
		t.Error("a certificate without the name is used")
	}
	now = now.Add(selfSignedLifetime - renewBefore/2)
	if _, created := get("new.example.com"); !created {
		t.Error("a certificate that expires soon is used")
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := SelfSignedCertificate(path, nil, now); err == nil || !strings.Contains(err.Error(), "can be read by others") {
		t.Errorf("an open file: %v", err)
	}
}

// TestFiles checks that a renewed certificate is read, and that damaged files change nothing.
func TestFiles(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	now := time.Now()
	path := filepath.Join(dir, "cert.pem")
	create := func(name string) []byte {
		text, err := newSelfSigned([]string{name}, now)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	write := func(text []byte, modified time.Time) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, modified, modified); err != nil {
			t.Fatal(err)
		}
	}
	write(create("one.example.com"), now.Add(-time.Hour))
	f, err := OpenCertificate(path, path)
	if err != nil {
		t.Fatal(err)
	}
	name := func() string { now = now.Add(recheckInterval); return f.Current(now).Leaf.DNSNames[0] }
	if got := name(); got != "one.example.com" {
		t.Errorf("at first: %s", got)
	}
	write([]byte("damaged"), now.Add(-time.Minute))
	if got := name(); got != "one.example.com" {
		t.Errorf("with damaged files: %s", got)
	}
	write(create("two.example.com"), now)
	if got := name(); got != "two.example.com" {
		t.Errorf("renewed: %s", got)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCertificate(path, path); err == nil || !strings.Contains(err.Error(), "open to others") {
		t.Errorf("an open key: %v", err)
	}
}
