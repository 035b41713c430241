package securefile_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/securefile"
	"wallboard/internal/lib/testkit"
)

// write writes a file below dir.
func write(t *testing.T, dir, name, content string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// archive returns an archive of a configuration folder and a state folder.
func archive(t *testing.T) []byte {
	t.Helper()
	config, state := testkit.PrivateDir(t), testkit.PrivateDir(t)
	write(t, config, "config.toml", "title = \"Bolzano\"\n")
	write(t, config, "tables/config.json", "{}")
	write(t, config, "private.txt", "not of this program")
	write(t, state, "notes.jsonl", strings.Repeat("note\n", 1000))
	write(t, state, "wallboard.log", "log")
	write(t, state, "recordings/a.wbr", "recording")
	if err := os.Symlink("/etc/passwd", filepath.Join(state, "link")); err != nil {
		t.Fatal(err)
	}
	m, err := securefile.ScanFiles([]securefile.ArchiveRoot{{Name: "config", Dir: config, Only: []string{"config.toml", "tables", "themes"}}, {Name: "state", Dir: state}, {Name: "none", Dir: filepath.Join(state, "none")}}, func(path string) string {
		switch filepath.Base(path) {
		case "wallboard.log":
			return "a log"
		case "recordings":
			return "recordings"
		}
		return ""
	})
	if err != nil {
		t.Fatal(err)
	}
	m.Created = time.Unix(1000, 0)
	var out bytes.Buffer
	if err := m.Write(&out, os.ReadFile); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestRestore restores an archive into empty folders, restores it again, and then over a changed
// file, which is kept.
func TestRestore(t *testing.T) {
	t.Parallel()
	text := archive(t)
	a, err := securefile.ReadArchive(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(testkit.PrivateDir(t), "new")
	roots := []securefile.ArchiveRoot{{Name: "config", Dir: config}}
	restore := func() (written, kept int) {
		steps, err := a.PlanRestore(roots)
		if err != nil {
			t.Fatal(err)
		}
		for i := range steps {
			s := &steps[i]
			if (s.Target == "") != strings.HasPrefix(s.Name, "state/") {
				t.Errorf("%s goes to %q", s.Name, s.Target)
			}
			if s.Target != "" && !s.Unchanged {
				written++
			}
			if s.Exists {
				kept++
			}
			if err := a.Restore(s, s.Target+".kept"); err != nil {
				t.Fatal(err)
			}
		}
		return written, kept
	}
	for i, want := range [][2]int{{2, 0}, {0, 0}, {1, 1}} {
		if i == 2 {
			write(t, config, "config.toml", "changed")
			if err := errors.Join(os.Chmod(filepath.Join(config, "config.toml"), 0o640), os.Chmod(config, 0o750)); err != nil {
				t.Fatal(err)
			}
		}
		if written, kept := restore(); written != want[0] || kept != want[1] {
			t.Errorf("round %d: %d written, %d kept, want %v", i, written, kept, want)
		}
	}
	checkRestored(t, config)
}

// checkRestored checks the contents and the modes of the restored files: those that existed keep
// their mode, and so does their folder.
func checkRestored(t *testing.T, config string) {
	t.Helper()
	if info, err := os.Stat(config); err == nil && runtime.GOOS != "windows" && info.Mode().Perm() != 0o750 {
		t.Errorf("the folder has mode %v", info.Mode())
	}
	for name, want := range map[string]string{"config.toml": "title = \"Bolzano\"\n", "config.toml.kept": "changed", "tables/config.json": "{}"} {
		path := filepath.Join(config, name)
		got, err := os.ReadFile(path)
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		mode := os.FileMode(0o640)
		if name == "tables/config.json" {
			mode = 0o600
		}
		if info, err := os.Stat(path); err == nil && runtime.GOOS != "windows" && name != "config.toml.kept" && info.Mode().Perm() != mode {
			t.Errorf("%s has mode %v, want %v", name, info.Mode(), mode)
		}
	}
}

// TestScan checks which files are in an archive, and that it lists the others with a reason.
func TestScan(t *testing.T) {
	t.Parallel()
	text := archive(t)
	a, err := securefile.ReadArchive(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var names, leftOut []string
	for _, f := range a.Files {
		names = append(names, f.Name)
	}
	for _, l := range a.LeftOut {
		leftOut = append(leftOut, filepath.Base(l.Path)+": "+l.Reason)
	}
	slices.Sort(leftOut)
	if want := []string{"config/config.toml", "config/tables/config.json", "state/notes.jsonl"}; !slices.Equal(names, want) {
		t.Errorf("files: %q, want %q", names, want)
	}
	if want := []string{"link: not a regular file", "recordings: recordings", "wallboard.log: a log"}; !slices.Equal(leftOut, want) {
		t.Errorf("left out: %q, want %q", leftOut, want)
	}
}

// TestDamagedArchive changes single bytes, cuts the archive, and appends to it: each archive is either
// refused or read completely.
func TestDamagedArchive(t *testing.T) {
	t.Parallel()
	whole := archive(t)
	random := rand.New(rand.NewPCG(1, 2))
	read := func(text []byte) error {
		_, err := securefile.ReadArchive(bytes.NewReader(text), int64(len(text)))
		return err
	}
	if err := read(whole); err != nil {
		t.Fatal(err)
	}
	refused := 0
	for range 500 {
		text := slices.Clone(whole)
		text[random.IntN(len(text))] ^= byte(1 + random.IntN(255))
		if read(text) != nil {
			refused++
		}
	}
	if refused < 450 { // some bytes, such as the time in the header, have no effect
		t.Errorf("%d of 500 damaged archives are refused", refused)
	}
	for n := range len(whole) - 8 { // the last bytes are the checksum of gzip
		if n%7 == 0 && read(whole[:n]) == nil {
			t.Errorf("cut after %d of %d bytes: accepted", n, len(whole))
		}
	}
	if err := read([]byte("not an archive")); err == nil {
		t.Error("a text file is accepted")
	}
	if err := read(nil); err == nil || !strings.Contains(err.Error(), io.EOF.Error()) {
		t.Errorf("an empty file: %v", err)
	}
}

// TestHostileNames reads archives whose manifest agrees with their files, but whose names lead out
// of the folders.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"../x", "config/../../x", "/etc/x", "config", "config//x", "config/./x", `config\..\x`, ""} {
		manifest := `{"format": 1, "files": [{"name": ` + strconv.Quote(name) + `, "size": 1, "sha256": "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"}]}`
		var out bytes.Buffer
		zw := gzip.NewWriter(&out)
		tw := tar.NewWriter(zw)
		for _, entry := range [][2]string{{"manifest.json", manifest}, {name, "a"}} {
			if err := tw.WriteHeader(&tar.Header{Name: entry[0], Size: int64(len(entry[1])), Mode: 0o600, Typeflag: tar.TypeReg}); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(tw, entry[1]); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(tw.Close(), zw.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := securefile.ReadArchive(&out, int64(out.Len())); err == nil || !strings.Contains(err.Error(), "not a valid name") {
			t.Errorf("%q: %v", name, err)
		}
	}
}
