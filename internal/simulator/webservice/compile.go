package webservice

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// ErrNotSupported means that no [Plan] can be compiled for a selection or a Go type.
var ErrNotSupported = errors.New("not supported by a plan")

// Schema maps the type names of a schema to their definitions.
type Schema map[string]*ast.Definition

// NewSchema returns the types of a schema document.
func NewSchema(doc *ast.SchemaDocument) Schema {
	s := make(Schema, len(doc.Definitions))
	for _, d := range doc.Definitions {
		s[d.Name] = d
	}
	return s
}

// Compile returns the plan that encodes the result of an operation. graphql-go must have validated
// the operation. view is the Go type returned by the resolver. Errors wrap [ErrNotSupported].
func (s Schema) Compile(doc *ast.QueryDocument, op *ast.OperationDefinition, view reflect.Type) (*Plan, error) {
	if len(op.SelectionSet) != 1 || len(op.Directives) > 0 {
		return nil, fmt.Errorf("%w: the operation does not select exactly one plain field", ErrNotSupported)
	}
	root, ok := op.SelectionSet[0].(*ast.Field)
	if !ok || len(root.Directives) > 0 {
		return nil, fmt.Errorf("%w: the operation does not select exactly one plain field", ErrNotSupported)
	}
	roots := s[map[ast.Operation]string{ast.Query: "Query", ast.Subscription: "Subscription"}[op.Operation]]
	if roots == nil || roots.Fields.ForName(root.Name) == nil {
		return nil, fmt.Errorf("%w: %s %s", ErrNotSupported, op.Operation, root.Name)
	}
	def := roots.Fields.ForName(root.Name)
	c := compiler{Schema: s, fragments: doc.Fragments}
	to, err := c.valueNode(def.Type, view, []ast.SelectionSet{root.SelectionSet})
	if err != nil {
		return nil, err
	}
	return &Plan{alias: root.Alias, root: to}, nil
}

type compiler struct {
	Schema

	fragments ast.FragmentDefinitionList
}

// valueNode returns the node that encodes values of the schema type typ. goType is their Go
// type; a pointer represents a nullable type. sets are the selection sets of the field.
func (c *compiler) valueNode(typ *ast.Type, goType reflect.Type, sets []ast.SelectionSet) (node, error) {
	if goType.Kind() == reflect.Pointer {
		if typ.NonNull {
			return nil, fmt.Errorf("%w: unexpected pointer for %s", ErrNotSupported, typ)
		}
		to, err := c.nonNullNode(typ, goType.Elem(), sets)
		return optionalNode{to}, err
	}
	return c.nonNullNode(typ, goType, sets)
}

// nonNullNode is like valueNode, but goType must not be a pointer.
func (c *compiler) nonNullNode(typ *ast.Type, goType reflect.Type, sets []ast.SelectionSet) (node, error) {
	if typ.Elem != nil {
		if goType.Kind() != reflect.Slice {
			return nil, fmt.Errorf("%w: Go type %s cannot represent %s", ErrNotSupported, goType, typ)
		}
		elem, err := c.valueNode(typ.Elem, goType.Elem(), sets)
		return listNode{elem, typ.Elem.NonNull}, err
	}
	def := c.Schema[typ.NamedType]
	if def == nil {
		return leafNode(goType), nil
	}
	switch def.Kind {
	case ast.Scalar:
		return leafNode(goType), nil
	case ast.Enum:
		return enumNode(def, goType)
	case ast.Object:
		return c.objectNode(def, goType, sets)
	case ast.Union, ast.Interface:
		return c.unionNode(def, goType, sets)
	case ast.InputObject:
	}
	return nil, fmt.Errorf("%w: %s", ErrNotSupported, def.Kind)
}

func leafNode(goType reflect.Type) node {
	switch {
	case goType.Implements(reflect.TypeFor[Appender]()):
		return appenderNode{}
	case goType.Implements(reflect.TypeFor[json.Marshaler]()):
	case goType.Kind() == reflect.String:
		return textNode{}
	case goType.Kind() == reflect.Int64:
		return integerNode{}
	}
	return scalarNode{}
}

func enumNode(def *ast.Definition, goType reflect.Type) (node, error) {
	if goType != reflect.TypeFor[string]() {
		return nil, fmt.Errorf("%w: Go type %s cannot represent %s", ErrNotSupported, goType, def.Name)
	}
	e := enumValueNode{name: def.Name}
	for _, v := range def.EnumValues {
		e.values = append(e.values, v.Name)
	}
	return e, nil
}

// unionNode returns the node that encodes values of a union or interface type. goType must
// implement [Union].
func (c *compiler) unionNode(def *ast.Definition, goType reflect.Type, sets []ast.SelectionSet) (node, error) {
	pointer := reflect.PointerTo(goType)
	if !pointer.Implements(reflect.TypeFor[Union]()) {
		return nil, fmt.Errorf("%w: Go type %s cannot represent %s", ErrNotSupported, goType, def.Name)
	}
	u := make(unionNode)
	for _, member := range c.Schema {
		if member.Kind != ast.Object || !belongsTo(member, def) {
			continue
		}
		// graphql-go finds the members of a union by methods with these names.
		m, ok := pointer.MethodByName("To" + member.Name)
		if !ok {
			return nil, fmt.Errorf("%w: Go type %s has no method To%s", ErrNotSupported, goType, member.Name)
		}
		var err error
		if u[member.Name], err = c.objectNode(member, m.Type.Out(0).Elem(), sets); err != nil {
			return nil, err
		}
	}
	return u, nil
}

// belongsTo reports whether member is def, a member of the union def, or an implementation of
// the interface def.
func belongsTo(member, def *ast.Definition) bool {
	return member.Name == def.Name || slices.Contains(def.Types, member.Name) || slices.Contains(member.Interfaces, def.Name)
}

// objectNode returns the node that encodes the selected fields of a struct.
func (c *compiler) objectNode(def *ast.Definition, goType reflect.Type, sets []ast.SelectionSet) (node, error) {
	var wanted []*selectedField
	for _, set := range sets {
		var err error
		if wanted, err = c.collectFields(def, set, wanted); err != nil {
			return nil, err
		}
	}
	fields := make(objectNode, len(wanted))
	for i, s := range wanted {
		f, err := c.fieldNode(def, goType, s)
		if err != nil {
			return nil, err
		}
		f.alias, f.prefix = s.alias, `"`+s.alias+`":`
		if i > 0 {
			f.prefix = "," + f.prefix
		}
		fields[i] = f
	}
	return fields, nil
}

// selectedField is a field selected under an alias. It has a selection set for each occurrence
// of the field.
type selectedField struct {
	alias, name string
	sets        []ast.SelectionSet
}

// collectFields appends the fields that set selects for the object type def, including those
// of matching fragments, to selections. It returns the extended slice.
func (c *compiler) collectFields(def *ast.Definition, set ast.SelectionSet, selections []*selectedField) ([]*selectedField, error) {
	for _, sel := range set {
		var inner ast.SelectionSet
		var typeCondition string
		var directives ast.DirectiveList
		switch sel := sel.(type) {
		case *ast.Field:
			if len(sel.Directives) > 0 || len(sel.Arguments) > 0 {
				return nil, fmt.Errorf("%w: field %s has a directive or an argument", ErrNotSupported, sel.Name)
			}
			selections = addSelection(selections, sel)
			continue
		case *ast.InlineFragment:
			inner, typeCondition, directives = sel.SelectionSet, sel.TypeCondition, sel.Directives
		case *ast.FragmentSpread:
			f := c.fragments.ForName(sel.Name)
			if f == nil {
				return nil, fmt.Errorf("%w: unknown fragment %s", ErrNotSupported, sel.Name)
			}
			inner, typeCondition, directives = f.SelectionSet, f.TypeCondition, sel.Directives
		}
		if len(directives) > 0 {
			return nil, fmt.Errorf("%w: a fragment has a directive", ErrNotSupported)
		}
		if cond := c.Schema[typeCondition]; typeCondition != "" && (cond == nil || !belongsTo(def, cond)) {
			continue
		}
		var err error
		if selections, err = c.collectFields(def, inner, selections); err != nil {
			return nil, err
		}
	}
	return selections, nil
}

// addSelection appends f to selections and returns the result. If selections already contains
// a field with the alias of f, it adds the selection set of f to that field instead.
func addSelection(selections []*selectedField, f *ast.Field) []*selectedField {
	for _, w := range selections {
		if w.alias == f.Alias {
			w.sets = append(w.sets, f.SelectionSet)
			return selections
		}
	}
	return append(selections, &selectedField{f.Alias, f.Name, []ast.SelectionSet{f.SelectionSet}})
}

// fieldNode returns the encoder of a selected field of the schema type def. The encoder reads
// a field of the struct type goType.
func (c *compiler) fieldNode(def *ast.Definition, goType reflect.Type, s *selectedField) (field, error) {
	if s.name == "__typename" {
		return field{node: typenameNode(def.Name)}, nil
	}
	fd := def.Fields.ForName(s.name)
	plain := strings.ReplaceAll(s.name, "_", "")
	matches := func(name string) bool { return strings.EqualFold(name, plain) }
	sf, ok := goType.FieldByNameFunc(matches)
	if fd == nil || !ok || !sf.IsExported() || hasMethod(goType, matches) {
		return field{}, fmt.Errorf("%w: %s.%s", ErrNotSupported, def.Name, s.name)
	}
	to, err := c.valueNode(fd.Type, sf.Type, s.sets)
	return field{index: sf.Index, node: to, nonNull: fd.Type.NonNull}, err
}

// hasMethod reports whether goType or a pointer to it has a method whose name satisfies
// matches. graphql-go would call such a method instead of reading the field.
func hasMethod(goType reflect.Type, matches func(string) bool) bool {
	pointer := reflect.PointerTo(goType)
	for i := range pointer.NumMethod() {
		if matches(pointer.Method(i).Name) {
			return true
		}
	}
	return false
}
