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
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "wallboard"

// rule says what a package may import. A pattern that ends in /... means the
// packages under it.
type rule struct {
	ours   []string // of our packages; "*" is all
	theirs []string // of the libraries and packages in guarded
}

// guarded are imports that only the packages whose rule names them may have.
func guarded() []string {
	return []string{
		"net/http", "github.com/gorilla/websocket", "charm.land/bubbletea/v2", "charm.land/bubbles/v2/...",
		"charm.land/lipgloss/v2/...", "charm.land/fang/v2", "github.com/spf13/cobra", "github.com/BurntSushi/toml",
		"github.com/zalando/go-keyring",
	}
}

// rules is the table of docs/ARCHITECTURE.md. The first pattern that fits a
// package counts. Tests may import what they like.
func rules() []struct {
	pkg string
	rule
} {
	tea := []string{"charm.land/bubbletea/v2", "charm.land/bubbles/v2/...", "charm.land/lipgloss/v2/..."}
	return []struct {
		pkg string
		rule
	}{
		{"", rule{ours: []string{"cli"}}},
		{"cli", rule{ours: []string{"*"}, theirs: []string{"*"}}},
		{"secret", rule{}},
		{"model", rule{}},
		{"model/resource", rule{ours: []string{"model"}}},
		{"model/past", rule{}},
		{"audit", rule{ours: []string{"internal/private"}}},
		{"control", rule{ours: []string{"model", "model/resource", "restclient", "audit"}}},
		{"themes", rule{theirs: []string{"charm.land/lipgloss/v2/...", "github.com/BurntSushi/toml"}}},
		{"alert", rule{ours: []string{"model"}}},
		{"handover", rule{ours: []string{"model", "model/past", "alert"}}},
		{"plain", rule{ours: []string{"model", "alert"}}},
		{"notify", rule{ours: []string{"secret", "model", "alert"}, theirs: []string{"net/http"}}},
		{"config", rule{
			ours:   []string{"secret", "internal/private", "model", "alert", "themes"},
			theirs: []string{"github.com/BurntSushi/toml", "github.com/zalando/go-keyring"},
		}},
		{"feeds/graphqlws", rule{ours: []string{"internal/retryafter"}, theirs: []string{"net/http", "github.com/gorilla/websocket"}}},
		{"feeds/times", rule{}},
		{"feeds/merge", rule{ours: []string{"model", "feeds/times"}}},
		{"feeds", rule{ours: []string{"secret", "internal/retryafter", "model", "feeds/graphqlws", "feeds/merge", "feeds/times"}, theirs: []string{"net/http"}}},
		{"doctor", rule{ours: []string{"model", "feeds", "feeds/graphqlws", "feeds/times", "history"}}},
		{"restclient", rule{ours: []string{"secret", "internal/handshake", "internal/htmltext", "internal/retryafter", "model", "model/resource"}, theirs: []string{"net/http"}}},
		{"history", rule{ours: []string{"secret", "internal/handshake", "internal/private", "internal/retryafter", "model", "model/past"}, theirs: []string{"net/http"}}},
		{"internal/vt", rule{}},
		{"internal/handshake", rule{}},
		{"internal/htmltext", rule{}},
		{"internal/endless", rule{theirs: []string{"net/http"}}},
		{"internal/linear", rule{}},
		{"internal/private", rule{}},
		{"internal/retryafter", rule{theirs: []string{"net/http"}}},
		{"proof", rule{}},
		{"simulator/world", rule{}},
		{"simulator", rule{ours: []string{"simulator/world"}, theirs: []string{"net/http", "github.com/gorilla/websocket"}}},
		{"ui/table", rule{theirs: tea}},
		{"ui/chart", rule{theirs: tea}},
		{"ui/paint", rule{theirs: tea}},
		{"ui/look", rule{ours: []string{"model", "themes", "ui/render", "ui/table", "ui/chart", "ui/form"}, theirs: tea}},
		{"ui/...", rule{ours: []string{"model", "model/resource", "model/past", "alert", "handover", "themes", "internal/htmltext", "ui/..."}, theirs: tea}},
	}
}

// matches reports whether a package is meant by one of the patterns.
func matches(pkg string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		under, isTree := strings.CutSuffix(p, "/...")
		return p == "*" || p == pkg || isTree && (pkg == under || strings.HasPrefix(pkg, under+"/"))
	})
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
	packages := listPackages(t)
	if len(packages) < 5 {
		t.Fatalf("go list found only %d packages", len(packages))
	}
	for _, p := range packages {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		found := false
		for _, r := range rules() {
			if matches(name, []string{r.pkg}) {
				found = true
				for _, violation := range r.violations(p.Imports) {
					t.Errorf("%s must not import %s", p.ImportPath, violation)
				}
				break
			}
		}
		if !found {
			t.Errorf("%s has no rule: add one to docs/ARCHITECTURE.md and here", p.ImportPath)
		}
	}
}

func (r rule) violations(imports []string) []string {
	var bad []string
	for _, path := range imports {
		ours, isOurs := strings.CutPrefix(path, module+"/")
		switch {
		case isOurs && !matches(ours, r.ours), !isOurs && matches(path, guarded()) && !matches(path, r.theirs):
			bad = append(bad, path)
		}
	}
	return bad
}

func TestModelImportsStandardLibraryOnly(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		if p.ImportPath != module+"/model" {
			continue
		}
		for _, path := range p.Imports {
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
				t.Errorf("model must not import %s", path)
			}
		}
	}
}

// The rules themselves must be able to fail.
func TestRulesFindViolations(t *testing.T) {
	t.Parallel()
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
		{"config", module + "/ui", false},
		{"config", "charm.land/bubbletea/v2", false},
		{"cli", module + "/simulator", true},
		{"", module + "/ui", false},
		{"", module + "/cli", true},
	} {
		for _, r := range rules() {
			if matches(tt.pkg, []string{r.pkg}) {
				if got := len(r.violations([]string{tt.path})) == 0; got != tt.ok {
					t.Errorf("%q may import %s: %v, want %v", tt.pkg, tt.path, got, tt.ok)
				}
				break
			}
		}
	}
}

// colourLiteral is a colour that is not a token: #rgb, #rrggbb, or an escape
// sequence with parameters that a terminal takes as a style.
var colourLiteral = regexp.MustCompile("^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$|\x1b\\[[0-9;:]+m")

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
