package config

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/secret"
)

var update = flag.Bool("update", false, "rewrite docs/admin/configuration.md")

// TestReference checks docs/admin/configuration.md against the comments of the structs, from
// which it is generated. With -update it writes the file.
func TestReference(t *testing.T) {
	t.Parallel()
	const path = "../../docs/admin/configuration.md"
	g := &reference{t: t, docs: readDocs(t)}
	text := g.text()
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("docs/admin/configuration.md is out of date: run make docs (%v)", err)
	}
	for _, key := range Keys() {
		if !g.said[key] {
			t.Errorf("docs/admin/configuration.md does not explain %s", key)
		}
	}
}

// goReference matches links for Go programmers, which the reference omits.
var goReference = regexp.MustCompile(`; see \[[^\]]*\]`)

// typeDocs holds the comments of a struct.
type typeDocs struct {
	doc    string
	fields map[string]string
}

func readDocs(t *testing.T) map[string]typeDocs {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	docs := make(map[string]typeDocs)
	set := token.NewFileSet()
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, f, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				readType(docs, g)
			}
		}
	}
	return docs
}

func readType(docs map[string]typeDocs, g *ast.GenDecl) {
	for _, spec := range g.Specs {
		named, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		s, ok := named.Type.(*ast.StructType)
		if !ok {
			continue
		}
		d := typeDocs{doc: oneLine(g.Doc.Text()), fields: make(map[string]string)}
		for _, f := range s.Fields.List {
			text := f.Comment.Text()
			if text == "" {
				text = f.Doc.Text()
			}
			for _, n := range f.Names {
				d.fields[n.Name] = oneLine(text)
			}
		}
		docs[named.Name.Name] = d
	}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// reference generates the reference.
type reference struct {
	t    *testing.T
	docs map[string]typeDocs
	out  strings.Builder
	said map[string]bool
}

func (g *reference) text() string {
	g.said = make(map[string]bool)
	g.out.WriteString(`# Configuration

All keys of the configuration file, in TOML. The file is ` + "`wallboard/config.toml` in `$XDG_CONFIG_HOME`" + `
(` + "`~/.config/wallboard/config.toml`" + `) unless ` + "`--config`" + ` names another. ` + "`wallboard config init`" + ` writes a first
version, ` + "`wallboard config check`" + ` lists all errors, and
[config.example.toml](../../config.example.toml) shows every key with examples.

A running board applies changes as soon as you save the file, or when it receives SIGHUP. This also works if the file is a link (dotfiles, a Kubernetes volume).
A file with errors changes nothing; the board shows a notice until it is corrected. Only changes to ` + "`record`, `command`, `kiosk.enabled`" + ` and the list of [[platform]]
blocks need a restart; a banner lists changes that are saved but not active. ` + "`wallboard serve`, `notify`, `metrics`, `status --follow`, `dump --follow` and `--plain`" + `
behave in the same way. [signals.md](signals.md) lists the signals of every command.

Files with secrets are watched, too. While the platform refuses a secret, all secrets, including those in the keyring, are read again
every 10 seconds: a renewed token or password needs neither a key nor a restart.

Two kinds of change need more than saving the file. A new address of a service, or a new ` + "`ca_file` or `insecure_skip_verify`" + `, could send the
password or token to a different server: the board asks, and only uses the address after you have typed it. Without a user who
can answer (a kiosk, ` + "`--plain`, `metrics`, `status --follow`" + `) such a change needs a restart. A ` + "`[[notify]]`" + ` that is
new, or has a new command, address or recipient, is not used until SIGHUP or a restart.

The file determines where secrets are sent and what is run. Like ` + "`ssh`" + `, the board refuses it if other users can change it: the
file, every folder above it and every link on the path must belong to you or root, and must not be writable for others
(` + "`chmod go-w`" + `). Folders such as ` + "`/tmp`" + `, where users can only remove their own files, are allowed. The same applies to ` + "`ca_file`" + `
and to files with secrets.

Durations have a unit (` + "`\"100ms\"`, `\"1m30s\"`" + `). Levels are numbers or, in quotes, percentages or
durations (` + "`12`, `\"80%\"`, `\"1m30s\"`" + `). Sizes are written like ` + "`\"10MiB\"`" + `.

## Capacity of one board

Measured on two cores (a simulated platform in a separate process, agents on two channels who log in and out,
40 services and 20 groups). Memory is the peak resident memory, CPU the share of one core.

| agents | records | updates per second | memory | CPU | time until LIVE |
|---|---|---|---|---|---|
| 5,000 | 23,000 | 2,000 | 135 to 140 MiB | 12 to 13 % | 1.4 s (0.5 s of CPU), 1.2 s after a reconnection |
| 20,000 | 92,000 | 8,000 | 367 MiB | 52 to 54 % | 2.6 s (1.8 s of CPU), 2.1 s after a reconnection |

Memory is highest when the full state of all agents arrives: at the start, after a reconnection, and when the large subscription
is renewed. Both rows were measured on an otherwise idle machine, where the platform uses one of the two cores; under other load a board uses up
to half as much CPU again. The audits of 20,000 agents request up to 90 MiB in 46 s: with a
slower connection, or a platform that takes more than two seconds for a query of a twentieth of the records, set a longer
` + "`audit_interval`" + `. On a machine with ten times more load than it
can handle, the board was LIVE 23 s after the start and 10 s after a reconnection, and stayed LIVE.
` + "`SCALE=2m go test ./internal/cli -run ScaleOfTheProgram -v -timeout 30m`" + ` repeats all measurements on your machine.

<!-- Generated from the comments in package config: run make docs. -->
`)
	d := Default()
	g.table("", reflect.ValueOf(d), false)
	return g.out.String()
}

// table writes one table and then the tables inside it.
func (g *reference) table(path string, v reflect.Value, array bool) {
	title := "Top level"
	switch {
	case array:
		title = "`[[" + path + "]]`"
	case path != "":
		title = "`[" + path + "]`"
	}
	fmt.Fprintf(&g.out, "\n## %s\n\n", title)
	doc := goReference.ReplaceAllString(g.docs[v.Type().Name()].doc, "")
	if _, rest, ok := strings.Cut(doc, " "); ok && path != "" {
		rest = strings.TrimPrefix(rest, "is ")
		g.out.WriteString(strings.ToUpper(rest[:1]) + rest[1:] + "\n\n")
	}
	g.out.WriteString("| key | value | default | |\n|---|---|---|---|\n")
	var below []reflect.StructField
	for _, f := range reflect.VisibleFields(v.Type()) {
		key := f.Tag.Get("toml")
		if key == "" {
			continue
		}
		full := joinKey(path, key)
		g.said[full] = true
		if inner := f.Type; isTable(inner) || inner.Kind() == reflect.Slice && isTable(inner.Elem()) {
			below = append(below, f)
			continue
		}
		text := g.fieldDoc(v.Type(), f)
		if text == "" {
			g.t.Errorf("%s has no comment", full)
		}
		standard := "–"
		if !array {
			standard = shown(v.FieldByIndex(f.Index))
		}
		fmt.Fprintf(&g.out, "| `%s` | %s | %s | %s |\n", key, valueName(f.Type), standard, strings.ReplaceAll(text, "|", `\|`))
	}
	for _, f := range below {
		full := joinKey(path, f.Tag.Get("toml"))
		if f.Type.Kind() == reflect.Slice {
			g.table(full, reflect.Zero(f.Type.Elem()), true)
		} else {
			g.table(full, v.FieldByIndex(f.Index), false)
		}
	}
}

func isTable(t reflect.Type) bool { return t.Kind() == reflect.Struct && len(keysOf(t)) > 0 }

// fieldDoc returns the comment of a field, which may belong to an embedded struct.
func (g *reference) fieldDoc(in reflect.Type, f reflect.StructField) string {
	for _, at := range f.Index[:len(f.Index)-1] {
		in = in.Field(at).Type
	}
	return g.docs[in.Name()].fields[f.Name]
}

// valueName returns the name of the type of a key.
func valueName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[time.Duration]():
		return "duration"
	case reflect.TypeFor[Limit]():
		return "level"
	case reflect.TypeFor[Size]():
		return "size"
	case reflect.TypeFor[secret.Text]():
		return "text"
	case reflect.TypeFor[Table]():
		return "table"
	}
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "whole number"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "list of " + valueName(t.Elem()) + "s"
	case reflect.Map:
		return "table of " + valueName(t.Elem()) + "s"
	default:
		panic("no name for " + t.String())
	}
}

// shown formats a default in TOML syntax.
func shown(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case secret.Text:
		return "–"
	case time.Duration:
		if x == 0 {
			return "–"
		}
		return "`\"" + durationText(x) + "\"`"
	case Size:
		return "`\"" + x.String() + "\"`"
	}
	switch v.Kind() {
	case reflect.String:
		return "`" + Quoted(v.String()) + "`"
	case reflect.Slice, reflect.Map:
		return "–"
	default:
		return fmt.Sprintf("`%v`", v.Interface())
	}
}
