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

	"wallboard/internal/simulator/webservice"
)

// Shapes that a field can have in place of its shape in document 2. [Switches.Shapes] assigns
// them to fields, as Type.field=shape.
const (
	ShapeObject   = "object"   // an object with a member id, or a list of such objects
	ShapeList     = "list"     // a list with the value as its only element
	ShapeScalar   = "scalar"   // the value of the first member of the object
	ShapeArgument = "argument" // the shape of document 2, but the field has a required argument
)

// clientSchema is the schema that clients see if it differs from the executed schema. It
// validates requests, and translates requests and answers between the two schemas.
type clientSchema struct {
	shapes          map[string]string // shapes of fields by Type.field
	members         map[string]string // by Type.field: the object member whose value a field of ShapeScalar returns
	schema          *ast.Schema
	introspection   []byte            // data of the answer to every introspection
	filterArgument  string            // name of the filter argument in this schema
	documentedNames map[string]string // subscription names of document 2 by their name in this schema
	rules           *rules.Rules      // rules for validating requests
}

// newClientSchema returns the client schema for the executed schema sdl, with the shapes and names
// that switches select. It returns nil if they change nothing.
func newClientSchema(sdl string, switches *Switches) (*clientSchema, error) {
	filter := cmp.Or(switches.Rules.FilterArgument, DefaultFilterArgument)
	if len(switches.Shapes) == 0 && filter == DefaultFilterArgument && switches.Rules.RootNames == "" && !switches.RenamedRoots {
		return nil, nil //nolint:nilnil // clients see the executed schema
	}
	doc, err := parser.ParseSchema(&ast.Source{Input: sdl})
	if err != nil {
		return nil, fmt.Errorf("shapes: %w", err)
	}
	f := &clientSchema{shapes: make(map[string]string), members: make(map[string]string), filterArgument: filter, documentedNames: make(map[string]string), rules: rules.NewDefaultRules()}
	f.renameFilters(doc)
	if switches.RenamedRoots {
		f.renameRoots(doc, renamedRoot)
		f.rules.ReplaceRule(rules.FieldsOnCorrectTypeRule.Name, rules.FieldsOnCorrectTypeRuleWithoutSuggestions.RuleFunc)
	} else if before, after, ok := strings.Cut(switches.Rules.RootNames, "*"); ok {
		f.renameRoots(doc, func(query string) string { return before + query + after })
	}
	var errs []error
	for _, s := range switches.Shapes {
		if err := f.changeShape(doc, s); err != nil {
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
	parsed, err := graphql.ParseSchema(b.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("shapes: %w", err)
	}
	text, err := parsed.ToJSON()
	if err != nil {
		return nil, fmt.Errorf("shapes: %w", err)
	}
	f.introspection, err = completeRoots(text)
	if err != nil {
		return nil, fmt.Errorf("shapes: %w", err)
	}
	return f, nil
}

// completeRoots replaces the root types in the data of an introspection with their
// definitions, because graphql-go writes only their names.
func completeRoots(text []byte) ([]byte, error) {
	var m struct {
		Schema map[string]any `json:"__schema"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
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
	return json.Marshal(map[string]any{"__schema": m.Schema})
}

// changeShape changes the shape of a field in the schema doc. text has the form Type.field=shape.
func (f *clientSchema) changeShape(doc *ast.SchemaDocument, text string) error {
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
		setElementType(field.Type, ref)
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

// renameFilters renames the filter arguments in the schema doc to f.filterArgument.
func (f *clientSchema) renameFilters(doc *ast.SchemaDocument) {
	for _, root := range []string{"Query", "Subscription"} {
		for _, field := range doc.Definitions.ForName(root).Fields {
			if arg := field.Arguments.ForName(DefaultFilterArgument); arg != nil {
				arg.Name = f.filterArgument
			}
		}
	}
}

// renameRoots renames the subscriptions in the schema doc. newName returns the new name of the
// subscription with the name of a query.
func (f *clientSchema) renameRoots(doc *ast.SchemaDocument, newName func(query string) string) {
	for _, field := range doc.Definitions.ForName("Subscription").Fields {
		name := newName(field.Name)
		f.documentedNames[name], field.Name = field.Name, name
	}
}

// restoreNames replaces the client schema's names of filter arguments and subscriptions with
// those of the executed schema.
func (f *clientSchema) restoreNames(set ast.SelectionSet) {
	for _, sel := range set {
		if field, ok := sel.(*ast.Field); ok {
			if arg := field.Arguments.ForName(f.filterArgument); arg != nil {
				arg.Name = DefaultFilterArgument
			}
			if name := f.documentedNames[field.Name]; name != "" {
				field.Name = name
			}
		}
	}
}

// setElementType sets the innermost element type of the list type t. If t is not a list, it
// sets the name of t.
func setElementType(t *ast.Type, name string) {
	for t.Elem != nil {
		t = t.Elem
	}
	t.NamedType = name
}

// answerConversion describes how to convert a field of an answer from the executed schema to the
// client schema. children maps response keys to the conversions of the field's members.
type answerConversion struct {
	shape    string
	idKeys   []string // response keys under which the request selects the member id
	children map[string]*answerConversion
}

// translateRequest validates a request against the client schema and rewrites it for the executed
// schema. It returns the rewritten request, the conversion of the answer (nil: none is necessary), and
// the errors of an invalid request. If f is nil, or for an introspection, it returns req unchanged.
func (f *clientSchema) translateRequest(req webservice.Request, introspects bool) (webservice.Request, *answerConversion, json.RawMessage) {
	if f == nil || introspects {
		return req, nil, nil
	}
	doc, err := gqlparser.LoadQueryWithRules(f.schema, req.Query, f.rules)
	if err != nil {
		return req, nil, webservice.JSON(err)
	}
	top := &answerConversion{children: make(map[string]*answerConversion)}
	for _, op := range doc.Operations {
		f.restoreNames(op.SelectionSet)
		f.translateSelection(op.SelectionSet, top)
	}
	for _, fr := range doc.Fragments {
		f.translateSelection(fr.SelectionSet, top)
	}
	// Remove unused fragments, which occurred only in the selections of objects that the
	// executed schema does not have.
	spread := make(map[string]bool)
	for _, op := range doc.Operations {
		collectFragments(op.SelectionSet, doc, spread)
	}
	doc.Fragments = slices.DeleteFunc(doc.Fragments, func(fr *ast.FragmentDefinition) bool { return !spread[fr.Name] })
	var b bytes.Buffer
	formatter.NewFormatter(&b).FormatQueryDocument(doc)
	req.Query = b.String()
	if len(f.shapes) == 0 {
		return req, nil, nil
	}
	return req, top, nil
}

// collectFragments adds the fragments that a selection set uses, directly or through other
// fragments, to names.
func collectFragments(set ast.SelectionSet, doc *ast.QueryDocument, names map[string]bool) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.InlineFragment:
			collectFragments(sel.SelectionSet, doc, names)
		case *ast.Field:
			collectFragments(sel.SelectionSet, doc, names)
		case *ast.FragmentSpread:
			if fr := doc.Fragments.ForName(sel.Name); fr != nil && !names[sel.Name] {
				names[sel.Name] = true
				collectFragments(fr.SelectionSet, doc, names)
			}
		}
	}
}

// translateSelection rewrites a selection set for the executed schema. It records the
// conversions of the answer's members in parent.
func (f *clientSchema) translateSelection(set ast.SelectionSet, parent *answerConversion) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.InlineFragment:
			f.translateSelection(sel.SelectionSet, parent)
		case *ast.Field:
			node := parent.children[sel.Alias]
			if node == nil {
				node = &answerConversion{children: make(map[string]*answerConversion)}
				parent.children[sel.Alias] = node
			}
			if sel.ObjectDefinition != nil {
				node.shape = f.shapes[sel.ObjectDefinition.Name+"."+sel.Name]
			}
			switch node.shape {
			case ShapeObject:
				for _, child := range sel.SelectionSet {
					if k, ok := child.(*ast.Field); ok && k.Name == "id" && !slices.Contains(node.idKeys, k.Alias) {
						node.idKeys = append(node.idKeys, k.Alias)
					}
				}
				sel.SelectionSet = nil
			case ShapeScalar:
				sel.SelectionSet = ast.SelectionSet{&ast.Field{Alias: "first", Name: f.members[sel.ObjectDefinition.Name+"."+sel.Name]}}
			case ShapeArgument:
				sel.Arguments = nil
			}
			f.translateSelection(sel.SelectionSet, node)
		}
	}
}

// convertAnswer converts the body of an answer from the executed schema to the client schema.
func (r *answerConversion) convertAnswer(body []byte) []byte {
	if r == nil {
		return body
	}
	var m map[string]any
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if dec.Decode(&m) != nil || m["data"] == nil {
		return body
	}
	m["data"] = r.convertValue(m["data"])
	return webservice.JSON(m)
}

func (r *answerConversion) convertValue(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = r.convertValue(v[i])
		}
		return v
	case map[string]any:
		if r.shape == ShapeScalar {
			return v["first"]
		}
		for key, node := range r.children {
			if e, ok := v[key]; ok && e != nil {
				v[key] = node.convertValue(e)
			}
		}
		return v
	case nil:
		return nil
	}
	switch r.shape {
	case ShapeObject:
		object := make(map[string]any, len(r.idKeys))
		for _, name := range r.idKeys {
			object[name] = v
		}
		return object
	case ShapeList:
		return []any{v}
	}
	return v
}
