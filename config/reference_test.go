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

	"wallboard/secret"
)

var update = flag.Bool("update", false, "write docs/configuration.md anew")

// TestReference writes docs/configuration.md from the structs: their comments
// are the reference, so that it cannot be about another version.
func TestReference(t *testing.T) {
	t.Parallel()
	const path = "../docs/configuration.md"
	g := &reference{t: t, docs: readDocs(t)}
	text := g.text()
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("docs/configuration.md is not what the structs say: run make docs (%v)", err)
	}
	for _, key := range Keys() {
		if !g.said[key] {
			t.Errorf("docs/configuration.md does not explain %s", key)
		}
	}
}

// goReference is of no use to who reads the reference.
var goReference = regexp.MustCompile(`; see \[[^\]]*\]`)

// typeDocs are the comments of a struct.
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

// reference writes the reference.
type reference struct {
	t    *testing.T
	docs map[string]typeDocs
	out  strings.Builder
	said map[string]bool
}

func (g *reference) text() string {
	g.said = make(map[string]bool)
	g.out.WriteString(`# Configuration

Every key of the configuration file, in TOML. The file is ` + "`wallboard/config.toml` in `$XDG_CONFIG_HOME`" + `
(` + "`~/.config/wallboard/config.toml`" + `), or what ` + "`--config`" + ` names. ` + "`wallboard config init`" + ` writes a first
one, ` + "`wallboard config check`" + ` says everything that is wrong with one, and
[config.example.toml](../config.example.toml) shows all of it with examples.

An open board follows the file: what is changed there is in force as soon as it is saved, or when the board gets SIGHUP. That holds for a file behind a link (in a folder of dotfiles, a volume of Kubernetes), too.
A file with errors changes nothing; the board says so until it is right. Only ` + "`record`, `command`, `kiosk.enabled`" + ` and which [[platform]] there are
need a new start; a banner names what is saved and not in force. ` + "`wallboard serve`, `notify`, `metrics`, `status --follow`, `dump --follow` and `--plain`" + `
follow it in the same way. [signals.md](signals.md) lists the signals of every command.

Files of secrets are watched, too. While the platform refuses a secret, all secrets are read again every 10 seconds, from
the keyring as well: a token or password that is renewed needs neither a key nor a new start.

Two changes are more than that. Another address of a service, another ` + "`ca_file` or `insecure_skip_verify`" + ` would give the
password or the token to somebody else: the board asks, and goes there when the new address was typed; where nobody
can be asked (a kiosk, ` + "`--plain`, `metrics`, `status --follow`" + `) it needs a new start. A ` + "`[[notify]]`" + ` that is
added, or has another command, address or recipient, is in force after SIGHUP or a new start, and not run before.

The file says where the secrets go and what is run. As with ` + "`ssh`" + `, it is refused when other users could change it: the
file, every folder above it and every link on the way must belong to you or root, and nobody else may write to them
(` + "`chmod go-w`" + `); a folder like ` + "`/tmp`" + `, where nobody can remove what is not theirs, will do. The same holds for ` + "`ca_file`" + `
and for files with secrets.

Durations are written with their unit (` + "`\"100ms\"`, `\"1m30s\"`" + `), levels as numbers, or in quotes as percentages or
durations (` + "`12`, `\"80%\"`, `\"1m30s\"`" + `), sizes as ` + "`\"10MiB\"`" + `.

## What one board carries

Measured on two cores (a simulated platform in a process of its own, agents on two channels who come and go,
40 services and 20 groups). Memory is the most resident memory at any time, the processor a part of one core.

| agents | records | updates a second | memory | processor | LIVE after the start |
|---|---|---|---|---|---|
| 5,000 | 23,000 | 2,000 | 135 to 140 MiB | 12 to 13 % | 1.4 s (0.5 s of the processor), 1.2 s after a cut |
| 20,000 | 92,000 | 8,000 | 367 MiB | 52 to 54 % | 2.6 s (1.8 s of the processor), 2.1 s after a cut |

The memory is highest when the full state of everybody comes: at the start, after a cut, and when the large subscription
is made again. Both on a quiet machine, where the platform takes one of its two cores; beside other work a board takes up
to half as much again of the processor. The audits of 20,000 agents ask for up to 90 MiB in 46 s: a
slower line, or a platform that answers a query of a twentieth of the records in more than two seconds, needs a longer
` + "`audit_interval`" + `. On a machine with ten times more to do than it
can, LIVE came 23 s after the start and 10 s after a cut, and stayed.
` + "`SCALE=2m go test ./cli -run ScaleOfTheProgram -v -timeout 30m`" + ` measures all of it on your machine.

<!-- Written from the comments in package config: run make docs. -->
`)
	d := Default()
	g.table("", reflect.ValueOf(d), false)
	return g.out.String()
}

// table writes one table, and then those in it.
func (g *reference) table(path string, v reflect.Value, array bool) {
	title := "At the top"
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
		full := join(path, key)
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
		full := join(path, f.Tag.Get("toml"))
		if f.Type.Kind() == reflect.Slice {
			g.table(full, reflect.Zero(f.Type.Elem()), true)
		} else {
			g.table(full, v.FieldByIndex(f.Index), false)
		}
	}
}

func isTable(t reflect.Type) bool { return t.Kind() == reflect.Struct && len(keysOf(t)) > 0 }

// fieldDoc returns the comment of a field, which may be one of an embedded
// struct.
func (g *reference) fieldDoc(in reflect.Type, f reflect.StructField) string {
	for _, at := range f.Index[:len(f.Index)-1] {
		in = in.Field(at).Type
	}
	return g.docs[in.Name()].fields[f.Name]
}

// valueName says what a key holds.
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

// shown is a default as the file would say it.
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
