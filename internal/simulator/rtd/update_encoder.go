package rtd

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
)

// UpdateEncoder encodes changes of a world like the service's subscriptions, but without a
// connection. It is not safe for concurrent use.
type UpdateEncoder struct {
	dialect dialect
	ops     []encoderOperation
}

// encoderOperation encodes the updates of an operation. root is the root field of the operation.
type encoderOperation struct {
	root string
	// encode encodes the changed records or, if removed is true, the keys of the removed records. some
	// is false if there are no such records.
	encode func(c *world.Changes, removed bool) (data []byte, some bool)
}

// NewUpdateEncoder returns an encoder for the operations of the given queries. The queries
// must be valid for the schema of document 2. Updates contain durations in seconds.
func NewUpdateEncoder(queries []string) (*UpdateEncoder, error) {
	doc, err := parser.ParseSchema(&ast.Source{Input: schemaSDL})
	if err != nil {
		return nil, fmt.Errorf("parse schema: %w", err)
	}
	s := Switches{}.WithDefaults()
	t := &UpdateEncoder{dialect: dialect{numbers: s.Numbers, dates: s.DateForm, neverHeld: s.NeverHeld, nullKeys: s.NullKeys}}
	types, kinds := webservice.NewSchema(doc), newTables(&Options{}, nil, &world.State{}).all
	for _, q := range queries {
		op, err := newEncoderOperation(types, kinds, q, newDeltaStyle(&Options{Switches: s}))
		if err != nil {
			return nil, err
		}
		t.ops = append(t.ops, op)
	}
	return t, nil
}

// Encode encodes changes. For each operation with changed records, it calls handle with the
// name of the root field and the payload of the update. The payload is valid until handle
// returns. Encode does not report removed records. now is the time for elapsed dates. Encode
// returns the first error of handle.
func (t *UpdateEncoder) Encode(c *world.Changes, now time.Time, handle func(root string, payload []byte) error) error {
	return t.encode(c, false, now, handle)
}

// EncodeRemoved is like [UpdateEncoder.Encode], but encodes the keys of the removed records, which the
// service reports only for users.
func (t *UpdateEncoder) EncodeRemoved(c *world.Changes, now time.Time, handle func(root string, payload []byte) error) error {
	return t.encode(c, true, now, handle)
}

func (t *UpdateEncoder) encode(c *world.Changes, removed bool, now time.Time, handle func(root string, payload []byte) error) error {
	t.dialect.now = now
	for _, op := range t.ops {
		data, hasData := op.encode(c, removed)
		if !hasData {
			continue
		}
		if err := handle(op.root, encodeResponse(&graphql.Response{Data: data}, t.dialect, true)); err != nil {
			return err
		}
	}
	return nil
}

func newEncoderOperation(types webservice.Schema, kinds []anyTable, query string, style deltaStyle) (encoderOperation, error) {
	doc, err := parseQuery(query)
	if err != nil {
		return encoderOperation{}, fmt.Errorf("parse query: %w", err)
	}
	root := summarizeRequest(query, "").root
	i := slices.IndexFunc(kinds, func(t anyTable) bool { return t.rootName() == root })
	if i < 0 {
		return encoderOperation{}, fmt.Errorf("operation %q returns no records", root)
	}
	return kinds[i].compile(planInputs{types, doc, style})
}

// planInputs holds the inputs for compiling the plan of an operation.
type planInputs struct {
	types webservice.Schema
	doc   *ast.QueryDocument
	style deltaStyle
}

func (t *table[R, V]) compile(p planInputs) (encoderOperation, error) {
	compiled, err := p.types.Compile(p.doc, p.doc.Operations[0], reflect.TypeFor[*[]*V]())
	if err != nil {
		return encoderOperation{}, fmt.Errorf("%s: %w", t.root, err)
	}
	var data []byte
	var views []*V
	return encoderOperation{t.root, func(c *world.Changes, removed bool) ([]byte, bool) {
		views = views[:0]
		for _, ch := range t.changes(c) {
			switch isRemoved := ch.New == nil; {
			case isRemoved && removed:
				views = append(views, keyView(ch.Old, t.newView))
			case isRemoved || removed:
			default:
				if v := buildView(p.style, ch.Old, ch.New, t.newView); v != nil {
					views = append(views, v)
				}
			}
		}
		if len(views) == 0 {
			return nil, false
		}
		data, _ = compiled.Append(data[:0], reflect.ValueOf(&views)) // encoding a record of the simulator causes no field errors
		return data, true
	}}, nil
}
