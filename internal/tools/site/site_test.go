package main

import (
	"encoding/json"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	linkPattern   = regexp.MustCompile(` (?:href|src)="([^"]*)"`)
	anchorPattern = regexp.MustCompile(` id="([^"]*)"`)
)

// TestLinksOfSite generates the site of this project and follows every link on every page.
func TestLinksOfSite(t *testing.T) {
	t.Parallel()
	out, casts := t.TempDir(), t.TempDir()
	recording := "{\"version\":2,\"width\":10,\"height\":2}\n[0,\"o\",\"</script>\"]\n"
	if err := os.WriteFile(filepath.Join(casts, "overview.cast"), []byte(recording), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := write("../../..", out, casts); err != nil {
		t.Fatal(err)
	}
	files, anchors := make(map[string]string), make(map[string]bool)
	err := filepath.WalkDir(out, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		name := filepath.ToSlash(strings.TrimPrefix(p, out+string(filepath.Separator)))
		files[name] = string(text)
		if strings.HasSuffix(name, ".go") {
			t.Errorf("%s would be a package of the source tree", name)
		}
		if strings.HasSuffix(name, ".html") {
			for _, m := range anchorPattern.FindAllStringSubmatch(string(text), -1) {
				anchors[name+"#"+html.UnescapeString(m[1])] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	pages, links := 0, 0
	for name, text := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		pages++
		for _, m := range linkPattern.FindAllStringSubmatch(text, -1) {
			to, err := url.Parse(html.UnescapeString(m[1]))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if to.IsAbs() {
				continue
			}
			links++
			target := name
			if to.Path != "" {
				target = path.Join(path.Dir(name), to.Path)
			}
			if _, ok := files[target]; !ok {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			}
			if to.Fragment != "" && !anchors[target+"#"+to.Fragment] {
				t.Errorf("%s links to %s, which has no such heading", name, m[1])
			}
		}
	}
	if pages < 25 || links < 25*25 {
		t.Errorf("only %d pages with %d links", pages, links)
	}
	checkIndex(t, files, anchors)
	if strings.Contains(files["casts/overview.js"], "</script>") || !strings.Contains(files["index.html"], `data-cast="overview"`) {
		t.Error("a recording can end its script, or is not on the first page")
	}
}

// checkIndex checks that every section of the search index leads to a heading.
func checkIndex(t *testing.T, files map[string]string, anchors map[string]bool) {
	t.Helper()
	text := strings.TrimSuffix(strings.TrimPrefix(files["assets/index.js"], "window.searchIndex = "), ";\n")
	var index []section
	if err := json.Unmarshal([]byte(text), &index); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, s := range index {
		if !anchors[s.Page+"#"+s.Anchor] {
			t.Errorf("the index leads to %s#%s, which is not there", s.Page, s.Anchor)
		}
		found = found || s.Page == "docs/admin/fleet.html" && strings.Contains(s.Text, "fleet check --json")
	}
	if !found || len(index) < 200 {
		t.Errorf("%d sections; text of a code block found: %t", len(index), found)
	}
}

// TestBrokenLinks checks that a link that leads nowhere is an error that names the page.
func TestBrokenLinks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"# A\n[x](docs/a.md#b)\n":                             "README.md: no heading for the link docs/a.md#b",
		"# A\n[x](#no)\n":                                     "README.md: no heading for the link #no",
		"# A\n[x](none.md)\n":                                 "README.md: no file for the link none.md",
		"# A\n![x](none.png)\n":                               "README.md: no file for the link none.png",
		"# A\n[x](../../etc)\n":                               "README.md: no file for the link ../../etc",
		"# A b, c\n[x](#a-b-c) [y](https://host.example/z)\n": "",
	} {
		root := t.TempDir()
		for name, content := range map[string]string{"README.md": text, "docs/a.md": "# D\n", ".github/b.md": "# G\n"} {
			if err := writeFile(filepath.Join(root, name), []byte(content)); err != nil {
				t.Fatal(err)
			}
		}
		err := write(root, t.TempDir(), "")
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
