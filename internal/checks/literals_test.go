package checks

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wallboard/internal/alert"
	"wallboard/model"
)

// colourLiteral is a colour that is not a token: #rgb, #rrggbb, or an escape
// sequence with parameters that a terminal takes as a style.
var colourLiteral = regexp.MustCompile("^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$|\x1b\\[[0-9;:]+m")

// TestNoNameOfASubscriptionIsALiteral checks that packages take the names of subscriptions
// from the registry (model/store.go): a list of their own would miss a new one. It
// ignores names that are English words.
func TestNoNameOfASubscriptionIsALiteral(t *testing.T) {
	t.Parallel()
	names := make(map[string]bool)
	for _, o := range model.Operations() {
		if name := string(o.Name); strings.ToLower(name) != name {
			names[strconv.Quote(name)] = true
		}
	}
	exceptions := map[string]string{
		`internal/doctor/forms.go "userStats"`: "a field of a service's record",
	}
	if len(names) < 8 {
		t.Errorf("%d names", len(names))
	}
	findLiterals(t, names, exceptions, "model/store.go", func(path string, _ *ast.File) bool {
		return !strings.HasPrefix(path, "internal/simulator/")
	})
}

// TestNoNameOfARuleIsALiteral checks that the catalogue (internal/alert/builtin.go) holds
// everything that depends on a built-in rule, so that a new rule is one row.
func TestNoNameOfARuleIsALiteral(t *testing.T) {
	t.Parallel()
	names := make(map[string]bool)
	for _, r := range alert.DefaultRules() {
		names[strconv.Quote(r.Name)] = true
	}
	if len(names) < 15 {
		t.Errorf("%d names", len(names))
	}
	exceptions := map[string]string{
		`internal/alert/field_floor.go "stale"`:                  "a name in expressions",
		`internal/report/headless/situations.go "service level"`: "the words for an abbreviation",
		`ui/render/campaigns.go "talking"`:                       "a column",
		`ui/render/services.go "talking"`:                        "a column",
	}
	findLiterals(t, names, exceptions, "internal/alert/builtin.go", func(path string, file *ast.File) bool {
		return strings.HasPrefix(path, "internal/alert/") ||
			slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"wallboard/internal/alert"` })
	})
}

// findLiterals reports the literals of non-test code that are one of the names, except in the file
// that declares them and except for words with the same text, by path and literal.
func findLiterals(t *testing.T, names map[string]bool, exceptions map[string]string, declared string, covers func(path string, file *ast.File) bool) {
	t.Helper()
	used := make(map[string]bool)
	sources(t, func(path string, _ []byte, set *token.FileSet, file *ast.File) {
		if path == declared || !covers(path, file) {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || !names[lit.Value] {
				return true
			}
			if at := path + " " + lit.Value; exceptions[at] != "" {
				used[at] = true
			} else {
				t.Errorf("%s: %s is a literal; it is declared in %s", set.Position(lit.Pos()), lit.Value, declared)
			}
			return true
		})
	})
	for at := range exceptions {
		if !used[at] {
			t.Errorf("%s: the exception is not needed", at)
		}
	}
}

func TestNoColourLiteralsInUI(t *testing.T) {
	t.Parallel()
	files := 0
	sources(t, func(path string, _ []byte, set *token.FileSet, file *ast.File) {
		if !strings.HasPrefix(path, "ui/") {
			return
		}
		files++
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
	})
	if files == 0 {
		t.Error("ui has no files")
	}
}
