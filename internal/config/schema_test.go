package config

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/safedecode"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/textformat"
)

// object is a JSON object.
type object = map[string]any

// TestSchema checks schema.json against the types, their comments and the checks, from which it is
// generated. With -update it writes the file.
func TestSchema(t *testing.T) {
	t.Parallel()
	g := &schemaWriter{reference: &reference{t: t, docs: readDocs(t)}, allowed: allowedValues(t)}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(g.root()); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("schema.json", out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile("schema.json"); err != nil || !bytes.Equal(got, out.Bytes()) {
		t.Errorf("schema.json is out of date: run make docs (%v)", err)
	}
	for key, allowed := range g.allowed {
		if len(allowed) > 0 && !g.used[key] {
			t.Errorf("the possible values of %s are not in the schema", key)
		}
	}
}

// openLists lists keys whose possible values depend on the rest of the configuration.
func openLists() []string {
	return []string{
		"page.row.pane.columns", "page.row.pane.sort", "page.row.pane.kpis", "page.row.pane.kind", "builtin.scope", "builtin.rule", "playbook.rule",
		"playbook.sites", "silence.rules", "serve.user.platforms", "ui.page", "kiosk.pages", "page.builtin", "ui.theme", "serve.user.theme",
	}
}

// allowedValues returns the possible values of each key that is checked against a fixed list: those
// that the checks name while they read the example with every setting.
func allowedValues(t *testing.T) map[string][]string {
	t.Helper()
	found := make(map[string][]string)
	text := commentedOut.ReplaceAllString(readExample(t), "$1")
	var tree map[string]any
	if err := safedecode.DecodeTOML(text, &tree); err != nil {
		t.Fatal(err)
	}
	delete(tree, "platform")
	r := newReport("config.example.toml", safedecode.FindKeyLines(text))
	r.onAllowed = func(key string, allowed []string) {
		if key = elementIndex.ReplaceAllString(key, ""); !slices.Contains(openLists(), key) && !strings.HasPrefix(key, "rtd.dialect.") {
			found[key] = allowed
		}
	}
	r.readPlatform(tree, nil, configFile{path: "config.example.toml", dir: testkit.PrivateDir(t)}, testOptions())
	if len(found) < 25 {
		t.Fatalf("only %d keys have possible values", len(found))
	}
	return found
}

// schemaWriter generates the schema.
type schemaWriter struct {
	*reference
	allowed map[string][]string
	used    map[string]bool
}

func (g *schemaWriter) root() object {
	g.used = make(map[string]bool)
	d := Default()
	s := g.tableSchema("", reflect.ValueOf(d), false)
	s["$schema"], s["title"] = "http://json-schema.org/draft-07/schema#", "Configuration of the wallboard"
	return s
}

// tableSchema returns the schema of a table.
func (g *schemaWriter) tableSchema(path string, v reflect.Value, isElement bool) object {
	properties := object{}
	for _, f := range reflect.VisibleFields(v.Type()) {
		key := f.Tag.Get("toml")
		if key == "" {
			continue
		}
		full := joinKey(path, key)
		var s object
		switch inner := f.Type; {
		case isTable(inner):
			s = g.tableSchema(full, v.FieldByIndex(f.Index), isElement)
		case inner.Kind() == reflect.Slice && isTable(inner.Elem()):
			s = object{"type": "array", "items": g.tableSchema(full, reflect.Zero(inner.Elem()), true)}
		case inner == reflect.TypeFor[Table](), inner == reflect.TypeFor[Blocks]():
			s = object{"$ref": "#/properties/" + key}
		default:
			s = g.valueSchema(full, inner)
			if standard := v.FieldByIndex(f.Index); !isElement && shown(standard) != "–" {
				s["default"] = defaultOf(standard)
			}
		}
		if doc := g.fieldDoc(v.Type(), f); doc != "" && s["$ref"] == nil {
			s["description"] = doc
		}
		properties[key] = s
	}
	return object{"type": "object", "additionalProperties": false, "properties": properties}
}

// valueSchema returns the schema of the value of a key.
func (g *schemaWriter) valueSchema(key string, t reflect.Type) object {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[time.Duration]():
		return object{"type": "string", "pattern": `^\s*-?([0-9.]+(ns|us|µs|ms|s|m|h))+\s*$|^0$`}
	case reflect.TypeFor[Limit]():
		return object{"type": []string{"number", "string"}}
	case reflect.TypeFor[Size]():
		return object{"type": []string{"integer", "string"}}
	case reflect.TypeFor[secret.Text]():
		return object{"type": "string"}
	}
	switch t.Kind() { //nolint:exhaustive // valueName knows the same kinds
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Slice:
		return object{"type": "array", "items": g.valueSchema(key, t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": g.valueSchema(key, t.Elem())}
	}
	s := object{"type": "string"}
	if allowed := g.allowed[key]; len(allowed) > 0 {
		g.used[key] = true
		s["enum"] = allowed
	}
	return s
}

// defaultOf returns a default as a JSON value.
func defaultOf(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case time.Duration:
		return textformat.ConfigDuration(x)
	case Size:
		return x.String()
	}
	return v.Interface()
}

// TestSchemaAcceptsTheExample checks the example against the schema, and that the schema refuses
// wrong keys, types and values.
func TestSchemaAcceptsTheExample(t *testing.T) {
	t.Parallel()
	var s object
	if err := json.Unmarshal([]byte(Schema()), &s); err != nil {
		t.Fatal(err)
	}
	check := func(text string) []string {
		var tree map[string]any
		if err := safedecode.DecodeTOML(text, &tree); err != nil {
			t.Fatal(err)
		}
		return violations(s, s, "", tree)
	}
	if got := check(readExample(t)); len(got) > 0 {
		t.Errorf("the example: %q", got)
	}
	if got := check(commentedOut.ReplaceAllString(readExample(t), "$1")); len(got) > 0 {
		t.Errorf("the example with every setting: %q", got)
	}
	for text, want := range map[string]string{
		"[rtd]\nurll = \"x\"":                         "rtd.urll",
		"[rtd]\nauth = \"tokn\"":                      "rtd.auth",
		"[rtd]\npublish_interval = 5":                 "rtd.publish_interval",
		"[rtd]\npublish_interval = \"fast\"":          "rtd.publish_interval",
		"[ui]\nmouse = \"on\"":                        "ui.mouse",
		"[[notify]]\non = [\"start\"]":                "notify.on",
		"[[platform]]\n[platform.rtd]\nauth = \"no\"": "platform.rtd.auth",
	} {
		if got := check(text); len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%q: %q, want one about %s", text, got, want)
		}
	}
}

// violations returns where a value violates a schema: the part of JSON schema that schema.json uses.
func violations(root, s object, path string, v any) []string {
	if ref, ok := s["$ref"].(string); ok {
		s = root["properties"].(object)[strings.TrimPrefix(ref, "#/properties/")].(object) //nolint:forcetypeassert // as generated
	}
	types, _ := s["type"].([]any)
	if one, ok := s["type"].(string); ok {
		types = []any{one}
	}
	if !slices.Contains(types, any(jsonType(v))) && (jsonType(v) != "integer" || !slices.Contains(types, any("number"))) {
		return []string{path + ": wrong type " + jsonType(v)}
	}
	var out []string
	switch v := v.(type) {
	case string:
		if enum, ok := s["enum"].([]any); ok && !slices.Contains(enum, any(v)) {
			out = append(out, path+": not allowed")
		}
		if pattern, ok := s["pattern"].(string); ok && !regexp.MustCompile(pattern).MatchString(v) {
			out = append(out, path+": wrong form")
		}
	case map[string]any:
		known, _ := s["properties"].(object)
		for key, inner := range v {
			at := strings.TrimPrefix(path+"."+key, ".")
			if of, ok := known[key].(object); ok {
				out = append(out, violations(root, of, at, inner)...)
			} else if of, ok := s["additionalProperties"].(object); ok {
				out = append(out, violations(root, of, at, inner)...)
			} else {
				out = append(out, at+": unknown")
			}
		}
	case []any:
		for _, inner := range v {
			out = append(out, violations(root, s["items"].(object), path, inner)...) //nolint:forcetypeassert // as generated
		}
	case []map[string]any:
		for _, inner := range v {
			out = append(out, violations(root, s["items"].(object), path, inner)...) //nolint:forcetypeassert // as generated
		}
	}
	return out
}

// jsonType returns the type of a TOML value in JSON schema.
func jsonType(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case bool:
		return "boolean"
	case int64:
		return "integer"
	case float64:
		return "number"
	case map[string]any:
		return "object"
	case []any, []map[string]any:
		return "array"
	}
	return "?"
}
