package checks

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"wallboard/model"
)

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
		`internal/doctor/forms.go "userStats"`: "a field of a service's record",
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasPrefix(path, "internal/simulator/") || path == "model/operation.go" {
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
