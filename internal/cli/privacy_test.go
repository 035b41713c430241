package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/model"
)

// TestPrivacyReport writes the report to a file. The exit status says whether every claim holds.
func TestPrivacyReport(t *testing.T) {
	t.Parallel()
	path := configFile(t, "[record]\nenabled = true\ndir = \"recordings\"\nnames = \"hidden\"\n[audit]\nfile = \"audit.jsonl\"\n[log]\nfile = \"board.log\"\n")
	dir := filepath.Join(filepath.Dir(path), "recordings")
	out := filepath.Join(filepath.Dir(path), "page.md")
	if status, _, errs := run(t, "--config", path, "privacy", "report", "--out", out); status != 0 {
		t.Fatal(errs)
	}
	page, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(page), "with names hidden") {
		t.Fatalf("%s, %v", page, err)
	}
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	status, text, errs := run(t, "--config", path, "privacy", "report")
	if status != 1 || !strings.Contains(text, "DOES NOT HOLD") || !strings.Contains(errs, "1 claim does not hold") {
		t.Errorf("status %d, %s%s", status, text, errs)
	}
}

// TestCopiesStayEncrypted copies a part of an encrypted recording with full names. This fails without
// keys, with an unreadable configuration, and if one person has the keys of both.
func TestCopiesStayEncrypted(t *testing.T) {
	t.Parallel()
	first, firstFile := testkit.AgeKey(t)
	second, secondFile := testkit.AgeKey(t)
	encrypted := configFile(t, fmt.Sprintf("[record]\nenabled = true\ndir = \"recordings\"\nrecipients = [%q]\n[privacy]\nsecond_key = [%q]\n", first, second))
	dir := filepath.Join(filepath.Dir(encrypted), "recordings")
	c, err := config.Load(encrypted, config.Options{Demo: true})
	if err != nil {
		t.Fatal(err)
	}
	w, err := record.NewBatchWriter(dir, record.Metadata{Names: "full"}, c.Privacy.RecipientSets(&c.Record, "full")...)
	if err == nil {
		err = errors.Join(w.Add(model.NewStore().Publish(time.Now().Add(-time.Minute), model.Health{})), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	plain := configFile(t, "[record]\nenabled = true\n")
	out := filepath.Join(filepath.Dir(plain), "copy.wbr")
	keys := []string{"record", "cut", dir, "--out", out, "--key-file", firstFile, "--key-file", secondFile}
	for _, test := range []struct {
		name, want string
		args       []string
	}{
		{"no configuration at the path", "there is no configuration file", []string{"--config", filepath.Join(dir, "mistyped.toml")}},
		{"no keys", "name one with --recipient", []string{"--config", plain}},
		{"the second person twice", "one person could open", []string{"--config", encrypted, "--recipient", second.String() + "\n"}},
	} {
		status, _, errs := run(t, append(slices.Clone(keys), test.args...)...)
		if _, err := os.Stat(out); status == 0 || !strings.Contains(errs, test.want) || err == nil {
			t.Errorf("%s: status %d, %q", test.name, status, errs)
		}
	}
	if status, _, errs := run(t, append(keys, "--config", encrypted)...); status != 0 {
		t.Fatal(errs)
	}
	if _, err := record.OpenFiltered(out, nil, firstFile); err == nil {
		t.Error("one key opens the copy")
	}
}
