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
types { name fields { name type { ...deep } } } } }
fragment root on __Field { name type { ...deep } args { name type { ...deep } } }
fragment deep on __Type { ...t ofType { ...t ofType { ...t ofType { ...t } } } }
fragment t on __Type { kind name }`

// introspectionPatience is how long a refused operation waits for the schema.
const introspectionPatience = 5 * time.Second

// serverSchema is what the server's introspection says.
type serverSchema struct {
	roots   map[string]string            // query root -> subscription root
	filters map[string]string            // query root -> the type of its filter
	types   map[string]string            // query root -> its result type
	fields  map[string]map[string]string // type -> field -> the field's type
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

// awaitsSchema tells whether the schema was asked for and may still come.
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

// schemaSays adapts a subscription to the schema and tells whether that changed
// anything.
func (f *Feed) schemaSays(s *sub) bool {
	x := f.speech.asked
	if x == nil {
		return false
	}
	changed := false
	op := s.doc.root
	if name := x.roots[op]; name != "" && name != s.subRoot && f.speech.pinned.Roots[op] == "" {
		f.log.Info("subscription root found", "operation", op, "root", name)
		f.speech.learnRoot(op, name)
		s.subRoot, changed = name, true
	}
	if t := x.types[op]; t != "" {
		changed = f.lacking(s, x.missing(parseFields(s.doc.selection), t)) || changed
	}
	return changed
}

// missing returns the fields of a selection that a type does not have.
func (x *serverSchema) missing(set []field, typ string) []string {
	have := x.fields[typ]
	if have == nil {
		return nil
	}
	var paths []string
	for i := range set {
		n := &set[i]
		if of := n.fragment(); of != "" {
			if x.fields[of] == nil {
				paths = append(paths, n.below()...)
			} else {
				paths = append(paths, x.missing(n.kids, of)...)
			}
			continue
		}
		t, ok := have[n.head]
		switch {
		case n.head == "__typename":
		case !ok:
			paths = append(paths, n.path)
		case len(n.kids) > 0 && x.fields[t] != nil:
			paths = append(paths, x.missing(n.kids, t)...)
		case len(n.kids) > 0: // a union: only its fragments say more
			for j := range n.kids {
				if of := n.kids[j].fragment(); of != "" {
					paths = append(paths, x.missing(n.kids[j:j+1], typ)...)
				}
			}
		}
	}
	return paths
}

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
		Name string     `json:"name"`
		Type schemaType `json:"type"`
	} `json:"args"`
}

type schemaRoot struct {
	Name   string        `json:"name"`
	Fields []schemaField `json:"fields"`
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
		filters: make(map[string]string), types: make(map[string]string), fields: make(map[string]map[string]string),
	}
	for _, q := range from.Query.Fields {
		x.types[q.Name] = q.Type.named()
		for _, a := range q.Args {
			if a.Name == "filter" {
				x.filters[q.Name] = a.Type.text()
			}
		}
	}
	for _, t := range from.Types {
		if len(t.Fields) == 0 {
			continue
		}
		x.fields[t.Name] = make(map[string]string, len(t.Fields))
		for _, n := range t.Fields {
			x.fields[t.Name][n.Name] = n.Type.named()
		}
	}
	return x, nil
}
