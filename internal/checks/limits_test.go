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
	"strconv"
	"strings"
	"testing"
)

// limit bounds the size of types or packages.
type limit struct {
	what string
	most int
	// exceptions may be larger. Lower or remove an exception when you shrink its type.
	exceptions []exception
}

// exception is a type or package that exceeds the limit. All exceptions date from 2026-11-28, when promoted
// members and functions that take the type were first counted.
type exception struct {
	name   string
	most   int
	reason string
}

// near is how far the limit of an exception may be above the actual size.
const near = 5

const (
	embedsParts = "it embeds the parts that it is made of; its own methods are few"
	paneOfTable = "a pane embeds a table, whose keys and mouse it handles"
	document    = "a record of the platform's documents"
	toSplit     = "to be split along its parts"
)

func methodLimit() limit {
	return limit{what: "methods", most: 45, exceptions: []exception{
		{"ui/table.Model", 121, embedsParts},
		{"ui/table.renderer", 78, embedsParts},
		{"ui/panes.previewPane", 77, paneOfTable},
		{"ui/panes.cardsPane", 75, paneOfTable},
		{"ui/panes.situationsPane", 72, paneOfTable},
		{"ui/panes.wallAgentsPane", 68, paneOfTable},
		{"ui/panes.connectionPane", 66, paneOfTable},
		{"ui/panes.tablePane", 64, paneOfTable},
		{"ui/panes.RecordTable", 57, paneOfTable},
		{"ui/panes.peerTable", 57, paneOfTable},
		{"ui/panes.Scene", 56, "the pages draw from it"},
		{"ui/render.View", 50, toSplit},
		{"internal/alert.Engine", 48, toSplit},
	}}
}

func fieldLimit() limit {
	return limit{what: "fields", most: 25, exceptions: []exception{
		{"ui/table.Model", 67, embedsParts},
		{"ui/table.renderer", 62, embedsParts},
		{"ui/table.window", 26, toSplit},
		{"ui.scene", 33, "it embeds the options of the board"},
		{"ui/panes.previewPane", 47, paneOfTable},
		{"ui/panes.cardsPane", 46, paneOfTable},
		{"ui/panes.situationsPane", 44, paneOfTable},
		{"ui/panes.wallAgentsPane", 42, paneOfTable},
		{"ui/panes.connectionPane", 41, paneOfTable},
		{"ui/panes.tablePane", 40, paneOfTable},
		{"ui/panes.peerTable", 39, paneOfTable},
		{"ui/panes.RecordTable", 37, paneOfTable},
		{"internal/alert.rule", 36, toSplit},
		{"internal/alert.activeAlert", 28, embedsParts},
		{"internal/alert/backtest.judgedAlert", 28, embedsParts},
		{"internal/hub.sharedView", 30, toSplit},
		{"internal/config.Config", 32, "a field for each table of the file"},
		{"internal/config.RTD", 30, "a field for each key of the table"},
		{"internal/config.Notify", 28, "a field for each key of the table"},
		{"feeds.status", 28, embedsParts},
		{"model.UserStat", 34, document},
		{"model.ProfileStat", 33, document},
		{"model.AgentFigures", 28, document},
		{"model/resource.Article", 31, document},
		{"model/resource.MessageRecord", 28, document},
		{"internal/simulator/rtd.userStatView", 32, document},
		{"internal/simulator/rtd.profileStatView", 31, document},
		{"internal/simulator/rtd.figuresView", 28, document},
		{"internal/simulator/world.UserStat", 32, document},
		{"internal/simulator/world.UserProfileStat", 31, document},
	}}
}

func lineLimit() limit { return limit{what: "lines", most: 6000} }

// problems describes everything over the limit, and exceptions that are too generous.
func (l limit) problems(found map[string]int) []string {
	var out []string
	allowed := make(map[string]int)
	for _, e := range l.exceptions {
		allowed[e.name] = e.most
		switch n := found[e.name]; {
		case n <= l.most:
			out = append(out, e.name+" has "+strconv.Itoa(n)+" "+l.what+" and needs no exception")
		case n < e.most-near:
			out = append(out, e.name+" has "+strconv.Itoa(n)+" "+l.what+": lower its exception, which is "+strconv.Itoa(e.most))
		case e.reason == "":
			out = append(out, e.name+" has no reason for its exception")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if most := max(l.most, allowed[name]); found[name] > most {
			out = append(out, name+" has "+strconv.Itoa(found[name])+" "+l.what+", at most "+strconv.Itoa(most)+" are allowed: split it")
		}
	}
	return out
}

// structType holds the size of a named type.
type structType struct {
	methods, fields int
	takers          int      // functions of the package whose first parameter is a pointer to the type
	embeds          []string // embedded types of the module
}

// sizes holds the types of the module by package and name, and the lines of packages.
type sizes struct {
	types map[string]*structType
	lines map[string]int
}

func (z *sizes) of(key string) *structType {
	if z.types[key] == nil {
		z.types[key] = &structType{}
	}
	return z.types[key]
}

// add measures the types of a file.
func (z *sizes) add(pkg string, file *ast.File) {
	imports := make(map[string]string) // folder of a package of the module, by its name in the file
	for _, im := range file.Imports {
		path, _ := strconv.Unquote(im.Path.Value)
		if dir, ours := strings.CutPrefix(path, module+"/"); ours {
			name := dir[strings.LastIndex(dir, "/")+1:]
			if im.Name != nil {
				name = im.Name.Name
			}
			imports[name] = dir
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			z.addFunc(pkg, d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if typ, is := spec.(*ast.TypeSpec); is {
					z.addType(pkg, typ, imports)
				}
			}
		}
	}
}

func (z *sizes) addFunc(pkg string, d *ast.FuncDecl) {
	if d.Recv != nil {
		z.of(pkg+"."+typeName(d.Recv.List[0].Type)).methods++
		return
	}
	if len(d.Type.Params.List) == 0 {
		return
	}
	if star, is := d.Type.Params.List[0].Type.(*ast.StarExpr); is {
		if name := typeName(star.X); name != "" {
			z.of(pkg+"."+name).takers++
		}
	}
}

func (z *sizes) addType(pkg string, typ *ast.TypeSpec, imports map[string]string) {
	s, is := typ.Type.(*ast.StructType)
	if !is {
		return
	}
	t := z.of(pkg + "." + typ.Name.Name)
	for _, f := range s.Fields.List {
		t.fields += max(1, len(f.Names))
		if len(f.Names) == 0 {
			t.embeds = append(t.embeds, embedded(f.Type, pkg, imports))
		}
	}
}

// members returns the methods and fields of a type, including those of embedded types.
func (z *sizes) members(key string, seen map[string]bool) (methods, fields int) {
	t := z.types[key]
	if t == nil || seen[key] {
		return 0, 0
	}
	seen[key] = true
	methods, fields = t.methods, t.fields
	for _, e := range t.embeds {
		m, f := z.members(e, seen)
		methods, fields = methods+m, fields+f
	}
	return methods, fields
}

// totals returns the members of every type that has methods.
func (z *sizes) totals() (methods, fields map[string]int) {
	methods, fields = make(map[string]int), make(map[string]int)
	for key, t := range z.types {
		if m, f := z.members(key, make(map[string]bool)); m > 0 {
			methods[key], fields[key] = m+t.takers, f
		}
	}
	return methods, fields
}

// embedded returns the key of an embedded type of the module, "" for other types.
func embedded(e ast.Expr, pkg string, imports map[string]string) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return embedded(t.X, pkg, imports)
	case *ast.Ident:
		return pkg + "." + t.Name
	case *ast.SelectorExpr:
		if x, is := t.X.(*ast.Ident); is && imports[x.Name] != "" {
			return imports[x.Name] + "." + t.Sel.Name
		}
	}
	return ""
}

// typeName returns the name of a receiver's or a parameter's type.
func typeName(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return typeName(t.X)
	case *ast.IndexExpr:
		return typeName(t.X)
	case *ast.IndexListExpr:
		return typeName(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// sources calls f for each Go file of the module except tests.
func sources(t *testing.T, f func(path string, src []byte, set *token.FileSet, file *ast.File)) {
	t.Helper()
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
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		f(filepath.ToSlash(path), src, set, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestLimits limits the size of types and packages. The linter limits functions.
func TestLimits(t *testing.T) {
	t.Parallel()
	z := sizes{types: make(map[string]*structType), lines: make(map[string]int)}
	sources(t, func(path string, src []byte, _ *token.FileSet, file *ast.File) {
		pkg := filepath.ToSlash(filepath.Dir(path))
		if !ast.IsGenerated(file) {
			z.lines[pkg] += bytes.Count(src, []byte("\n"))
		}
		z.add(pkg, file)
	})
	methods, fields := z.totals()
	for _, p := range slices.Concat(methodLimit().problems(methods), fieldLimit().problems(fields), lineLimit().problems(z.lines)) {
		t.Error(p)
	}
}

// TestLimitsFindLargeTypes checks that the limits count promoted members and functions
// that take a type.
func TestLimitsFindLargeTypes(t *testing.T) {
	t.Parallel()
	const code = "package p\ntype T[K any] struct { a, b K; part }\nfunc (t *T[K]) m() {}\nfunc f(t *T[int]) {}\ntype part struct { c int }\nfunc (p part) n() {}\n"
	file, err := parser.ParseFile(token.NewFileSet(), "", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	z := sizes{types: make(map[string]*structType)}
	z.add("p", file)
	methods, fields := z.totals()
	if methods["p.T"] != 3 || fields["p.T"] != 4 {
		t.Errorf("T has %d methods and %d fields, want 3 and 4", methods["p.T"], fields["p.T"])
	}
	if got := (limit{what: "methods", most: 2}).problems(methods); len(got) != 1 {
		t.Errorf("problems are %q", got)
	}
}
