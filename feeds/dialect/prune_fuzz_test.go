package dialect

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"wallboard/feeds/graphql"
	"wallboard/model"
)

// FuzzPrune adapts every document to servers that lack parts of document 2, by
// their schema and by their errors. The result must be valid on the server,
// contain no empty selection, and lack exactly what the server lacks.
func FuzzPrune(f *testing.F) {
	whole := schema(f)
	ops := []string{
		string(model.OpVersion), string(model.OpServerHealth), string(model.OpUsers), string(model.OpServices), string(model.OpGroups), string(model.OpUserStats), string(model.OpProfiles), string(model.OpCampaigns), string(model.OpAttendants),
		string(model.OpOperators), string(model.OpOperatorProfiles),
	}
	for op := range ops {
		f.Add(uint8(op), uint64(op), uint8(10))
		f.Add(uint8(op), uint64(op), uint8(60))
	}
	f.Fuzz(func(t *testing.T, op uint8, seed uint64, lost uint8) {
		doc, err := graphql.LoadDocument(ops[int(op)%len(ops)])
		if err != nil {
			t.Fatal(err)
		}
		s := newPoorServer(whole, doc.Root, rand.New(rand.NewPCG(seed, 0)), float64(lost%100)/100)
		set := parseFields(doc.Selection)
		want := s.lacking(set, s.Query.Fields.ForName(doc.Root).Type.Name())
		if diff := cmp.Diff(want, s.shown(set, doc.Root)); diff != "" {
			t.Errorf("by the schema (-lacking +pruned):\n%s", diff)
		}
		if removeFields(doc.Selection, want) == emptySelection {
			return // nothing is left: the operation is refused
		}
		if found := s.tried(t, &doc, true); removeFields(doc.Selection, found) != removeFields(doc.Selection, want) {
			t.Errorf("by what the server says (-lacking +pruned):\n%s", cmp.Diff(want, sorted(found)))
		}
		s.tried(t, &doc, false)
	})
}

func sorted(paths []string) []string { return slices.Compact(slices.Sorted(slices.Values(paths))) }

// poorServer is a server that lacks parts of document 2.
type poorServer struct{ ast.Schema }

// newPoorServer removes fields, types and roots with given probabilities. It keeps what every request needs:
// the requested root, the keys, and a field in every type.
func newPoorServer(whole *ast.Schema, root string, rng *rand.Rand, lost float64) *poorServer {
	s := &poorServer{*whole}
	s.Types, s.PossibleTypes = maps.Clone(whole.Types), maps.Clone(whole.PossibleTypes)
	another := &ast.FieldDefinition{Name: "another", Type: ast.NamedType("Int", nil)}
	other := &ast.Definition{Kind: ast.Object, Name: "Another", Fields: ast.FieldList{another}}
	s.AddTypes(other)
	names := slices.Sorted(maps.Keys(whole.Types))
	for _, name := range names {
		if whole.Types[name].Kind != ast.Union {
			continue
		}
		u := *whole.Types[name]
		u.Types = append(slices.DeleteFunc(slices.Clone(u.Types), func(typ string) bool {
			gone := rng.Float64() < lost
			if gone {
				delete(s.Types, typ)
			}
			return gone
		}), other.Name)
		s.Types[name] = &u
	}
	for _, name := range names {
		d := s.Types[name]
		if d == nil || d.Kind != ast.Object || d.BuiltIn {
			continue
		}
		poor := *d
		poor.Fields = append(slices.DeleteFunc(slices.Clone(d.Fields), func(n *ast.FieldDefinition) bool {
			return rng.Float64() < lost && !isKeyField(n.Name) && !slices.Contains([]string{"activityCode", "key", root}, n.Name)
		}), another)
		s.Types[name], s.PossibleTypes[name] = &poor, []*ast.Definition{&poor}
	}
	for u, d := range s.Types { // these still contain the complete types
		if d.Kind == ast.Union {
			s.PossibleTypes[u] = nil
			for _, typ := range d.Types {
				s.AddPossibleType(u, s.Types[typ])
			}
		}
	}
	s.Query, s.Subscription = s.Types["Query"], s.Types["Subscription"]
	return s
}

// shown returns what a root lacks according to introspection.
func (s *poorServer) shown(set []field, root string) []string {
	x := serverSchema{types: make(map[string]*serverType)}
	for name, d := range s.Types {
		of := &serverType{kind: string(d.Kind), fields: make(map[string]serverField)}
		for _, n := range d.Fields {
			of.fields[n.Name] = serverField{typ: n.Type.Name()}
		}
		for _, p := range s.PossibleTypes[name] {
			if d.Kind == ast.Union {
				of.possibleTypes = append(of.possibleTypes, p.Name)
			}
		}
		x.types[name] = of
	}
	var f selectionFixes
	x.checkFields(set, x.types["Query"].fields[root].typ, &f)
	return sorted(f.missingFields)
}

// lacking returns the parts of a selection that the server lacks.
func (s *poorServer) lacking(set []field, typ string) []string {
	var paths []string
	for i := range set {
		n := &set[i]
		var of *ast.FieldDefinition
		if d := s.Types[typ]; d != nil {
			of = d.Fields.ForName(n.name)
		}
		switch {
		case n.name == "__typename":
		case n.fragmentType() != "" && s.Types[n.fragmentType()] == nil:
			paths = append(paths, joinPath(n.path, n.fragmentType()))
		case n.fragmentType() != "":
			paths = append(paths, s.lacking(n.children, n.fragmentType())...)
		case of == nil:
			paths = append(paths, n.path)
		default:
			paths = append(paths, s.lacking(n.children, of.Type.Name())...)
		}
	}
	return sorted(paths)
}

// maxTries limits how often a document is sent.
const maxTries = 32

// tried sends a document until the server accepts it, adapting it to each
// error. Without error positions, more fields are removed than the server
// lacks.
func (s *poorServer) tried(t *testing.T, doc *graphql.Document, places bool) []string {
	t.Helper()
	d := New(PinnedValues{})
	filter := map[string]string{
		string(model.OpUsers): "{}", string(model.OpServices): `{CALL:{services:["x"]}}`, string(model.OpGroups): `{CALL:{groups:["x"]}}`, string(model.OpUserStats): `{CALL:{users:["x"]}}`,
		string(model.OpProfiles): "{CALL:{userProfiles:[1]}}", string(model.OpCampaigns): "{campaigns:[1]}", string(model.OpAttendants): `{CALL:{services:["x"] component:[ALL]}}`,
		string(model.OpOperators): `{CALL:{users:["x"]}}`, string(model.OpOperatorProfiles): "{CALL:{userProfiles:[1]}}",
	}[doc.Root]
	for range maxTries {
		text, _, how := d.Request(doc, graphql.KindSubscription, doc.Root, filter)
		_, refused := gqlparser.LoadQueryWithRules(&s.Schema, text, nil)
		if len(refused) == 0 {
			query, _, _ := d.Request(doc, graphql.KindQuery, doc.Root, filter)
			if _, refused = gqlparser.LoadQueryWithRules(&s.Schema, query, nil); len(refused) > 0 {
				t.Errorf("the subscription is accepted, but not the query: %v\n%s", refused, query)
			}
			return d.MissingFields(doc.Root)
		}
		b, err := json.Marshal(refused)
		if err != nil {
			t.Fatal(err)
		}
		errs := graphql.ParseErrors(b)
		for i := range errs {
			if !places {
				errs[i].Column = 0
			}
		}
		r := ParseRequestFaults(doc.Root, how, errs)
		if !d.learnPaths(d.profile.MissingFields, nil, doc.Root, r.missingFields) {
			t.Fatalf("no adaptation for %v\n%s", errs, text)
		}
	}
	t.Fatalf("%s is still refused after %d tries", doc.Root, maxTries)
	return nil
}
