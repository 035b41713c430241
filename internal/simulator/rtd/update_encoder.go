package rtd

import (
	"fmt"
	"reflect"
	"time"

	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"wallboard/internal/simulator/endpoint"
	"wallboard/internal/simulator/world"
)

// UpdateEncoder encodes changes of a world as the service's subscriptions would, but without a
// connection. It is not safe for concurrent use.
type UpdateEncoder struct {
	dialect dialect
	ops     []encoderOperation
}

// encoderOperation encodes the updates of one operation. root is the root field of the operation.
type encoderOperation struct {
	root   string
	encode func(c *world.Changes) (data []byte, some bool)
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
	types := endpoint.NewSchema(doc)
	for _, q := range queries {
		op, err := newEncoderOperation(types, q, newDeltaStyle(&Options{Switches: s}))
		if err != nil {
			return nil, err
		}
		t.ops = append(t.ops, op)
	}
	return t, nil
}

// Encode encodes changes. For every operation with changed records, it calls handle with the
// name of the root field and the payload of the update. The payload is valid until handle
// returns. Removed records are not reported. now is the time for elapsed dates. Encode returns
// the first error of handle.
func (t *UpdateEncoder) Encode(c *world.Changes, now time.Time, handle func(root string, payload []byte) error) error {
	t.dialect.now = now
	for _, op := range t.ops {
		data, hasData := op.encode(c)
		if !hasData {
			continue
		}
		if err := handle(op.root, encodeResponse(&graphql.Response{Data: data}, t.dialect, true)); err != nil {
			return err
		}
	}
	return nil
}

func newEncoderOperation(types endpoint.Schema, query string, style deltaStyle) (encoderOperation, error) {
	doc, err := parseQuery(query)
	if err != nil {
		return encoderOperation{}, fmt.Errorf("parse query: %w", err)
	}
	p := planInputs{types, doc, style}
	switch root := summarizeRequest(query, "").root; root {
	case "users":
		return compileOperation(p, root, newUserView, func(c *world.Changes) []world.Change[world.User] { return c.Users })
	case "serviceStats":
		return compileOperation(p, root, newServiceView, func(c *world.Changes) []world.Change[world.ServiceStat] { return c.Services })
	case "groupStats":
		return compileOperation(p, root, newGroupView, func(c *world.Changes) []world.Change[world.GroupStat] { return c.Groups })
	case "userStats":
		return compileOperation(p, root, newUserStatView, func(c *world.Changes) []world.Change[world.UserStat] { return c.UserStats })
	case "userProfileStats":
		return compileOperation(p, root, newProfileStatView, func(c *world.Changes) []world.Change[world.UserProfileStat] { return c.UserProfileStats })
	case "pdCampaignStats":
		return compileOperation(p, root, newCampaignView, func(c *world.Changes) []world.Change[world.CampaignStat] { return c.Campaigns })
	case "serviceAttendantStats":
		return compileOperation(p, root, newAttendantView, func(c *world.Changes) []world.Change[world.AttendantStat] { return c.Attendants })
	case "operatorStats":
		return compileOperation(p, root, newOperatorView, func(c *world.Changes) []world.Change[world.OperatorStat] { return c.Operators })
	case "operatorProfileStats":
		return compileOperation(p, root, newProfileStatView, func(c *world.Changes) []world.Change[world.UserProfileStat] { return c.OperatorProfileStats })
	default:
		return encoderOperation{}, fmt.Errorf("operation %q returns no records", root)
	}
}

// planInputs holds the inputs for compiling the plan of an operation.
type planInputs struct {
	types endpoint.Schema
	doc   *ast.QueryDocument
	style deltaStyle
}

func compileOperation[R, V any](p planInputs, root string, fill func(*differ, *R, *R) V, changesOf func(*world.Changes) []world.Change[R]) (encoderOperation, error) {
	compiled, err := p.types.Compile(p.doc, p.doc.Operations[0], reflect.TypeFor[*[]*V]())
	if err != nil {
		return encoderOperation{}, fmt.Errorf("%s: %w", root, err)
	}
	var data []byte
	var views []*V
	return encoderOperation{root, func(c *world.Changes) ([]byte, bool) {
		views = views[:0]
		for _, ch := range changesOf(c) {
			if ch.New == nil {
				continue
			}
			if v := buildView(p.style, ch.Old, ch.New, fill); v != nil {
				views = append(views, v)
			}
		}
		if len(views) == 0 {
			return nil, false
		}
		data, _ = compiled.Append(data[:0], reflect.ValueOf(&views)) // encoding a record of the simulator causes no field errors
		return data, true
	}}, nil
}
