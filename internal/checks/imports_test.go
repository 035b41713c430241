package checks

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "wallboard"

// architecture is the page with the tables that this file reads.
const architecture = "docs/dev/architecture.md"

// rules holds the two tables of the architecture page. Tests may import anything.
type rules struct {
	groups    map[string][]string // by group of packages: the groups that it may import
	libraries map[string][]string // by library: the packages that may import it
}

// readRules reads the tables "Groups of packages" and "Libraries".
func readRules(t *testing.T) rules {
	t.Helper()
	page, err := os.ReadFile(architecture)
	if err != nil {
		t.Fatal(err)
	}
	r := rules{groups: make(map[string][]string), libraries: make(map[string][]string)}
	for cells := range tableRows(string(page), "## Groups of packages") {
		r.groups[listed(cells[0])[0]] = listed(cells[len(cells)-1])
	}
	for cells := range tableRows(string(page), "## Libraries") {
		for _, name := range listed(cells[0]) {
			r.libraries[name] = listed(cells[len(cells)-1])
		}
	}
	if len(r.groups) < 15 || len(r.groups) > 22 || len(r.libraries) < 5 {
		t.Fatalf("%s: the tables have %d groups, want 15 to 22, and %d libraries", architecture, len(r.groups), len(r.libraries))
	}
	return r
}

// tableRows yields the cells of each row of the first table below a heading.
func tableRows(page, heading string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		_, below, _ := strings.Cut(page, "\n"+heading+"\n")
		rows := 0
		for line := range strings.SplitSeq(strings.TrimSpace(below), "\n") {
			isRow := strings.HasPrefix(line, "|")
			switch {
			case !isRow && rows > 0:
				return
			case isRow && rows >= 2: // skips the head of the table and the line below the head
				if !yield(strings.Split(strings.Trim(line, "| "), " | ")) {
					return
				}
			}
			if isRow {
				rows++
			}
		}
	}
}

// listed returns the names of a cell without backquotes; "–" means none.
func listed(cell string) []string {
	var names []string
	for name := range strings.SplitSeq(strings.ReplaceAll(cell, "`", ""), ",") {
		if name = strings.TrimSpace(name); name != "" && name != "–" {
			names = append(names, name)
		}
	}
	return names
}

// matches reports whether one of the patterns covers a package. A pattern that ends
// in /... covers the package and all packages below it.
func matches(pkg string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		above, isTree := strings.CutSuffix(p, "/...")
		return p == "all" || p == pkg || isTree && (pkg == above || strings.HasPrefix(pkg, above+"/"))
	})
}

// group returns the group of a package: the longest name in the table that is the
// package or a folder above it.
func (r rules) group(pkg string) string {
	if pkg == "" {
		return "main"
	}
	for name := pkg; ; name = name[:strings.LastIndex(name, "/")] {
		if _, ok := r.groups[name]; ok {
			return name
		}
		if !strings.Contains(name, "/") {
			return ""
		}
	}
}

// narrow lists packages that may import less than their group: only these packages
// of ours.
var narrow = map[string][]string{
	"feeds/graphql":                 {"model/...", "feeds/merge", "internal/lib/..."},
	"feeds/merge":                   {"model/...", "feeds/timeunit", "internal/lib/..."},
	"internal/simulator":            {"internal/simulator/world", "internal/simulator/webservice", "internal/simulator/rest", "internal/simulator/rtd", "internal/lib/..."},
	"internal/simulator/world":      {"internal/lib/..."},
	"internal/simulator/webservice": {"internal/lib/..."},
	"internal/simulator/rtd":        {"internal/simulator/world", "internal/simulator/webservice", "internal/lib/..."},
	"internal/simulator/rest":       {"internal/simulator/world", "internal/simulator/webservice", "internal/lib/..."},
	"ui/chart":                      {"internal/lib/..."},
	"ui/table":                      {"internal/lib/..."},
	"ui/term":                       {"internal/lib/..."},
}

// violations returns the imports that a package must not have.
func (r rules) violations(pkg string, imports []string) []string {
	var bad []string
	own := r.group(pkg)
	for _, path := range imports {
		if ours, isOurs := strings.CutPrefix(path, module+"/"); isOurs {
			g := r.group(ours)
			ok := g == own || slices.Contains(r.groups[own], g)
			if only, isNarrow := narrow[pkg]; isNarrow {
				ok = matches(ours, only)
			}
			if !ok {
				bad = append(bad, path)
			}
			continue
		}
		for library, by := range r.libraries {
			if matches(path, []string{library}) && !matches(pkg, by) {
				bad = append(bad, path)
			}
		}
	}
	return bad
}

// goPackage is the part of the output of go list that the tests read.
type goPackage struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "go", "list", "-buildvcs=false", "-json=ImportPath,Imports", "./...")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var all []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		all = append(all, p)
	}
}

func TestImports(t *testing.T) {
	t.Parallel()
	r := readRules(t)
	packages := listPackages(t)
	used := make(map[string]bool)
	for _, p := range packages {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		g := r.group(name)
		if used[g] = true; g == "" {
			t.Errorf("%s has no group in %s", p.ImportPath, architecture)
		}
		used[name] = true
		for _, bad := range r.violations(name, p.Imports) {
			t.Errorf("%s must not import %s: see %s", p.ImportPath, bad, architecture)
		}
	}
	for name := range r.groups {
		if !used[name] {
			t.Errorf("%s: there is no package in the group %q", architecture, name)
		}
	}
	for name := range narrow {
		if !used[name] {
			t.Errorf("there is no package %q", name)
		}
	}
}

// TestGroupsPointDownwards checks that a row of the table names only rows above it,
// so that groups cannot import each other in a circle.
func TestGroupsPointDownwards(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(architecture)
	if err != nil {
		t.Fatal(err)
	}
	above := make(map[string]bool)
	for cells := range tableRows(string(page), "## Groups of packages") {
		name := listed(cells[0])[0]
		for _, g := range listed(cells[len(cells)-1]) {
			if !above[g] {
				t.Errorf("%s imports %s, which is not above it in the table", name, g)
			}
		}
		above[name] = true
	}
}

func TestModelImportsStandardLibraryOnly(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		if !matches(p.ImportPath, []string{module + "/model/..."}) {
			continue
		}
		for _, path := range p.Imports {
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
				t.Errorf("%s must not import %s", p.ImportPath, path)
			}
		}
	}
}

// TestRulesFindViolations checks that the rules can fail.
func TestRulesFindViolations(t *testing.T) {
	t.Parallel()
	r := readRules(t)
	for _, tt := range []struct {
		pkg  string
		path string
		ok   bool
	}{
		{"ui", module + "/model", true},
		{"ui", module + "/ui/table", true},
		{"ui/render", module + "/ui/table", true},
		{"ui", module + "/feeds", false},
		{"ui", module + "/restclient", false},
		{"ui", "net/http", false},
		{"ui/render", "github.com/gorilla/websocket", false},
		{"ui/table", module + "/model", false},
		{"ui/chart", module + "/ui/table", false},
		{"model", module + "/feeds", false},
		{"model", "charm.land/lipgloss/v2", false},
		{"feeds", module + "/feeds/merge", true},
		{"feeds", "github.com/gorilla/websocket", false},
		{"feeds/graphql", "github.com/gorilla/websocket", true},
		{"feeds/graphql", module + "/feeds/records", false},
		{"feeds/merge", module + "/model", true},
		{"feeds/merge", module + "/feeds", false},
		{"internal/simulator", module + "/model", false},
		{"internal/simulator", module + "/internal/simulator/world", true},
		{"internal/simulator/rtd", module + "/internal/simulator/rest", false},
		{"internal/simulator/rest", module + "/internal/simulator/rtd", false},
		{"internal/simulator", "github.com/gorilla/websocket", false},
		{"internal/config", module + "/ui", false},
		{"internal/config", "charm.land/bubbletea/v2", false},
		{"internal/cli", module + "/internal/simulator", true},
		{"", module + "/ui", false},
		{"", module + "/internal/cli", true},
	} {
		if got := len(r.violations(tt.pkg, []string{tt.path})) == 0; got != tt.ok {
			t.Errorf("%q may import %s: %v, want %v", tt.pkg, tt.path, got, tt.ok)
		}
	}
}
