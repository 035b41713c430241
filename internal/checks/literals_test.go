package checks

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"wallboard/model"
)

// colourLiteral is a colour that is not a token: #rgb, #rrggbb, or an escape
// sequence with parameters that a terminal takes as a style.
var colourLiteral = regexp.MustCompile("^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$|\x1b\\[[0-9;:]+m")

// TestNoNameOfASubscriptionIsALiteral checks that packages take the names of subscriptions
// from the registry (model/operation.go): a list of their own would miss a new one. It
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
	sources(t, func(path string, _ []byte, set *token.FileSet, file *ast.File) {
		if strings.HasPrefix(path, "internal/simulator/") || path == "model/operation.go" {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || !names[lit.Value] {
				return true
			}
			if at := path + " " + lit.Value; exceptions[at] != "" {
				delete(exceptions, at)
			} else {
				t.Errorf("%s: %s is a literal; it is a constant of model/operation.go", set.Position(lit.Pos()), lit.Value)
			}
			return true
		})
	})
	if len(names) < 8 {
		t.Errorf("%d names", len(names))
	}
	for at := range exceptions {
		t.Errorf("%s: the exception is not needed", at)
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
