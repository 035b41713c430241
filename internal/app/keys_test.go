package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
)

// TestKeyWarnings checks the warnings about keys before a key is lost: one key, keys of another
// recording, no key on this machine, and the keys of both persons in one place.
func TestKeyWarnings(t *testing.T) {
	t.Parallel()
	var public, files []string
	for range 3 {
		key, err := age.GenerateX25519Identity()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(testkit.PrivateDir(t), "key.txt")
		if err := os.WriteFile(path, []byte(key.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		public, files = append(public, key.Recipient().String()), append(files, path)
	}
	missing := filepath.Join(filepath.Dir(files[0]), "gone.txt")
	for _, test := range []struct {
		name                      string
		recipients, second, files []string
		want                      []string // a part of each warning
	}{
		{"not encrypted", nil, nil, files, nil},
		{"two keys, one here", public[:2], nil, files[1:2], nil},
		{"one key", public[:1], nil, files[:1], []string{"only one key"}},
		{"another key here", public[:2], nil, files[2:], []string{"do not open"}},
		{"a missing file", public[:2], nil, []string{missing}, []string{"gone.txt"}},
		{"no key here", public[:2], nil, nil, []string{"no key on this machine"}},
		{"second person elsewhere", public[:2], public[2:], files[:1], []string{"second_key has only one"}},
		{"both persons here", public[:2], public[2:], files, []string{"second_key has only one", "keys of both persons"}},
	} {
		c := config.Default()
		c.Record.Recipients, c.Record.KeyFiles, c.Privacy.SecondKey = test.recipients, test.files, test.second
		got := KeyWarnings(&c)
		if len(got) != len(test.want) {
			t.Errorf("%s: %q, want %d warnings", test.name, got, len(test.want))
			continue
		}
		for i, want := range test.want {
			if !strings.Contains(got[i], want) {
				t.Errorf("%s: %q, want %q", test.name, got[i], want)
			}
		}
	}
}
