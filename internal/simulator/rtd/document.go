package rtd

import (
	"github.com/vektah/gqlparser/v2/ast"
)

// requestSummary holds the properties of a request that are needed before the request is executed.
type requestSummary struct {
	kind             ast.Operation // ast.Query if the operation is unknown or cannot be parsed; its execution then reports the error
	root             string        // name of the first selected field
	selectsSchema    bool          // selects __schema or __type
	isSchemaOnly     bool          // the answer depends only on the schema and the text of the request, so it can be cached
	hasVariables     bool          // declares variables
	hasLiteralFilter bool          // contains a literal filter
	literalKeys      int           // number of keys in literal filters
	variableDefaults map[string]any
	aliasCount       int  // number of fields with an alias
	selectsTypename  bool // selects __typename
}

// summarizeRequest parses a request and summarizes the operation to execute. The service must
// know the kind of operation, because graphql-go executes queries and subscriptions with
// different methods and does not export its parser.
func summarizeRequest(query, operationName string) requestSummary {
	d := requestSummary{kind: ast.Query}
	doc, err := parseQuery(query)
	if err != nil {
		return d
	}
	op := operationOf(doc, operationName)
	if op == nil {
		return d
	}
	d.kind = op.Operation
	d.selectsSchema = selectsSchema(doc, op.SelectionSet, map[string]bool{})
	d.variableDefaults = defaultValues(op.VariableDefinitions)
	d.hasVariables = len(op.VariableDefinitions) > 0
	d.isSchemaOnly = op.Operation == ast.Query && !d.hasVariables
	d.countSelections(op.SelectionSet)
	for _, sel := range op.SelectionSet {
		field, ok := sel.(*ast.Field)
		d.isSchemaOnly = d.isSchemaOnly && ok && (field.Name == "__schema" || field.Name == "__type")
		if !ok {
			continue
		}
		if d.root == "" {
			d.root = field.Name
		}
		for _, filter := range field.Arguments { // the argument can have any name, see Rules.FilterArgument
			if filter.Value.Kind == ast.ObjectValue {
				d.hasLiteralFilter = true
				d.literalKeys += countKeys(filter.Value)
			}
		}
	}
	return d
}

// operationOf returns the operation with the given name or, without a name, the first
// operation. It returns nil if there is none.
func operationOf(doc *ast.QueryDocument, name string) *ast.OperationDefinition {
	switch {
	case name != "":
		return doc.Operations.ForName(name)
	case len(doc.Operations) > 0:
		return doc.Operations[0]
	}
	return nil
}

func selectsSchema(doc *ast.QueryDocument, set ast.SelectionSet, seen map[string]bool) bool {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			if sel.Name == "__schema" || sel.Name == "__type" {
				return true
			}
		case *ast.InlineFragment:
			if selectsSchema(doc, sel.SelectionSet, seen) {
				return true
			}
		case *ast.FragmentSpread:
			frag := doc.Fragments.ForName(sel.Name)
			if frag == nil || seen[sel.Name] {
				continue
			}
			seen[sel.Name] = true
			if selectsSchema(doc, frag.SelectionSet, seen) {
				return true
			}
		}
	}
	return false
}

// defaultValues returns the default values that an operation declares for its variables.
// graphql-go applies them to queries but not to subscriptions.
func defaultValues(definitions ast.VariableDefinitionList) map[string]any {
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
