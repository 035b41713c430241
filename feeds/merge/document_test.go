package merge_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wallboard/feeds/merge"
	"wallboard/model"
)

// version is what the version document selects below its root field.
type version struct {
	Server model.ServerVersion `json:"server"`
}

// Every field of a record is selected and every selected field exists, key
// fields first and the others in the order of the record.
func TestDocumentsAskForTheRecords(t *testing.T) {
	t.Parallel()
	all := append(subjects(),
		subject{name: "version", typ: reflect.TypeFor[version]()},
		subject{name: "serverHealth", typ: reflect.TypeFor[model.ServerHealth]()})
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			want := paths("", s.typ)
			slices.SortStableFunc(want, func(a, b string) int {
				return rank(s.keys, a) - rank(s.keys, b)
			})
			if diff := cmp.Diff(want, selected("", selectionOf(t, s.name))); diff != "" {
				t.Errorf("record (-) and document (+):\n%s", diff)
			}
		})
	}
}

// rank orders key fields before the others, in key order.
func rank(keys []string, path string) int {
	if i := slices.Index(keys, strings.TrimPrefix(path, ".")); i >= 0 {
		return i
	}
	return len(keys)
}

// paths lists the fields of a record, including nested ones.
func paths(prefix string, t reflect.Type) []string {
	var list []string
	tagged(t, func(name string, typ reflect.Type) {
		list = append(list, prefix+"."+name)
		if typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() == reflect.Struct {
			list = append(list, paths(prefix+"."+name, typ)...)
		}
	})
	return list
}

func selected(prefix string, set []merge.Selection) []string {
	var list []string
	for _, s := range set {
		list = append(list, prefix+"."+s.Name)
		list = append(list, selected(prefix+"."+s.Name, s.Fields)...)
	}
	return list
}

func TestNewPlanDropsNothingInSilence(t *testing.T) {
	t.Parallel()
	type small struct {
		A model.Int          `json:"a"`
		B []model.CustomStat `json:"b"`
	}
	type odd struct {
		A map[string]int `json:"a"`
	}
	for _, c := range []struct {
		name, document, want string
		build                func([]merge.Selection) error
	}{
		{"not in the record", `{ a b { key value { aggregatedValue value } } c }`, `selected field "c" has no struct field`, build[small]()},
		{"not selected", `{ a }`, `field "b" is not selected`, build[small]()},
		{"not selected below", `{ a b { key value { value } } }`, `field "aggregatedValue" is not selected`, build[small]()},
		{"selected twice", `{ a a b { key value { aggregatedValue value } } }`, `selected field "a" has no struct field`, build[small]()},
		{"list without its key", `{ a b { value { aggregatedValue value } } }`, `"key" is not selected`, build[small]()},
		{"record without its key", `{ a b { key value { aggregatedValue value } } }`, `key "id" is not selected`, build[small]("id")},
		{"a list for a key", `{ a b { key value { aggregatedValue value } } }`, `key "b" is neither`, build[small]("b")},
		{"unsupported type", `{ a }`, `cannot read a map[string]int`, build[odd]()},
		{"nothing", `{ }`, `field "a" is not selected`, build[odd]()},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			set, err := merge.ParseSelection(c.document)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.build(set); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func build[T any](keys ...string) func([]merge.Selection) error {
	return func(set []merge.Selection) error {
		_, err := merge.NewPlan[T](set, keys...)
		return err
	}
}

func TestParseSelection(t *testing.T) {
	t.Parallel()
	set, err := merge.ParseSelection(`subscription S($f: F!, $n: Int) {
		stats(filter: $f, first: $n) { code, x(of: [A B]) { __typename ... on X { a b { c } } d } }
	} query Other { y }`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{".stats", ".stats.code", ".stats.x", ".stats.x.__typename", ".stats.x.a", ".stats.x.b", ".stats.x.b.c", ".stats.x.d"}
	if diff := cmp.Diff(want, selected("", set)); diff != "" {
		t.Errorf("selection (-want +got):\n%s", diff)
	}
	for _, bad := range []string{"", "subscription S", "{", "{ a", "{ a {", "{ { } }", "{ a { b }", "{ ... on", "{ ... on X a }"} {
		if set, err := merge.ParseSelection(bad); err == nil {
			t.Errorf("ParseSelection(%q) = %v, want an error", bad, set)
		}
	}
}

// A parsed selection stays the same when it is written and parsed again.
func FuzzSelection(f *testing.F) {
	for _, s := range subjects() {
		f.Add("subscription { " + s.name + write(selectionOf(f, s.name)) + " }")
	}
	f.Add("{ a(b: {c: [1]}) { ... on T { d } } }")
	f.Add("{ a ) ( { } }")
	f.Fuzz(func(t *testing.T, document string) {
		set, err := merge.ParseSelection(document)
		if err != nil {
			return
		}
		again, err := merge.ParseSelection(write(set))
		if err != nil {
			t.Fatalf("%q was read but not %q: %v", document, write(set), err)
		}
		if diff := cmp.Diff(set, again); diff != "" {
			t.Fatalf("%q (-first +second):\n%s", document, diff)
		}
	})
}

// Any selection survives being written as a document.
func TestParseSelectionReadsWhatIsWritten(t *testing.T) {
	t.Parallel()
	name := rapid.StringMatching(`[_a-zA-Z][_a-zA-Z0-9]{0,8}`)
	var set func(t *rapid.T, depth int) []merge.Selection
	set = func(t *rapid.T, depth int) []merge.Selection {
		var list []merge.Selection
		for range rapid.IntRange(1, 4).Draw(t, "fields") {
			s := merge.Selection{Name: name.Draw(t, "name")}
			if depth > 0 && rapid.Bool().Draw(t, "nested") {
				s.Fields = set(t, depth-1)
			}
			list = append(list, s)
		}
		return list
	}
	rapid.Check(t, func(t *rapid.T) {
		want := set(t, 3)
		got, err := merge.ParseSelection("query Q($a: [B!]!) " + write(want))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("selection (-want +got):\n%s", diff)
		}
	})
}

func write(set []merge.Selection) string {
	var b strings.Builder
	b.WriteString("{")
	for _, s := range set {
		b.WriteString(" " + s.Name)
		if s.Fields != nil {
			b.WriteString(write(s.Fields))
		}
	}
	b.WriteString(" }")
	return b.String()
}
