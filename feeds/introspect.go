package feeds

import (
	"encoding/json"
	"errors"
	"time"
)

// introspection asks for what a document needs: the roots, their filters, and
// the fields of the types.
const introspection = `query Roots { __schema {
queryType { fields { ...root } } subscriptionType { fields { ...root } }
types { name kind possibleTypes { name } fields { name type { ...deep } args { name defaultValue type { ...t } } } } } }
fragment root on __Field { name type { ...deep } args { name type { ...deep } } }
fragment deep on __Type { ...t ofType { ...t ofType { ...t ofType { ...t } } } }
fragment t on __Type { kind name }`

// introspectionPatience is how long a refused operation waits for the schema.
const introspectionPatience = 5 * time.Second

// serverSchema is what the server's introspection says.
type serverSchema struct {
	roots   map[string]string // query root -> subscription root
	filters map[string]string // query root -> the type of its filter
	results map[string]string // query root -> its result type
	types   map[string]*serverType
}

// serverType is a type that has fields, or of which there are several.
type serverType struct {
	kind     string
	fields   map[string]serverField
	possible []string // of an interface or a union
}

// composite reports whether a field of the type needs a selection.
func (t *serverType) composite() bool {
	return t.kind == "OBJECT" || t.kind == "INTERFACE" || t.kind == "UNION"
}

type serverField struct {
	typ      string // inside lists and non-nulls
	required bool   // it has an argument that must be given
}

// askSchema asks for the server's schema, once per connection.
func (f *Feed) askSchema() {
	if f.learnt || f.conn == nil {
		return
	}
	f.learnt = true
	if id, err := f.conn.Subscribe(introspection, nil); err == nil {
		f.asking, f.askedAt = id, f.now()
	}
}

// awaitsSchema reports whether the schema was asked for and may still come.
func (f *Feed) awaitsSchema() bool {
	return f.asking != "" && f.now().Sub(f.askedAt) < introspectionPatience
}

// learnSchema takes the answer to the introspection over; nil is a refusal. What
// waited for it is tried again.
func (f *Feed) learnSchema(payload []byte) {
	f.asking = ""
	x, err := parseSchema(payload)
	if err != nil {
		f.log.Info("the server does not show its schema", "reason", f.clean(err.Error()))
	} else {
		f.speech.asked = x
	}
	now := f.now()
	for _, s := range f.subs {
		if f.schemaSays(s) || s.refusedAt(now) {
			s.retryAt = time.Time{}
			s.step(now)
		}
	}
}

// schemaSays adapts a subscription to the schema and reports whether that changed
// anything.
func (f *Feed) schemaSays(s *sub) bool {
	x := f.speech.asked
	if x == nil {
		return false
	}
	changed := false
	op := s.doc.Root
	if name := x.roots[op]; name != "" && name != s.subRoot && f.speech.pinned.Roots[op] == "" {
		f.log.Info("subscription root found", "operation", op, "root", name)
		f.speech.learnRoot(op, name)
		s.subRoot, changed = name, true
	}
	for range maxPasses { // a type that is added has fields of its own
		var fits fit
		x.fit(parseFields(f.speech.selection(&s.doc)), x.results[op], &fits)
		news := f.speech.learn(f.speech.known.Inside, f.speech.pinned.Inside, op, fits.inside)
		if news = f.lacking(s, &complaint{lacks: fits.lacks, types: fits.types}) || news; !news {
			break
		}
		changed = true
	}
	return changed
}

// maxPasses bounds how deep types are found in types.
const maxPasses = 4

type schemaType struct {
	Kind   string      `json:"kind"`
	Name   string      `json:"name"`
	OfType *schemaType `json:"ofType"`
}

// named returns the name of the type inside lists and non-nulls.
func (t *schemaType) named() string {
	for t.OfType != nil {
		t = t.OfType
	}
	return t.Name
}

// text writes the type as a document does.
func (t *schemaType) text() string {
	switch {
	case t.OfType == nil:
		return t.Name
	case t.Kind == "LIST":
		return "[" + t.OfType.text() + "]"
	}
	return t.OfType.text() + "!"
}

type schemaField struct {
	Name string     `json:"name"`
	Type schemaType `json:"type"`
	Args []struct {
		Name    string     `json:"name"`
		Default *string    `json:"defaultValue"`
		Type    schemaType `json:"type"`
	} `json:"args"`
}

type schemaRoot struct {
	Name     string        `json:"name"`
	Kind     string        `json:"kind"`
	Possible []schemaType  `json:"possibleTypes"`
	Fields   []schemaField `json:"fields"`
}

// maxPossible bounds the types that an interface or a union may be of.
const maxPossible = 256

// read returns the type as it is used here.
func (r *schemaRoot) read() *serverType {
	t := &serverType{kind: r.Kind, fields: make(map[string]serverField, len(r.Fields))}
	for i := range r.Possible[:min(len(r.Possible), maxPossible)] {
		t.possible = append(t.possible, r.Possible[i].Name)
	}
	for i := range r.Fields {
		n := &r.Fields[i]
		field := serverField{typ: n.Type.named()}
		for j := range n.Args {
			field.required = field.required || n.Args[j].Type.Kind == "NON_NULL" && n.Args[j].Default == nil
		}
		t.fields[n.Name] = field
	}
	return t
}

// errNoSchema says that the server keeps its schema to itself.
var errNoSchema = errors.New("the answer to the introspection is not understood")

// parseSchema reads the answer to the introspection.
func parseSchema(payload []byte) (*serverSchema, error) {
	var answer struct {
		Data struct {
			Schema struct {
				Query        schemaRoot   `json:"queryType"`
				Subscription schemaRoot   `json:"subscriptionType"`
				Types        []schemaRoot `json:"types"`
			} `json:"__schema"`
		} `json:"data"`
	}
	if json.Unmarshal(payload, &answer) != nil || len(answer.Data.Schema.Query.Fields) == 0 {
		return nil, errNoSchema
	}
	from := &answer.Data.Schema
	x := &serverSchema{
		roots:   subscriptionRoots(from.Query.Fields, from.Subscription.Fields),
		filters: make(map[string]string), results: make(map[string]string), types: make(map[string]*serverType),
	}
	for _, q := range from.Query.Fields {
		x.results[q.Name] = q.Type.named()
		for _, a := range q.Args {
			if a.Name == "filter" {
				x.filters[q.Name] = a.Type.text()
			}
		}
	}
	for i := range from.Types {
		x.types[from.Types[i].Name] = from.Types[i].read()
	}
	return x, nil
}
