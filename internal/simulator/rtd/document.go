package rtd

import (
	"github.com/vektah/gqlparser/v2/ast"
)

// document summarizes a request before its execution.
type document struct {
	kind       ast.Operation // ast.Query if the document cannot be parsed; the execution then reports the error
	root       string        // name of the first selected field
	introspect bool          // selects __schema or __type
	schemaOnly bool          // the answer depends only on the schema and the text of the request
	variables  bool          // declares variables
	literals   bool          // contains a literal filter
	keys       int           // number of keys in literal filters
	defaults   map[string]any
	aliases    int  // number of aliased fields
	typenames  bool // selects __typename
}

// inspect parses a request and summarizes its operation. graphql-go does not export
// its parser, and it executes queries and subscriptions by different methods.
func inspect(query, operationName string) document {
	d := document{kind: ast.Query}
	doc, err := parseQuery(query)
	if err != nil {
		return d
	}
	op := operationOf(doc, operationName)
	if op == nil {
		return d
	}
	d.kind = op.Operation
	d.introspect = introspects(doc, op.SelectionSet, map[string]bool{})
	d.defaults = defaults(op.VariableDefinitions)
	d.variables = len(op.VariableDefinitions) > 0
	d.schemaOnly = op.Operation == ast.Query && !d.variables
	d.countSelections(op.SelectionSet)
	for _, sel := range op.SelectionSet {
		field, ok := sel.(*ast.Field)
		d.schemaOnly = d.schemaOnly && ok && (field.Name == "__schema" || field.Name == "__type")
		if !ok {
			continue
		}
		if d.root == "" {
			d.root = field.Name
		}
		for _, filter := range field.Arguments { // under any name
			if filter.Value.Kind == ast.ObjectValue {
				d.literals = true
				d.keys += countKeys(filter.Value)
			}
		}
	}
	return d
}

// operationOf returns the operation that a request executes, or nil if there is
// none.
func operationOf(doc *ast.QueryDocument, name string) *ast.OperationDefinition {
	switch {
	case name != "":
		return doc.Operations.ForName(name)
	case len(doc.Operations) > 0:
		return doc.Operations[0]
	}
	return nil
}

func introspects(doc *ast.QueryDocument, set ast.SelectionSet, seen map[string]bool) bool {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			if sel.Name == "__schema" || sel.Name == "__type" {
				return true
			}
		case *ast.InlineFragment:
			if introspects(doc, sel.SelectionSet, seen) {
				return true
			}
		case *ast.FragmentSpread:
			frag := doc.Fragments.ForName(sel.Name)
			if frag == nil || seen[sel.Name] {
				continue
			}
			seen[sel.Name] = true
			if introspects(doc, frag.SelectionSet, seen) {
				return true
			}
		}
	}
	return false
}

// defaults returns the default values of variables. graphql-go applies them to
// queries but not to subscriptions.
func defaults(definitions ast.VariableDefinitionList) map[string]any {
	values := map[string]any{}
	for _, v := range definitions {
		if v.DefaultValue == nil {
			continue
		}
		if value, err := v.DefaultValue.Value(nil); err == nil {
			values[v.Variable] = value
		}
	}
	return values
}
