package config

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/secret"
	"wallboard/internal/textformat"
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

// secretWay matches the endings of keys that hold a secret in another way.
var secretWay = regexp.MustCompile(`_(env|file|keyring)$`)

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
	rows map[string]string // rows of tables -> the link to the first table that has it
}

func (g *reference) text() string {
	g.said, g.rows = make(map[string]bool), make(map[string]string)
	g.out.WriteString(`# Configuration

The configuration is the TOML file ` + "`wallboard/config.toml` in `$XDG_CONFIG_HOME` (`~/.config/wallboard/config.toml`" + `) unless
` + "`--config` names another. `wallboard setup` writes a first version, `wallboard config check`" + ` lists all errors and names of earlier
versions, and [config.example.toml](../../config.example.toml) shows every key with examples. ` + "`wallboard config schema`" + ` prints a JSON
schema for editors: name it in the first line, ` + "`#:schema ./wallboard.schema.json`" + `.

Files in the folder ` + "`conf.d`" + ` beside it add to it or change it ([example](../user/sites.md#configure-the-platforms)).

Durations have a unit (` + "`\"100ms\"`, `\"1m30s\"`). Levels are numbers or, in quotes, percentages or durations (`12`, `\"80%\"`, `\"1m30s\"`" + `).
Sizes are written like ` + "`\"10MiB\"`" + `. Relative file names are relative to the folder of the configuration file.

The type of a key and its default are in parentheses. A key without a type is a text, a list has texts, and a key without a default is
empty, 0 or false. An empty list that selects records, days, rules or figures means all. The keys name exceptions.

## Change the configuration

A running board, ` + "`wallboard serve`, `notify`, `metrics`, `status --follow`, `dump --follow` and `--plain`" + ` apply changes as soon as
you save the file, or on [SIGHUP](signals.md). The file may be a link (dotfiles, a Kubernetes volume). A file with errors changes
nothing; the board shows a notice until it is corrected. Some changes need more:

| change | needs |
|---|---|
| ` + "`record`, `privacy`, `command`, `kiosk.enabled`, the list of `[[platform]]`" + ` blocks; on a server ` + "`cluster`" + ` and [some of ` + "`serve`" + `](serve.md#changes-of-the-configuration) | a restart; a banner lists what is saved but not active |
| the address of a service, its ` + "`ca_file` or `insecure_skip_verify`, because the password or token could go to another server | a user who types the address when the board asks; elsewhere" + ` a restart |
| a ` + "`[[notify]]`" + ` that is new, or has a new command, address or recipient | SIGHUP or a restart |

The board refuses a file that other users can change: the file, every folder above it and every link on the path must belong to you or root,
and must not be writable for others (` + "`chmod go-w`; folders such as `/tmp` are allowed). The same applies to `ca_file`" + ` and to files with secrets.

## Secrets

A password, a token, an API key, the address or header of a webhook can be given in one of four ways, here for ` + "`password`" + `:

| key | value |
|---|---|
| ` + "`password_file` | file with mode 0600 that holds the secret on one line; looked up next to the configuration file, then in `$CREDENTIALS_DIRECTORY`" + ` |
| ` + "`password_keyring`" + ` | entry in the keyring of the operating system, as "service/user" |
| ` + "`password_env`" + ` | environment variable that holds the secret |
| ` + "`password`" + ` | the secret itself; only in a configuration file with mode 0600 |

Files with secrets are watched. While the platform refuses a secret, the board reads them every 10 seconds.

## Capacity of one board

Measured on two otherwise idle cores, with agents on two channels, 40 services and 20 groups:

| agents | records | updates per second | peak memory | of one core | time until LIVE |
|---|---|---|---|---|---|
| 5,000 | 23,000 | 2,000 | 135 MiB | 12 % | 1.4 s, 1.2 s after a reconnection |
| 20,000 | 92,000 | 8,000 | 357 MiB | 60 % | 2.6 s, 2.1 s after a reconnection |

The audits of 20,000 agents request up to 90 MiB in 46 s: with a slower connection or platform, set a longer ` + "`audit_interval`" + `.
[proof.md](../dev/proof.md#large-floors) repeats the measurement.

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
	below := g.keys(path, title, v, array)
	for _, f := range below {
		full := joinKey(path, f.Tag.Get("toml"))
		if f.Type.Kind() == reflect.Slice {
			g.table(full, reflect.Zero(f.Type.Elem()), true)
		} else {
			g.table(full, v.FieldByIndex(f.Index), false)
		}
	}
}

// keys writes the keys of a table and returns the fields that are tables themselves. It only
// names keys that an earlier table explains in the same words.
func (g *reference) keys(path, title string, v reflect.Value, array bool) (below []reflect.StructField) {
	var rows []string
	repeated, all := make(map[string][]string), keysOf(v.Type())
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
		value := valueName(f.Type)
		if base := secretWay.ReplaceAllString(key, ""); slices.Contains(all, base+"_keyring") {
			if key != base {
				continue
			}
			value = "[secret](#secrets)"
			text, _, _ = strings.Cut(text, "; only in")
			text = strings.TrimSuffix(strings.TrimSuffix(text, "."), " itself") + "."
		}
		if standard := v.FieldByIndex(f.Index); !array && !standard.IsZero() && shown(standard) != "–" {
			value += ", " + shown(standard)
		}
		row := ": " + strings.ReplaceAll(text, "; empty: all.", ".") + "\n"
		if value = strings.TrimPrefix(strings.TrimPrefix(value, "text, "), "text"); value != "" {
			row = " (" + value + ")" + row
		}
		if at := g.rows[key+row]; at != "" {
			repeated[at] = append(repeated[at], "`"+f.Tag.Get("toml")+"`")
			continue
		}
		g.rows[key+row] = "[" + title + "](#" + strings.ReplaceAll(path, ".", "") + ")"
		// Keys that differ only in their names share a line.
		row = strings.ReplaceAll(row, "[["+key+"]]", "[[…]]")
		key = "`" + key + "`"
		if last := len(rows) - 1; last >= 0 && strings.Contains(row, "[[…]]") && strings.HasSuffix(rows[last], row) {
			rows[last] = strings.TrimSuffix(rows[last], row) + ", " + key + row
			continue
		}
		rows = append(rows, "- "+key+row)
	}
	g.out.WriteString(strings.Join(rows, ""))
	for i, at := range slices.Sorted(maps.Keys(repeated)) {
		if i > 0 || len(rows) > 0 {
			g.out.WriteString("\n")
		}
		g.out.WriteString("As in " + at + ": " + strings.Join(repeated[at], ", ") + ".\n")
	}
	return below
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
	case reflect.TypeFor[Blocks]():
		return "array of tables"
	case reflect.TypeFor[Table]():
		return "table"
	}
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "boolean"
	case reflect.Int:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return "list"
		}
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
		return "`\"" + textformat.ConfigDuration(x) + "\"`"
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
