package cli

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wallboard/internal/lib/terminal"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
)

// TestHostileFloor uses a floor whose names and texts contain control sequences: none
// reaches the terminal, no frame breaks, and the session's files are private.
func TestHostileFloor(t *testing.T) {
	t.Parallel()
	dir := testkit.PrivateDir(t)
	mute := strings.ReplaceAll(quiet(), "off = true", "bell = false") // the board's own bell is not an attack
	x := newTerminal(t, dir, "demo", "--hostile-texts", "--config", configFile(t, mute), "--seed", "7", "--drama=false", "--speed", "20")
	x.mute = true
	x.shows("LIVE", "in progress")
	x.press("2", enter)
	x.shows("Services ›")
	x.press("w", esc, esc, "4")
	x.shows("Agents ─", "row 1 of")
	x.press(enter)
	x.shows("Agents ›", "State on every channel")
	x.press(esc, "d")
	x.shows("Dial for", "Number")
	x.press(esc, "5", enter)
	x.shows("Campaigns ›")
	x.press(esc, "x")
	x.shows("Stop")
	x.press(esc, "6", enter, esc, "7", enter, esc, "8", "9", "0", "1")
	x.press(":search lists", enter)
	x.shows("Search")
	x.press(ctrlS)
	x.shows("#701", "enter open")
	x.press(enter, esc, esc, esc, ":search tickets", enter)
	x.shows("tickets")
	x.press(ctrlS, enter)
	x.press(esc, esc, esc, "?")
	x.shows("Keys")
	x.press(esc, "1")
	x.shows("in progress")
	if strings.Contains(x.text(), "owned") && strings.Contains(x.output.String(), "]0;owned\a") {
		t.Error("the title of the terminal was changed")
	}
	x.press("q")
	x.leaves()
	isPrivate(t, dir)
}

// isPrivate fails if other users can read a file of a session or enter its folder.
func isPrivate(t *testing.T, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !d.IsDir() {
			files++
		}
		if mode := info.Mode().Perm(); mode&0o077 != 0 {
			t.Errorf("%s is open to others: %v", path, mode)
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Errorf("%d files: %v", files, err)
	}
}

// TestFilesOfASessionArePrivate writes every kind of file and checks its permissions.
func TestFilesOfASessionArePrivate(t *testing.T) {
	t.Parallel()
	s := newScripts(t, nil)
	dir := testkit.PrivateDir(t)
	old := filepath.Join(filepath.Dir(s.log), "log")
	if err := os.WriteFile(old, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"dump", "--for", "2s"},
		{"history", "report", "--out", filepath.Join(dir, "report.html"), "--format", "html"},
		{"call", "dial", "3339999", "--user", "nobody", "--yes"},
		{"config", "check"},
	} {
		<-newTerminal(t, dir, append(args, "--config", s.config)...).ended
	}
	isPrivate(t, dir)
	isPrivate(t, filepath.Dir(s.log))
}

// TestHostileTextsInWords checks the output of all commands.
func TestHostileTextsInWords(t *testing.T) {
	t.Parallel()
	s := newScripts(t, func(o *simulator.Options) { o.HostileTexts = true })
	page := filepath.Join(testkit.PrivateDir(t), "report.html")
	for _, args := range [][]string{
		{"status"},
		{"status", "--json"},
		{"status", "--format", "tmux"},
		{"dump", "--for", "2s"},
		{"auth", "version"},
		{"auth", "login"},
		{"list", "search"},
		{"list", "search", "--json"},
		{"campaign", "list"},
		{"campaign", "list", "--json"},
		{"ticket", "search", "--json"},
		{"ticket", "search"},
		{"ticket", "agents"},
		{"ticket", "customers"},
		{"messages", "search"},
		{"chat", "show", "1"},
		{"doctor"},
		{"history", "report"},
		{"history", "report", "--format", "html", "--out", page},
		{"history", "calls"},
		{"history", "contacts", "--json"},
		{"history", "calls", "--by", "ORGANIZATION"},
		{"call", "list", "anna"},
	} {
		_, out, errs := s.run("", args...)
		for _, text := range []string{out, errs} {
			if !json.Valid([]byte(text)) {
				text = strings.ReplaceAll(text, "\t", " ")
			}
			if err := terminal.CheckFrame(text); err != nil {
				t.Errorf("%v: %v", args, err)
			}
		}
	}
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), "<script>alert") {
		t.Error("the report runs what a name says")
	}
}
