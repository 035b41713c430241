package rtd

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"wallboard/simulator/wire"
)

// The shapes that a field may have on a server in the place of the one that
// document 2 shows ([Switches.Shapes], as Type.field=shape).
const (
	ShapeObject   = "object"   // an object with the member id, or a list of such objects
	ShapeList     = "list"     // a list with one element
	ShapeScalar   = "scalar"   // the first member of the object
	ShapeArgument = "argument" // it has a required argument
)

// facade is a schema with other shapes in front of the one that is executed: a
// request is checked against it, translated, and its answer is translated back.
type facade struct {
	shapes  map[string]string // by Type.field
	members map[string]string // which member a scalar is, by Type.field
	schema  *ast.Schema
	shown   []byte            // to introspections
	filter  string            // the name of the argument that carries a filter
	roots   map[string]string // subscriptions by the name that they have instead
}

// newFacade returns nil when every field has the shape of document 2, and the
// argument that carries a filter its name.
func newFacade(sdl string, shapes []string, rules Rules) (*facade, error) {
	filter := cmp.Or(rules.FilterArgument, DefaultFilterArgument)
	if len(shapes) == 0 && filter == DefaultFilterArgument && rules.RootNames == "" {
		return nil, nil //nolint:nilnil // no facade, no mistake
	}
	doc, err := parser.ParseSchema(&ast.Source{Input: sdl})
	if err != nil {
		return nil, fmt.Errorf("shapes: %w", err)
	}
	f := &facade{shapes: make(map[string]string), members: make(map[string]string), filter: filter, roots: make(map[string]string)}
	f.renameFilters(doc)
	f.renameRoots(doc, rules.RootNames)
	var errs []error
	for _, s := range shapes {
		if err := f.shape(doc, s); err != nil {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	formatter.NewFormatter(&b).FormatSchemaDocument(doc)
	if f.schema, err = gqlparser.LoadSchema(&ast.Source{Input: b.String()}); err != nil {
		return nil, fmt.Errorf("shapes: %w", err)
	}
	shown, err := graphql.ParseSchema(b.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("shapes: %w", err)
	}
	text, err := shown.ToJSON()
	if err != nil {
		return nil, fmt.Errorf("shapes: %w", err)
	}
	f.shown, err = wholeRoots(text)
	if err != nil {
		return nil, fmt.Errorf("shapes: %w", err)
	}
	return f, nil
}

// wholeRoots writes the root types of a schema out where only their names are.
func wholeRoots(text []byte) ([]byte, error) {
	var m struct {
		Schema map[string]any `json:"__schema"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err //nolint:wrapcheck // the caller does
	}
	types, _ := m.Schema["types"].([]any)
	for _, root := range []string{"queryType", "mutationType", "subscriptionType"} {
		for _, t := range types {
			named, _ := m.Schema[root].(map[string]any)
			if typ, _ := t.(map[string]any); named != nil && typ["name"] == named["name"] {
				m.Schema[root] = typ
			}
		}
	}
	return json.Marshal(map[string]any{"__schema": m.Schema}) //nolint:wrapcheck // it marshals
}

// shape gives one field another shape.
func (f *facade) shape(doc *ast.SchemaDocument, text string) error {
	path, shape, _ := strings.Cut(text, "=")
	typ, name, _ := strings.Cut(path, ".")
	def := doc.Definitions.ForName(typ)
	if def == nil || def.Fields.ForName(name) == nil {
		return fmt.Errorf("shape %q: the schema has no such field", text)
	}
	field := def.Fields.ForName(name)
	inner := doc.Definitions.ForName(field.Type.Name())
	leaf := inner == nil || inner.Kind != ast.Object
	switch {
	case shape == ShapeObject && leaf:
		ref := strings.ToUpper(name[:1]) + name[1:] + "Of" + typ
		doc.Definitions = append(doc.Definitions, &ast.Definition{Kind: ast.Object, Name: ref, Fields: ast.FieldList{
			{Name: "id", Type: ast.NamedType(field.Type.Name(), nil)},
			{Name: "self", Type: ast.NamedType(ref, nil)},
		}})
		rename(field.Type, ref)
	case shape == ShapeList && leaf && field.Type.Elem == nil:
		field.Type = ast.ListType(field.Type, nil)
	case shape == ShapeScalar && inner != nil && inner.Kind == ast.Object && field.Type.Elem == nil:
		field.Type, f.members[path] = ast.NamedType(inner.Fields[0].Type.Name(), nil), inner.Fields[0].Name
	case shape == ShapeArgument:
		field.Arguments = ast.ArgumentDefinitionList{{Name: "unit", Type: ast.NonNullNamedType("String", nil)}}
	default:
		return fmt.Errorf("shape %q: want %s, %s, %s or %s, as the field allows", text, ShapeObject, ShapeList, ShapeScalar, ShapeArgument)
	}
	f.shapes[path] = shape
	return nil
}

// renameFilters gives the argument that carries a filter its name.
func (f *facade) renameFilters(doc *ast.SchemaDocument) {
	for _, root := range []string{"Query", "Subscription"} {
		for _, field := range doc.Definitions.ForName(root).Fields {
			if arg := field.Arguments.ForName(DefaultFilterArgument); arg != nil {
				arg.Name = f.filter
			}
		}
	}
}

// renameRoots gives the subscriptions names of a form, with a * for the name of the
// query; "" leaves them as they are.
func (f *facade) renameRoots(doc *ast.SchemaDocument, form string) {
	if form == "" {
		return
	}
	before, after, _ := strings.Cut(form, "*")
	for _, field := range doc.Definitions.ForName("Subscription").Fields {
		name := before + field.Name + after
		f.roots[name], field.Name = field.Name, name
	}
}

// restoreFilters gives it, and the subscriptions, the names of the schema behind.
func (f *facade) restoreFilters(set ast.SelectionSet) {
	for _, sel := range set {
		if field, ok := sel.(*ast.Field); ok {
			if arg := field.Arguments.ForName(f.filter); arg != nil {
				arg.Name = DefaultFilterArgument
			}
			if name := f.roots[field.Name]; name != "" {
				field.Name = name
			}
		}
	}
}

// rename gives a type another name inside its lists.
func rename(t *ast.Type, name string) {
	for t.Elem != nil {
		t = t.Elem
	}
	t.NamedType = name
}

// reshaped is what has to be done to the data of an answer, by response key.
type reshaped struct {
	shape string
	named []string // the members that were asked for
	below map[string]*reshaped
}

// translate turns a request to the facade into one to the schema behind it.
func (f *facade) translate(req wire.Request, introspects bool) (wire.Request, *reshaped, json.RawMessage) {
	if f == nil || introspects {
		return req, nil, nil
	}
	doc, err := gqlparser.LoadQueryWithRules(f.schema, req.Query, rules.NewDefaultRules())
	if err != nil {
		return req, nil, wire.JSON(err)
	}
	top := &reshaped{below: make(map[string]*reshaped)}
	for _, op := range doc.Operations {
		f.restoreFilters(op.SelectionSet)
		f.walk(op.SelectionSet, top)
	}
	for _, fr := range doc.Fragments {
		f.walk(fr.SelectionSet, top)
	}
	// Who asked within an object that the schema behind does not have asked for nothing there.
	spread := make(map[string]bool)
	for _, op := range doc.Operations {
		spreads(op.SelectionSet, doc, spread)
	}
	doc.Fragments = slices.DeleteFunc(doc.Fragments, func(fr *ast.FragmentDefinition) bool { return !spread[fr.Name] })
	var b bytes.Buffer
	formatter.NewFormatter(&b).FormatQueryDocument(doc)
	req.Query = b.String()
	return req, top, nil
}

// spreads collects the names of the fragments that are still asked for.
func spreads(set ast.SelectionSet, doc *ast.QueryDocument, names map[string]bool) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.InlineFragment:
			spreads(sel.SelectionSet, doc, names)
		case *ast.Field:
			spreads(sel.SelectionSet, doc, names)
		case *ast.FragmentSpread:
			if fr := doc.Fragments.ForName(sel.Name); fr != nil && !names[sel.Name] {
				names[sel.Name] = true
				spreads(fr.SelectionSet, doc, names)
			}
		}
	}
}

func (f *facade) walk(set ast.SelectionSet, above *reshaped) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.InlineFragment:
			f.walk(sel.SelectionSet, above)
		case *ast.Field:
			node := above.below[sel.Alias]
			if node == nil {
				node = &reshaped{below: make(map[string]*reshaped)}
				above.below[sel.Alias] = node
			}
			if sel.ObjectDefinition != nil {
				node.shape = f.shapes[sel.ObjectDefinition.Name+"."+sel.Name]
			}
			switch node.shape {
			case ShapeObject:
				for _, kid := range sel.SelectionSet {
					if k, ok := kid.(*ast.Field); ok && k.Name == "id" && !slices.Contains(node.named, k.Alias) {
						node.named = append(node.named, k.Alias)
					}
				}
				sel.SelectionSet = nil
			case ShapeScalar:
				sel.SelectionSet = ast.SelectionSet{&ast.Field{Alias: "first", Name: f.first(sel)}}
			case ShapeArgument:
				sel.Arguments = nil
			}
			f.walk(sel.SelectionSet, node)
		}
	}
}

// first is the name of the first member of the object behind a scalar.
func (f *facade) first(sel *ast.Field) string {
	return f.members[sel.ObjectDefinition.Name+"."+sel.Name]
}

// restore turns the body of an answer into what the facade promises.
func (r *reshaped) restore(body []byte) []byte {
	if r == nil {
		return body
	}
	var m map[string]any
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if dec.Decode(&m) != nil || m["data"] == nil {
		return body
	}
	m["data"] = r.of(m["data"])
	return wire.JSON(m)
}

func (r *reshaped) of(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = r.of(v[i])
		}
		return v
	case map[string]any:
		if r.shape == ShapeScalar {
			return v["first"]
		}
		for key, node := range r.below {
			if e, ok := v[key]; ok && e != nil {
				v[key] = node.of(e)
			}
		}
		return v
	case nil:
		return nil
	}
	switch r.shape {
	case ShapeObject:
		object := make(map[string]any, len(r.named))
		for _, name := range r.named {
			object[name] = v
		}
		return object
	case ShapeList:
		return []any{v}
	}
	return v
}

// FieldsOf returns the fields of a type of document 2.
func FieldsOf(typ string) []string {
	doc, err := parser.ParseSchema(&ast.Source{Input: schemaSDL})
	if err != nil {
		panic(err) // the schema is our own
	}
	var names []string
	for _, f := range doc.Definitions.ForName(typ).Fields {
		names = append(names, f.Name)
	}
	return names
}
