package checks

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// limit bounds what one reader has to hold in mind at once.
type limit struct {
	most int // that anything may have
	near int // how far above the truth an exception may be
	// exceptions may have more, each for a reason. Who makes one of them smaller
	// lowers it here, or takes it out.
	exceptions []exception
}

type exception struct {
	name   string
	most   int
	reason string
}

func methodLimit() limit {
	return limit{most: 45, near: 5}
}

func fieldLimit() limit {
	return limit{most: 25, near: 5, exceptions: []exception{
		{"ui.Options", 30, "what a board is given, no more than data"},
		{"model.AgentFigures", 28, "a record of document 2"},
		{"model/resource.Article", 30, "a record of document 1"},
		{"model/resource.MessageRecord", 27, "a record of document 1"},
		{"internal/simulator/rtd.figuresView", 28, "a record of document 2"},
	}}
}

func lineLimit() limit {
	return limit{most: 6000, near: 500}
}

// check says what is over the limit, and which exceptions say more than is true.
func (l limit) check(t *testing.T, what string, found map[string]int) {
	t.Helper()
	allowed := make(map[string]int)
	for _, e := range l.exceptions {
		allowed[e.name] = e.most
		switch n := found[e.name]; {
		case n <= l.most:
			t.Errorf("%s has %d %s and needs no exception", e.name, n, what)
		case n < e.most-l.near:
			t.Errorf("%s has %d %s: lower its exception, which is %d", e.name, n, what, e.most)
		case e.reason == "":
			t.Errorf("%s has no reason to have %d %s", e.name, e.most, what)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if most := max(l.most, allowed[name]); found[name] > most {
			t.Errorf("%s has %d %s, at most %d are allowed: take it apart", name, found[name], what, most)
		}
	}
}

// TestLimits holds types and packages to a size. Files and functions are the
// linter's.
func TestLimits(t *testing.T) {
	t.Parallel()
	methods, fields, lines := make(map[string]int), make(map[string]int), make(map[string]int)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		lines[pkg] += bytes.Count(src, []byte("\n"))
		measure(file, pkg+".", methods, fields)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(fields, func(name string, _ int) bool { return methods[name] == 0 }) // nothing but data
	methodLimit().check(t, "methods", methods)
	fieldLimit().check(t, "fields", fields)
	lineLimit().check(t, "lines", lines)
}

// measure counts the methods and fields of the types of a file.
func measure(file *ast.File, prefix string, methods, fields map[string]int) {
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil {
				methods[prefix+receiver(d.Recv.List[0].Type)]++
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				typ, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				if s, ok := typ.Type.(*ast.StructType); ok {
					for _, f := range s.Fields.List {
						fields[prefix+typ.Name.Name] += max(1, len(f.Names))
					}
				}
			}
		}
	}
}

// receiver is the name of the type of a method.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// The limits themselves must be able to fail.
func TestLimitsFindWhatIsOver(t *testing.T) {
	t.Parallel()
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\ntype T[K any] struct { a, b K; c int }\nfunc (t *T[K]) m() {}\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	methods, fields := make(map[string]int), make(map[string]int)
	measure(file, "p.", methods, fields)
	if methods["p.T"] != 1 || fields["p.T"] != 3 {
		t.Errorf("counted %v and %v", methods, fields)
	}
}
