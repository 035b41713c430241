package operations

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/pflag"

	"wallboard/model/resource"
)

// newTestBody returns the body of an SMS with a value of --file.
func newTestBody(file string) *body[resource.SMS] {
	b := newBody[resource.SMS](pflag.NewFlagSet("", pflag.ContinueOnError), bodyField{"message", "text"})
	b.file = file
	return b
}

// TestBodyEncodings reads texts as editors of several systems write them.
func TestBodyEncodings(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "body.json")
	for _, text := range []string{
		`{"message": "é"}`, "\ufeff{\"message\": \"é\"}\r\n",
		"\xff\xfe{\x00\"\x00m\x00e\x00s\x00s\x00a\x00g\x00e\x00\"\x00:\x00\"\x00\xe9\x00\"\x00}\x00",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{file, "-"} {
			if sms, err := newTestBody(name).applyTo(strings.NewReader(text), resource.SMS{}); err != nil || sms.Message != "é" {
				t.Errorf("%q from %s: %+v, %v", text, name, sms, err)
			}
		}
	}
}

// TestBodyFiles refuses files that are not regular, which could block for ever, and large ones.
func TestBodyFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe, large := filepath.Join(dir, "pipe"), filepath.Join(dir, "large")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(large, []byte(strings.Repeat(" ", maxBodyFile+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{pipe: "not a regular file", dir: "not a regular file", "/dev/zero": "not a regular file", large: "larger than", "-": "larger than"} {
		if _, err := newTestBody(name).applyTo(strings.NewReader(strings.Repeat(" ", maxBodyFile+1)), resource.SMS{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
