package merge_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"unicode/utf16"

	"pgregory.net/rapid"

	"wallboard/model"
)

// A generated update is a tree: a raw JSON text, a tree of members, or a keyed
// list of them. It can be written in any style, and trees can be merged.
type (
	members  []member
	elements []members
	member   struct {
		name  string
		value any // string (raw JSON), members or elements
	}
)

// pools holds valid JSON texts for each kind of field.
var pools = map[reflect.Type][]string{
	reflect.TypeFor[model.Int](): {
		`0`, `1`, `7`, `42`, `-3`, `3.0`, `1e3`, `"12"`, `"3.0"`, `12.4`, `12.5`, `-12.5`, `1.5e1`,
		`9007199254740991`, `9223372036854775807`, `"-9223372036854775807"`, `"\u0031"`,
	},
	reflect.TypeFor[model.Float](): {`0`, `0.1`, `-2.75`, `17`, `"12.5"`, `1e300`, `4E-3`},
	reflect.TypeFor[model.Text](): {
		`""`, `"__EMPTY__"`, `"A1"`, `"pause"`, `"Zoë"`, `"日本"`, `"\u001b[31mred"`, `"a\u202eb"`,
		`"\ud83d\ude00"`, `"\ud800"`, `"tab\there \"\/\\"`, "\"bad \xff utf-8\"", `"` + strings.Repeat("long ", 80) + `"`,
	},
	reflect.TypeFor[model.Instant](): {
		`1795251600123`, `1795251600000.5`, `-1`, `"1795251600000"`, `"soon"`, `""`, `"2026-11-21T08:00:00Z"`,
		`"2026-11-21T09:00:00.123+01:00"`, `"2026-11-21T09:00:00\u002b01:00"`, `"2026-11-21T09:00:00+0100"`,
		`"2026-11-21 09:00:00.5"`, `"2026-11-21T09:00:00"`, `0`, `12`, `1.5`, `99999999`, `"35"`,
	},
	reflect.TypeFor[model.Scalar](): {
		`"text"`, `""`, `12`, `-0.5`, `true`, `false`, `"12"`, `"\u0007"`, `1234567890123456789012345678901234567890`,
	},
	reflect.TypeFor[[]int64]():          {`[]`, `[1]`, `[1,2,3]`, `["4", 5.0, null]`, ` [ 6 , 7 ] `},
	reflect.TypeFor[[]string]():         {`[]`, `["a"]`, `["b", "ü", null, "\u0000"]`},
	reflect.TypeFor[string]():           {`"ServiceCcCallAtStat"`, `"OtherStat"`, `""`},
	reflect.TypeFor[model.Channel]():    {`"CALL"`, `"CHAT"`, `"NEW_MEDIUM"`},
	reflect.TypeFor[model.UserStatus](): {`"READY"`, `"BUSY_dn_call_in"`, `"NEW_STATE"`, `""`},
	reflect.TypeFor[model.Mutation]():   {`"CREATED"`, `"UPDATED"`, `"DELETED"`},
	reflect.TypeFor[model.Component]():  {`"ALL"`, `"RETURNS"`},
}

// wrong holds values that are valid for few fields or none.
var wrong = []string{
	`{}`, `[]`, `[[1]]`, `"x"`, `true`, `1.5e400`, `9223372036854775808`, `-1`, `"01"`, `"+1"`, `" 1"`, `"NaN"`, `[{}]`,
}

// generator makes trees for one record type.
type generator struct {
	t      *rapid.T
	values float64 // share of fields with a value
	nulls  float64 // share of the others that are null, not absent
	wrong  float64 // share of values that may have the wrong form
}

// record makes an update of the record with the given key fields.
func (g *generator) record(s subject, key members) members {
	update := slices.Clone(key)
	for _, m := range g.object(s.typ) {
		if !slices.Contains(s.keys, m.name) {
			update = append(update, m)
		}
	}
	return update
}

func (g *generator) object(t reflect.Type) members {
	var ms members
	tagged(t, func(name string, typ reflect.Type) {
		switch n := rapid.Float64Range(0, 1).Draw(g.t, "has"); {
		case n < g.values:
			ms = append(ms, member{name, g.value(typ)})
		case n < g.values+(1-g.values)*g.nulls:
			ms = append(ms, member{name, "null"})
		}
	})
	return ms
}

func (g *generator) value(t reflect.Type) any {
	if g.wrong > 0 && rapid.Float64Range(0, 1).Draw(g.t, "goes wrong") < g.wrong {
		return rapid.SampledFrom(wrong).Draw(g.t, "wrong")
	}
	if pool := pools[t]; pool != nil {
		return rapid.SampledFrom(pool).Draw(g.t, "value")
	}
	if t.Kind() == reflect.Slice {
		return g.list(t.Elem(), listKeys[t.Elem()])
	}
	return g.object(t)
}

// list makes a keyed list. Its keys come from a small set, so that updates
// overlap.
func (g *generator) list(t reflect.Type, key string) elements {
	list := make(elements, rapid.IntRange(0, 3).Draw(g.t, "elements"))
	for i := range list {
		name := rapid.SampledFrom([]string{`"a"`, `"b"`, `"ç"`, `""`}).Draw(g.t, "key")
		list[i] = members{{key, name}}
		for _, m := range g.object(t) {
			if m.name != key {
				list[i] = append(list[i], m)
			}
		}
	}
	return list
}

// key returns the key fields of the n-th record of a subscription.
func (s subject) key(n int) members {
	var ms members
	tagged(s.typ, func(name string, typ reflect.Type) {
		if !slices.Contains(s.keys, name) {
			return
		}
		switch typ {
		case reflect.TypeFor[model.Int]():
			ms = append(ms, member{name, fmt.Sprint(100 + n)})
		case reflect.TypeFor[model.Text]():
			ms = append(ms, member{name, fmt.Sprintf(`"näme-%d"`, n)})
		default:
			ms = append(ms, member{name, pools[typ][n%2]})
		}
	})
	return ms
}

// over merges an update into a tree by the rules of document 2.
func over(old, update members) members {
	find := func(ms members, name string) int {
		return slices.IndexFunc(ms, func(m member) bool { return m.name == name })
	}
	fresh := slices.Clone(old)
	if i, j := find(old, "__typename"), find(update, "__typename"); i >= 0 && j >= 0 {
		if was, is := old[i].value, update[j].value; was != is && was != "null" && is != "null" && was != `""` {
			fresh = nil
		}
	}
	for _, m := range update {
		i := find(fresh, m.name)
		switch {
		case m.value == "null":
			continue
		case i < 0:
			i = len(fresh)
			fresh = append(fresh, member{m.name, nil})
		}
		switch v := m.value.(type) {
		case members:
			had, _ := fresh[i].value.(members)
			fresh[i].value = over(had, v)
		case elements:
			had, _ := fresh[i].value.(elements)
			had = slices.Clone(had)
			if had == nil {
				had = elements{}
			}
			for _, e := range v {
				k := slices.IndexFunc(had, func(h members) bool { return h[0].value == e[0].value })
				if k < 0 {
					k = len(had)
					had = append(had, nil)
				}
				had[k] = over(had[k], e)
			}
			fresh[i].value = had
		default:
			fresh[i].value = v
		}
	}
	return fresh
}

// writer writes trees as JSON; the zero writer writes them like a server.
type writer struct {
	rnd   *rand.Rand // random order, white space and escapes; nil: none
	alone bool       // lists of one element are written as the element
}

// wild returns a writer whose style comes from rapid.
func wild(t *rapid.T) *writer {
	seed := rapid.Uint64().Draw(t, "style")
	if seed%4 == 0 {
		return &writer{}
	}
	return &writer{rnd: rand.New(rand.NewPCG(seed, 1)), alone: seed%2 == 0}
}

// payload writes a whole message.
func (w *writer) payload(root string, items ...members) string {
	return w.space(`{` + w.name("data") + `:` + w.space(`{`+w.name(root)+`:`+w.list(items)+`}`) + `}`)
}

func (w *writer) value(v any) string {
	switch v := v.(type) {
	case members:
		return w.object(v)
	case elements:
		return w.list(v)
	}
	return w.space(v.(string))
}

func (w *writer) list(list elements) string {
	if len(list) == 1 && w.alone {
		return w.object(list[0])
	}
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = w.object(e)
	}
	return w.space(`[` + strings.Join(parts, ",") + `]`)
}

func (w *writer) object(ms members) string {
	parts := make([]string, 0, len(ms)+1)
	for _, m := range ms {
		parts = append(parts, w.name(m.name)+w.space("")+":"+w.value(m.value))
	}
	if w.rnd != nil {
		parts = append(parts, `"unknown":{"a":[1,{"b":null}],"c":"}]\"","d":-1.5e-3,"e":false}`)
		w.rnd.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
	}
	return w.space(`{` + strings.Join(parts, ",") + `}`)
}

func (w *writer) space(s string) string {
	if w.rnd == nil || w.rnd.IntN(4) > 0 {
		return s
	}
	return "\n " + s + "\t\r"
}

// name writes a key, sometimes with every character escaped.
func (w *writer) name(s string) string {
	if w.rnd == nil || w.rnd.IntN(4) > 0 {
		b, _ := json.Marshal(s) //nolint:errchkjson // a string always marshals
		return string(b)
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, `\u%04x`, u)
	}
	b.WriteByte('"')
	return b.String()
}

// full returns the n-th record of a subscription with a value in every field.
func full(s subject, n int) members {
	update := s.key(n)
	for _, m := range fullObject(s.typ, n) {
		if !slices.Contains(s.keys, m.name) {
			update = append(update, m)
		}
	}
	return update
}

func fullObject(t reflect.Type, n int) members {
	var ms members
	tagged(t, func(name string, typ reflect.Type) {
		switch pool := pools[typ]; {
		case pool != nil:
			ms = append(ms, member{name, pool[(len(ms)+n)%min(len(pool), 5)]})
		case typ.Kind() == reflect.Slice:
			first, second := fullObject(typ.Elem(), n), fullObject(typ.Elem(), n+1)
			first[0].value, second[0].value = `"a"`, `"b"`
			ms = append(ms, member{name, elements{first, second}})
		default:
			ms = append(ms, member{name, fullObject(typ, n)})
		}
	})
	return ms
}
