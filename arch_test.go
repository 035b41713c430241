package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wallboard/model"
)

const module = "wallboard"

// architecture is the page that says which package may import what.
const architecture = "docs/ARCHITECTURE.md"

// rules are the tables of docs/ARCHITECTURE.md. Tests may import what they like.
type rules struct {
	ours      map[string][]string // by package: those of ours that it may import
	libraries map[string][]string // by library: the packages that may import it
}

// readRules reads the tables "Packages" and "Libraries".
func readRules(t *testing.T) rules {
	t.Helper()
	page, err := os.ReadFile(architecture)
	if err != nil {
		t.Fatal(err)
	}
	r := rules{ours: make(map[string][]string), libraries: make(map[string][]string)}
	for cells := range tableRows(string(page), "## Packages") {
		for _, name := range listed(cells[0]) {
			if name == "main" {
				name = ""
			}
			r.ours[name] = listed(cells[len(cells)-1])
		}
	}
	for cells := range tableRows(string(page), "## Libraries") {
		for _, name := range listed(cells[0]) {
			r.libraries[name] = listed(cells[len(cells)-1])
		}
	}
	if len(r.ours) < 20 || len(r.libraries) < 5 {
		t.Fatalf("%s: %d packages and %d libraries are in the tables", architecture, len(r.ours), len(r.libraries))
	}
	return r
}

// tableRows yields the cells of the rows of the first table below a heading.
func tableRows(page, heading string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		_, below, _ := strings.Cut(page, "\n"+heading+"\n")
		rows := 0
		for line := range strings.SplitSeq(strings.TrimSpace(below), "\n") {
			isRow := strings.HasPrefix(line, "|")
			switch {
			case !isRow && rows > 0:
				return
			case isRow && rows >= 2: // after the head and the rule below it
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

// listed returns the names of a cell, without the marks of code; "–" is none.
func listed(cell string) []string {
	var names []string
	for name := range strings.SplitSeq(strings.ReplaceAll(cell, "`", ""), ",") {
		if name = strings.TrimSpace(name); name != "" && name != "–" {
			names = append(names, name)
		}
	}
	return names
}

// matches reports whether a package is meant by one of the patterns. One that ends
// in /... means the package and those below it.
func matches(pkg string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		above, isTree := strings.CutSuffix(p, "/...")
		return p == "all" || p == pkg || isTree && (pkg == above || strings.HasPrefix(pkg, above+"/"))
	})
}

// violations returns the imports that a package must not have.
func (r rules) violations(pkg string, imports []string) []string {
	var bad []string
	for _, path := range imports {
		if ours, isOurs := strings.CutPrefix(path, module+"/"); isOurs {
			if !matches(ours, r.ours[pkg]) {
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

// goPackage is what the test needs of go list's output.
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
	if len(packages) < 5 {
		t.Fatalf("go list found only %d packages", len(packages))
	}
	there := make(map[string]bool)
	for _, p := range packages {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		there[name] = true
		if _, ok := r.ours[name]; !ok {
			t.Errorf("%s has no row in the table of %s", p.ImportPath, architecture)
		}
		for _, bad := range r.violations(name, p.Imports) {
			t.Errorf("%s must not import %s: see %s", p.ImportPath, bad, architecture)
		}
	}
	for name := range r.ours {
		if !there[name] {
			t.Errorf("%s: there is no package %q", architecture, name)
		}
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

// The rules themselves must be able to fail.
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
		{"ui", module + "/config", false},
		{"ui", module + "/restclient", false},
		{"ui", module + "/history", false},
		{"ui", "net/http", false},
		{"ui/render", "github.com/gorilla/websocket", false},
		{"ui/table", module + "/model", false},
		{"ui/look", module + "/alert", false},
		{"ui/chart", module + "/ui/table", false},
		{"model", module + "/feeds", false},
		{"model", "charm.land/lipgloss/v2", false},
		{"feeds", module + "/feeds/merge", true},
		{"feeds", "github.com/gorilla/websocket", false},
		{"feeds/graphqlws", "github.com/gorilla/websocket", true},
		{"feeds/graphqlws", module + "/model", false},
		{"feeds/merge", module + "/model", true},
		{"feeds/merge", module + "/feeds", false},
		{"simulator", module + "/model", false},
		{"simulator", module + "/simulator/world", true},
		{"simulator/world", module + "/simulator", false},
		{"simulator/rtd", module + "/simulator/rest", false},
		{"simulator/rest", module + "/simulator/rtd", false},
		{"simulator", "github.com/gorilla/websocket", false},
		{"config", module + "/ui", false},
		{"config", "charm.land/bubbletea/v2", false},
		{"cli", module + "/simulator", true},
		{"", module + "/ui", false},
		{"", module + "/cli", true},
	} {
		if got := len(r.violations(tt.pkg, []string{tt.path})) == 0; got != tt.ok {
			t.Errorf("%q may import %s: %v, want %v", tt.pkg, tt.path, got, tt.ok)
		}
	}
}

// colourLiteral is a colour that is not a token: #rgb, #rrggbb, or an escape
// sequence with parameters that a terminal takes as a style.
var colourLiteral = regexp.MustCompile("^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$|\x1b\\[[0-9;:]+m")

// TestNoNameOfASubscriptionIsALiteral holds the registry of subscriptions
// (model/operation.go) together: where a package writes such a name itself, a
// new one is forgotten. Names that are English words are not looked for.
func TestNoNameOfASubscriptionIsALiteral(t *testing.T) {
	t.Parallel()
	names := make(map[string]bool)
	for _, o := range model.Operations() {
		if name := string(o.Name); strings.ToLower(name) != name {
			names[strconv.Quote(name)] = true
		}
	}
	exceptions := map[string]string{
		`doctor/forms.go "userStats"`: "a field of a service's record",
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasPrefix(path, "simulator/") || path == "model/operation.go" {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || !names[lit.Value] {
				return true
			}
			if at := path + " " + lit.Value; exceptions[at] != "" {
				delete(exceptions, at)
			} else {
				t.Errorf("%s: %s is a literal; it is a constant of model/operation.go", fset.Position(lit.Pos()), lit.Value)
			}
			return true
		})
		return nil
	})
	if err != nil || len(names) < 8 {
		t.Errorf("%d names, %v", len(names), err)
	}
	for at := range exceptions {
		t.Errorf("%s: the exception is not needed", at)
	}
}

func TestNoColourLiteralsInUI(t *testing.T) {
	t.Parallel()
	files := 0
	err := filepath.WalkDir("ui", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			if text, err := strconv.Unquote(lit.Value); err == nil && colourLiteral.MatchString(text) {
				t.Errorf("%s: %s is a colour: use a token of package themes", set.Position(lit.Pos()), lit.Value)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files == 0 {
		t.Error("ui has no files")
	}
}
