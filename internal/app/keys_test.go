package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/model"
)

// TestKeyWarnings checks the warnings before a key is lost: a single key, keys of another recording, no
// key on this machine, and the keys of both persons in one place.
func TestKeyWarnings(t *testing.T) {
	t.Parallel()
	var public, files []string
	for range 3 {
		key, path := testkit.AgeKey(t)
		public, files = append(public, key.String()), append(files, path)
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
		{"the same key twice", []string{public[0], public[0]}, nil, files[:1], []string{"only one key"}},
		{"two keys, both here", public[:2], nil, files[:2], []string{"all keys of record.recipients"}},
		{"another key here", public[:2], nil, files[2:], []string{"do not open"}},
		{"a missing file", public[:2], nil, []string{missing}, []string{"gone.txt"}},
		{"no key here", public[:2], nil, nil, []string{"no key on this machine"}},
		{"second person elsewhere", public[:2], public[2:], files[:1], []string{"second_key has only one"}},
		{"both persons here", public[:2], public[2:], files, []string{"all keys of", "second_key has only one", "keys of both persons"}},
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

// TestSavedIncidentIsEncrypted saves a part of an encrypted recording with full names. It needs the
// keys of both persons, also after the configuration has changed to initials, and it is not saved
// without keys.
func TestSavedIncidentIsEncrypted(t *testing.T) {
	dir := testkit.PrivateDir(t)
	t.Chdir(dir)
	c := config.Default()
	var files []string
	for _, keys := range []*[]string{&c.Record.Recipients, &c.Privacy.SecondKey} {
		key, path := testkit.AgeKey(t)
		*keys, files = []string{key.String()}, append(files, path)
	}
	at, source := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), filepath.Join(dir, "source")
	w, err := record.NewBatchWriter(source, record.Metadata{Names: "full"}, c.Privacy.RecipientSets(&c.Record, "full")...)
	if err == nil {
		err = errors.Join(w.Add(model.NewStore().Publish(at, model.Health{})), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	save := func() (string, error) {
		r, err := record.OpenFiltered(source, nil, files...)
		if err != nil {
			t.Fatal(err)
		}
		return SaveIncident(t.Context(), &c, r, at, at)
	}
	c.Record.Names = "initials"
	path, err := save()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(path) })
	if _, err := record.OpenFiltered(path, nil, files[0]); !errors.Is(err, secret.ErrNoKey) {
		t.Errorf("one key opens full names: %v", err)
	}
	c.Record.Recipients, c.Privacy.SecondKey = nil, nil
	if path, err := save(); !errors.Is(err, record.ErrNoRecipients) {
		t.Errorf("saved as %q without encryption: %v", path, err)
	}
}
