package dialect

import (
	"encoding/json"
	"errors"
	"slices"

	"wallboard/feeds/graphql"
)

// Introspection is the query for the parts of the schema that a dialect needs:
// the root fields, their filters, and the fields of the types.
const Introspection = `query Roots { __schema {
queryType { fields { ...root } } subscriptionType { fields { ...root } }
types { name kind possibleTypes { name } fields { name type { ...deep } args { name defaultValue type { ...t } } } } } }
fragment root on __Field { name type { ...deep } args { name type { ...deep } } }
fragment deep on __Type { ...t ofType { ...t ofType { ...t ofType { ...t } } } }
fragment t on __Type { kind name }`

// serverSchema is the part of the server's schema that a dialect needs.
type serverSchema struct {
	roots           map[string]string // query root -> subscription root
	filterTypes     map[string]string // query root -> type of its filter
	filterArguments map[string]string // query root -> name of its filter argument
	resultTypes     map[string]string // query root -> its result type
	types           map[string]*serverType
}

// serverType is an object type with its fields or an abstract type with its possible types.
type serverType struct {
	kind          string
	fields        map[string]serverField
	possibleTypes []string // member types of an interface or a union
}

// isComposite reports whether a field of this type must be requested with a selection of its
// members.
func (t *serverType) isComposite() bool {
	return t.kind == "OBJECT" || t.kind == "INTERFACE" || t.kind == "UNION"
}

type serverField struct {
	typ              string // name of the type, without list and non-null wrappers
	requiresArgument bool   // the field has a required argument
}

type typeReference struct {
	Kind   string         `json:"kind"`
	Name   string         `json:"name"`
	OfType *typeReference `json:"ofType"`
}

// baseName returns the type's name without list and non-null wrappers.
func (t *typeReference) baseName() string {
	for t.OfType != nil {
		t = t.OfType
	}
	return t.Name
}

// notation returns the type in GraphQL notation, such as [String!]!.
func (t *typeReference) notation() string {
	switch {
	case t.OfType == nil:
		return t.Name
	case t.Kind == "LIST":
		return "[" + t.OfType.notation() + "]"
	}
	return t.OfType.notation() + "!"
}

type schemaField struct {
	Name string           `json:"name"`
	Type typeReference    `json:"type"`
	Args []schemaArgument `json:"args"`
}

type schemaArgument struct {
	Name    string        `json:"name"`
	Default *string       `json:"defaultValue"`
	Type    typeReference `json:"type"`
}

type typeDefinition struct {
	Name          string          `json:"name"`
	Kind          string          `json:"kind"`
	PossibleTypes []typeReference `json:"possibleTypes"`
	Fields        []schemaField   `json:"fields"`
}

// maxPossibleTypes limits how many possible types of an interface or union are read.
const maxPossibleTypes = 256

func (d *typeDefinition) serverType() *serverType {
	t := &serverType{kind: d.Kind, fields: make(map[string]serverField, len(d.Fields))}
	for i := range d.PossibleTypes[:min(len(d.PossibleTypes), maxPossibleTypes)] {
		t.possibleTypes = append(t.possibleTypes, d.PossibleTypes[i].Name)
	}
	for i := range d.Fields {
		n := &d.Fields[i]
		field := serverField{typ: n.Type.baseName()}
		for j := range n.Args {
			field.requiresArgument = field.requiresArgument || n.Args[j].Type.Kind == "NON_NULL" && n.Args[j].Default == nil
		}
		t.fields[n.Name] = field
	}
	return t
}

// errNoSchema means that the answer to the introspection query contains no readable schema.
var errNoSchema = errors.New("the answer to the introspection is not understood")

// parseSchema parses the answer to the [Introspection] query.
func parseSchema(payload []byte) (*serverSchema, error) {
	var answer struct {
		Data struct {
			Schema struct {
				Query        typeDefinition   `json:"queryType"`
				Subscription typeDefinition   `json:"subscriptionType"`
				Types        []typeDefinition `json:"types"`
			} `json:"__schema"`
		} `json:"data"`
	}
	if json.Unmarshal(payload, &answer) != nil || len(answer.Data.Schema.Query.Fields) == 0 {
		return nil, errNoSchema
	}
	schema := &answer.Data.Schema
	x := &serverSchema{
		roots:       subscriptionRoots(schema.Query.Fields, schema.Subscription.Fields),
		filterTypes: make(map[string]string), filterArguments: make(map[string]string), resultTypes: make(map[string]string), types: make(map[string]*serverType),
	}
	for _, q := range schema.Query.Fields {
		x.resultTypes[q.Name] = q.Type.baseName()
	}
	for i := range schema.Types {
		x.types[schema.Types[i].Name] = schema.Types[i].serverType()
	}
	for i := range schema.Query.Fields {
		x.readFilterArgument(&schema.Query.Fields[i])
	}
	return x, nil
}

// readFilterArgument records the filter argument of the query q: the argument with document 2's
// name, or else the only argument that is an input object, or else the only argument.
func (s *serverSchema) readFilterArgument(q *schemaField) {
	var objects []int
	for i, a := range q.Args {
		if t := s.types[a.Type.baseName()]; t != nil && t.kind == "INPUT_OBJECT" {
			objects = append(objects, i)
		}
	}
	at := slices.IndexFunc(q.Args, func(a schemaArgument) bool { return a.Name == defaultFilterArgument })
	switch {
	case at >= 0:
	case len(objects) == 1:
		at = objects[0]
	case len(q.Args) == 1:
		at = 0
	default:
		return
	}
	s.filterArguments[q.Name], s.filterTypes[q.Name] = q.Args[at].Name, q.Args[at].Type.notation()
}

// CheckSchema returns an error if payload, the answer to the [Introspection] query, contains no
// schema.
func CheckSchema(payload []byte) error {
	_, err := parseSchema(payload)
	return err
}

// ReadSchema reads the schema from payload, the answer to the [Introspection] query. It returns an
// error if payload contains no schema.
func (d *Dialect) ReadSchema(payload []byte) error {
	x, err := parseSchema(payload)
	if err == nil {
		d.schema = x
	}
	return err
}

// AdaptToSchema adapts the requests of an operation to the server's schema. root is the current
// root field of the subscription. name is the root field to use from now on, or "" if root remains.
// isNew is true if the requested fields or the filter argument have changed.
func (d *Dialect) AdaptToSchema(doc *graphql.Document, root string) (name string, isNew bool) {
	x, op := d.schema, doc.Root
	if x == nil {
		return "", false
	}
	if name = x.roots[op]; name == "" || name == root || d.pinned.Roots[op] != "" {
		name = ""
	} else {
		d.learnRoot(op, name)
	}
	if doc.Filtered && d.pinned.Argument == "" && d.profile.learnArgument(op, []string{x.filterArguments[op]}) {
		d.hasUnsavedChanges, isNew = true, true
	}
	for range maxSchemaPasses { // an added type may have fields of further types
		var fits selectionFixes
		x.checkRecords(parseFields(d.selection(doc)), x.resultTypes[op], &fits)
		inside := d.learnPaths(d.profile.ObjectMembers, d.pinned.ObjectMembers, op, fits.objectMembers)
		if !d.AddMissingFields(doc, fits.missingFields, fits.types) && !inside {
			break
		}
		isNew = true
	}
	return name, isNew
}

// maxSchemaPasses limits how many times a selection is compared with the schema; each pass may add
// types nested in types added before.
const maxSchemaPasses = 4
