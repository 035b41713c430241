package checks

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"testing"
)

// telltale matches phrases of the dialect in which this code was once written.
var telltale = regexp.MustCompile(`(?i)\banew\b|\bnobody\b|\bwhoever\b|\bwho looks?\b|\bwhat is not\b|\bhas (the|a) \w+ (be|know|go|come)\b|\bhindsight\b|\breels?\b|\bwhat (was|is) there\b`)

// mostTelltales is the number of comments that may match. Lower it when it is too high.
const mostTelltales = 30

func TestCommentsArePlainEnglish(t *testing.T) {
	t.Parallel()
	var found []string
	sources(t, func(path string, _ []byte, _ *token.FileSet, file *ast.File) {
		for _, group := range file.Comments {
			for _, c := range group.List {
				if telltale.MatchString(c.Text) {
					found = append(found, path+": "+c.Text)
				}
			}
		}
	})
	if len(found) <= mostTelltales {
		return
	}
	for _, f := range found {
		t.Log(f)
	}
	t.Errorf("%d comments have a telltale phrase, at most %d may", len(found), mostTelltales)
}

// TestOnePackageComment checks that at most one file of a package says what the package is.
func TestOnePackageComment(t *testing.T) {
	t.Parallel()
	described := make(map[string]string)
	sources(t, func(at string, _ []byte, _ *token.FileSet, file *ast.File) {
		if file.Doc.Text() == "" { // none, or only a directive
			return
		}
		pkg := path.Dir(at)
		if other := described[pkg]; other != "" {
			t.Errorf("%s and %s have a package comment each", other, at)
		}
		described[pkg] = at
	})
	if len(described) < 80 {
		t.Errorf("%d packages have a comment", len(described))
	}
}
