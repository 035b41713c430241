package rtd

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// document is what has to be known of a request before it is executed.
type document struct {
	kind       ast.Operation // ast.Query when the document cannot be parsed: executing it then gives the error
	root       string        // the first field that it asks for
	introspect bool          // asks for __schema or __type
	variables  bool          // declares some
	literals   bool          // has a filter written out
	keys       int           // that its filters name, where they are written out
	defaults   map[string]any
	aliases    int  // fields that come under another name
	typenames  bool // asks for __typename
}

// inspect reads the operation of a request. graphql-go keeps its parser to
// itself, and executes queries and subscriptions by different methods.
func inspect(query, operationName string) document {
	d := document{kind: ast.Query}
	doc, err := parser.ParseQuery(&ast.Source{Input: query})
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
	d.read(op.SelectionSet)
	for _, sel := range op.SelectionSet {
		field, ok := sel.(*ast.Field)
		if !ok {
			continue
		}
		if d.root == "" {
			d.root = field.Name
		}
		for _, filter := range field.Arguments { // whatever it is called
			if filter.Value.Kind == ast.ObjectValue {
				d.literals = true
				d.keys += countKeys(filter.Value)
			}
		}
	}
	return d
}

// operationOf is the operation that a request means, nil when there is none.
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

// defaults returns the default values of variables, which graphql-go fills in
// for queries but not for subscriptions.
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
