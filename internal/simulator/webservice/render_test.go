package webservice_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"wallboard/internal/simulator/webservice"
)

const sdl = `
schema { query: Query subscription: Subscription }
type Query { nothing: String }
type Subscription { things: [Thing] }
enum Kind { A B }
type Thing { kind: Kind! other: Kind name: String flag: Boolean part: Part parts: [Part!] kinds: [Kind!] }
type Part { must: Kind! may: Float }
`

type thing struct {
	Kind        string
	Other, Name *string
	Flag        *bool
	Part        *part
	Parts       *[]part
	Kinds       *[]string
}

type part struct {
	Must string
	May  *float64
}

type root struct{ things *[]*thing }

func (root) Nothing() *string { return nil }

func (r root) Things(context.Context) <-chan *[]*thing {
	c := make(chan *[]*thing, 1)
	c <- r.things
	return c
}

func p[T any](v T) *T { return &v }

// TestInvalidValues compares the output of a plan and of graphql-go for values
// that do not match the schema, and for propagated nulls.
func TestInvalidValues(t *testing.T) {
	t.Parallel()
	doc, err := parser.ParseSchema(&ast.Source{Input: sdl})
	if err != nil {
		t.Fatal(err)
	}
	const query = `subscription { all: things { kind other text: name flag part { must may } parts { must } kinds __typename } }`
	for name, things := range map[string]*[]*thing{
		"nothing":        nil,
		"empty":          {},
		"null":           {nil, {Kind: "A"}},
		"texts":          {{Kind: "A", Name: p("<a>&\"\\\x00\u2028é\xff"), Flag: p(true)}, {Kind: "B", Name: p("plain")}},
		"numbers":        {{Kind: "A", Part: &part{"B", p(1e21)}}, {Kind: "A", Part: &part{"B", p(0.1)}}},
		"no such value":  {{Kind: "A", Other: p("C")}, {Kind: "B", Other: p("B")}},
		"null spreads":   {{Kind: "A"}, {Kind: "C", Name: p("lost")}, {Kind: "A", Part: &part{"C", p(1.0)}}},
		"null in a list": {{Kind: "A", Kinds: &[]string{"A", "C", "B"}}, {Kind: "A", Parts: &[]part{{"A", nil}, {"D", nil}}}},
		"nil lists":      {{Kind: "A", Kinds: p([]string(nil)), Parts: p([]part(nil))}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			schema := graphql.MustParseSchema(sdl, &root{things}, graphql.UseFieldResolvers())
			results, err := schema.Subscribe(t.Context(), query, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			want := (<-results).(*graphql.Response)
			q, err := parser.ParseQuery(&ast.Source{Input: query})
			if err != nil {
				t.Fatal(err)
			}
			plan, err := webservice.NewSchema(doc).Compile(q, q.Operations[0], reflect.TypeFor[*[]*thing]())
			if err != nil {
				t.Fatal(err)
			}
			var got graphql.Response
			got.Data, got.Errors = plan.Append(nil, reflect.ValueOf(things))
			if diff := cmp.Diff(text(t, want), text(t, &got)); diff != "" {
				t.Errorf("graphql-go (-) and the plan (+):\n%s", diff)
			}
		})
	}
}

func text(t *testing.T, r *graphql.Response) []string {
	t.Helper()
	b, err := json.Marshal(r.Errors)
	if err != nil {
		t.Fatal(err)
	}
	return []string{string(r.Data), string(b)}
}

// TestNotSupported lists requests that no plan supports.
func TestNotSupported(t *testing.T) {
	t.Parallel()
	doc, err := parser.ParseSchema(&ast.Source{Input: sdl})
	if err != nil {
		t.Fatal(err)
	}
	for query, view := range map[string]any{
		`subscription { things { kind @include(if: true) } }`:      &[]*thing{},
		`subscription { things @skip(if: false) { kind } }`:        &[]*thing{},
		`subscription { things { ... @skip(if: true) { kind } } }`: &[]*thing{},
		`subscription { things { kind } more: things { kind } }`:   &[]*thing{},
		`subscription { ... { things { kind } } }`:                 &[]*thing{},
		`subscription { other }`:                                   &[]*thing{},
		`subscription { things { ...missing } }`:                   &[]*thing{},
		`subscription { things { absent } }`:                       &[]*thing{},
		`subscription { things { kind(of: 1) } }`:                  &[]*thing{},
		`subscription { things { kind(of: 1) name } }`:             &thing{},
		`subscription { things { kind } }`:                         &[]*struct{ Kind *string }{},
		`subscription { things { name } }`:                         &[]*struct{ Other *string }{},
		`subscription { things { other } }`:                        &[]*struct{ Other *float64 }{},
	} {
		q, err := parser.ParseQuery(&ast.Source{Input: query})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := webservice.NewSchema(doc).Compile(q, q.Operations[0], reflect.TypeOf(view)); !errors.Is(err, webservice.ErrNotSupported) {
			t.Errorf("%s: %v", query, err)
		}
	}
}

func TestMarshalError(t *testing.T) {
	t.Parallel()
	doc, err := parser.ParseSchema(&ast.Source{Input: sdl})
	if err != nil {
		t.Fatal(err)
	}
	q, err := parser.ParseQuery(&ast.Source{Input: `subscription { things { part { may } } }`})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := webservice.NewSchema(doc).Compile(q, q.Operations[0], reflect.TypeFor[*[]*thing]())
	if err != nil {
		t.Fatal(err)
	}
	data, errs := plan.Append(nil, reflect.ValueOf(&[]*thing{{Part: &part{May: p(math.NaN())}}}))
	if want := `{"things":[{"part":{"may":null}}]}`; string(data) != want || len(errs) != 1 {
		t.Errorf("%s %v", data, errs)
	}
}
