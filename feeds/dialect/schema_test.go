package dialect

import (
	"os"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// schema returns the platform's schema as the simulator publishes it: written
// from document 2 independently of the documents in feeds/graphql.
func schema(t testing.TB) *ast.Schema {
	t.Helper()
	b, err := os.ReadFile("../../internal/simulator/rtd/schema.graphql")
	if err != nil {
		t.Fatal(err)
	}
	s, gqlErr := gqlparser.LoadSchema(&ast.Source{Name: "schema.graphql", Input: string(b)})
	if gqlErr != nil {
		t.Fatal(gqlErr)
	}
	return s
}
