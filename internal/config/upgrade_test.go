package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/lib/safedecode"
	"wallboard/internal/lib/testkit"
)

// TestConfigurationsOfEarlierVersions loads the examples of earlier versions, which show every key
// of their version. No key may be lost: a renamed key must be read under its old name and be in
// [Config.OldNames].
func TestConfigurationsOfEarlierVersions(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/versions/*.toml")
	if err != nil || len(files) < 2 {
		t.Fatalf("%v, %v", files, err)
	}
	known := make(map[string]bool)
	for _, key := range Keys() {
		known[key] = true
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parse(string(text), configFile{path: file, dir: testkit.PrivateDir(t)}, Options{Demo: true}); err != nil {
				t.Errorf("as it was written: %v", err)
			}
			everything := commentedOut.ReplaceAllString(string(text), "$1")
			keys := 0
			for key := range safedecode.FindKeyLines(everything) {
				if key = elementIndex.ReplaceAllString(key, ""); known[key] {
					keys++
				}
			}
			if keys < 150 {
				t.Errorf("only %d known keys", keys)
			}
			_, err = parse(everything, configFile{path: file, dir: testkit.PrivateDir(t)}, testOptions())
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if strings.Contains(line, "unknown key") {
					t.Errorf("a key is lost: %s", line)
				}
			}
		})
	}
}

// TestOldNames finds the names of earlier versions, with the line to write.
func TestOldNames(t *testing.T) {
	t.Parallel()
	const text = "[ui]\npage = \"Alerts\"\n[kiosk]\npages = [\"Overview\", \"alerts\"]\n[[page]]\nbuiltin = \"Overview\"\n[[page]]\nbuiltin = \"Alerts\"\n"
	c, err := parse(text, configFile{path: "c.toml"}, Options{Demo: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range c.OldNames() {
		got = append(got, p.String())
	}
	want := []string{
		`c.toml:2: ui.page: "Alerts" is called "Situations" now; write page = "Situations"`,
		`c.toml:4: kiosk.pages: "alerts" is called "Situations" now; write pages = ["Overview", "Situations"]`,
		`c.toml:8: page[1].builtin: "Alerts" is called "Situations" now; write builtin = "Situations"`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if c.UI.Page != "Situations" || c.Kiosk.Pages[1] != "Situations" || c.Pages[1].Builtin != "Situations" {
		t.Errorf("%q, %q, %q", c.UI.Page, c.Kiosk.Pages, c.Pages[1].Builtin)
	}
	platforms := ""
	for _, name := range []string{"Milan", "Rome", "Turin"} {
		platforms += "[[platform]]\nname = \"" + name + "\"\nrtd.url = \"https://" + name + ".example/rtd\"\n"
	}
	if c, err = parse(text+platforms, configFile{path: "c.toml"}, Options{Demo: true}); err != nil || len(c.OldNames()) != len(want) {
		t.Errorf("with several platforms: %v, %v", c.OldNames(), err)
	}
	own := strings.Replace(text, "builtin = \"Alerts\"", "name = \"Alerts\"\n[[page.row]]\n[[page.row.pane]]\nkind = \"clock\"", 1)
	if c, err = parse(own, configFile{path: "c.toml"}, Options{Demo: true}); err != nil || len(c.OldNames()) > 0 {
		t.Errorf("with a page of that name: %v, %v", c.OldNames(), err)
	}
}
