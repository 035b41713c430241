package cli

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/lib/testkit"
)

// readBundle returns the files of a bundle.
func readBundle(t *testing.T, path string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close() //nolint:errcheck // only read from
	files := make(map[string]string)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the bundle is %v, %v", info, err)
	}
	return files
}

// namesIn returns the names of people and the codes in a dump.
func namesIn(t *testing.T, dump string) []string {
	t.Helper()
	var names []string
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				walk(k, e)
			}
		case []any:
			for _, e := range v {
				walk(key, e)
			}
		case string:
			if (key == "username" || key == "name" || key == "surname" || key == "code") && len(v) > 2 {
				names = append(names, v)
			}
		}
	}
	for dec := json.NewDecoder(strings.NewReader(dump)); ; {
		var v any
		if dec.Decode(&v) != nil {
			break
		}
		walk("", v)
	}
	return names
}

// TestSupportBundle writes a bundle and searches its bytes for every secret and name of the set-up.
func TestSupportBundle(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	code, dump, errs := s.run("", "dump", "--for", "5s")
	if code != 0 {
		t.Fatalf("dump: %d, %s", code, errs)
	}
	private := append(namesIn(t, dump), canaryPassword, canaryToken, "hook-token", "Night watch", filepath.Dir(s.config), "127.0.0.1")
	for _, n := range s.srv.DisplayNames() {
		private = append(private, n.Name)
	}
	if len(private) < 20 {
		t.Fatalf("the dump has only %d names", len(private))
	}
	text, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	more := "[[notify]]\nname = \"Night watch\"\nwebhook = \"https://127.0.0.1:1/hook-token\"\nseverity = \"critical\"\n"
	if err := os.WriteFile(s.config, append(text, more...), 0o600); err != nil {
		t.Fatal(err)
	}
	logged := "time=2026-11-29T16:33:45.014Z level=WARN msg=\"about " + private[0] + "\" error=\"" + strings.Join(private, " ") + "\"\n" + strings.Join(private, "\n") + "\n"
	if err := os.WriteFile(s.log, []byte(logged), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(testkit.PrivateDir(t), "support.zip")
	if code, out, errs := s.run("", "doctor", "--bundle", path); code > 1 {
		t.Fatalf("doctor: %d, %s%s", code, out, errs)
	}
	files := readBundle(t, path)
	for _, want := range []string{"README.txt", "version.json", "findings.txt", "configuration.txt", "log.txt"} {
		if files[want] == "" {
			t.Errorf("the bundle lacks %s", want)
		}
	}
	for name, text := range files {
		for _, p := range private {
			if bytes.Contains(bytes.ToLower([]byte(text)), bytes.ToLower([]byte(p))) {
				t.Errorf("%s contains %q", name, p)
			}
		}
	}
	if !strings.Contains(files["findings.txt"], "graphql-transport-ws") || !strings.Contains(files["configuration.txt"], "rest.password = (set)") || !strings.Contains(files["log.txt"], "error=…") {
		t.Errorf("the bundle says too little: %q", files)
	}
	if code, _, errs := s.run("", "doctor", "--bundle", path); code == 0 || !strings.Contains(errs, "never replaces a file") {
		t.Errorf("over a file: %d, %s", code, errs)
	}
}

// TestBundleOfABrokenConfiguration says where the errors are, without values.
func TestBundleOfABrokenConfiguration(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	if err := os.WriteFile(s.config, []byte("[rtd]\nurl = \"ftp://secret-host\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(testkit.PrivateDir(t), "support.zip")
	if code, _, errs := s.run("", "doctor", "--bundle", path); code != 2 {
		t.Errorf("code %d: %s", code, errs)
	}
	files := readBundle(t, path)
	if got := files["configuration.txt"]; !strings.Contains(got, "line 2: rtd.url has an error") || strings.Contains(got, "secret-host") {
		t.Error(got)
	}
	if !strings.Contains(files["README.txt"], "findings of the doctor: the configuration cannot be read") {
		t.Error(files["README.txt"])
	}
}
