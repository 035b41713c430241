package cli

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
	"wallboard/internal/record"
	"wallboard/model"
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

// TestBundleWithoutAPlatform writes no bundle if the configuration has several platforms and none or an
// unknown one is selected.
func TestBundleWithoutAPlatform(t *testing.T) {
	t.Parallel()
	config := configFile(t, "[[platform]]\nname = \"Milan\"\nrtd.url = \"http://127.0.0.1:1/rtd\"\nrtd.access_token = \"x\"\n"+
		"[[platform]]\nname = \"Rome\"\nrtd.url = \"http://127.0.0.1:2/rtd\"\nrtd.access_token = \"x\"\n")
	path := filepath.Join(testkit.PrivateDir(t), "support.zip")
	for _, args := range [][]string{nil, {"--platform", "Turin"}} {
		code, _, errs := run(t, append([]string{"doctor", "--config", config, "--bundle", path}, args...)...)
		if code != 2 || !strings.Contains(errs, "Milan, Rome") {
			t.Errorf("%q: code %d, %s", args, code, errs)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%q: a bundle was written", args)
		}
	}
}

// TestBundleHidesRecordedNames hides the names of the recording if the platform cannot be reached.
func TestBundleHidesRecordedNames(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	w, err := record.NewBatchWriter(dir, record.Metadata{
		Platform: "127.0.0.1:1/rtd", Names: "full", Zone: record.Zone{Name: "UTC"}, Codes: []record.Code{{Kind: "service", Code: "S-77", Name: "Gold line"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	st := model.NewStore()
	st.Services.Put(&model.Service{Channel: model.Call, Code: model.TextOf("S-77")})
	st.UserStats.Put(&model.UserStat{Username: model.TextOf("4711"), Name: model.TextOf("Ömer"), AgentFigures: model.AgentFigures{Channel: model.Call}})
	if err := errors.Join(w.Add(st.Publish(time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), model.Health{})), w.Close()); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(dir, "log")
	if err := os.WriteFile(log, []byte("time=2026-11-29T16:33:45.014Z level=WARN msg=\"about Ömer (4711) on Gold line (S-77)\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	config := configFile(t, "[rtd]\nurl = \"http://127.0.0.1:1/rtd\"\naccess_token = \"x\"\n[record]\nenabled = true\ndir = "+strconv.Quote(dir)+"\n[log]\nfile = "+strconv.Quote(log)+"\n")
	path := filepath.Join(testkit.PrivateDir(t), "support.zip")
	if code, _, errs := run(t, "doctor", "--config", config, "--bundle", path); code != 1 {
		t.Fatalf("code %d: %s", code, errs)
	}
	files := readBundle(t, path)
	if want := "time=2026-11-29T16:33:45.014Z level=WARN msg=\"about [hidden] ([hidden]) on [hidden] ([hidden])\"\n"; files["log.txt"] != want {
		t.Errorf("the log: %s", files["log.txt"])
	}
	if !strings.Contains(files["hour.csv"], "2026-03-02T08:00:00Z,CALL,1,") || !strings.Contains(files["README.txt"], "the recording ends 2026-03-02T08:00:00Z") {
		t.Errorf("%q", files)
	}
}
