package rtd

import (
	"context"
	"reflect"

	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"wallboard/simulator/render"
	"wallboard/simulator/wire"
)

// delivery is the results of one query or subscription. graphql-go parses and
// validates the request and calls the resolver; what that returns is then written
// by a plan, and does not go through graphql-go's executor, which resolves every
// field by itself and, of a subscription, the same selection anew for every
// message. What no plan serves stays with it.
type delivery struct {
	compile func(view reflect.Type) (*render.Plan, error) // nil: everything stays with graphql-go
	next    func() (*graphql.Response, bool)              // of a subscription; nil: nothing was taken over
	whole   *graphql.Response                             // of a query; nil: nothing was taken over
}

// deliveryKey is the context key of the delivery.
type deliveryKey struct{}

// deliver returns the results of a subscription; the channel that the resolver
// delivered on is closed after the last. The function that it returns may only be
// called by one goroutine.
func (s *Service) deliver(ctx context.Context, req wire.Request, vars map[string]any) (func() (*graphql.Response, bool), error) {
	return s.deliverBy(ctx, &delivery{compile: s.planner(req)}, req, vars)
}

func (s *Service) deliverBy(ctx context.Context, d *delivery, req wire.Request, vars map[string]any) (func() (*graphql.Response, bool), error) {
	results, err := s.schema.Subscribe(context.WithValue(ctx, deliveryKey{}, d), req.Query, req.OperationName, vars)
	if err != nil {
		return nil, err //nolint:wrapcheck // the client sees graphql-go's own words
	}
	if d.next != nil {
		return d.next, nil
	}
	return func() (*graphql.Response, bool) {
		result, ok := <-results
		resp, is := result.(*graphql.Response)
		return resp, ok && is
	}, nil
}

// ask runs a query.
func (s *Service) ask(ctx context.Context, d *delivery, req wire.Request) *graphql.Response {
	resp := s.schema.Exec(context.WithValue(ctx, deliveryKey{}, d), req.Query, req.OperationName, req.Variables)
	if d.whole != nil && len(resp.Errors) == 0 {
		return d.whole
	}
	return resp
}

// answer takes over what the resolver of a query returns, and returns what is
// left for graphql-go to write: nil, or all of it.
func answer[T any](ctx context.Context, v *T) *T {
	d, ok := ctx.Value(deliveryKey{}).(*delivery)
	if !ok || d.compile == nil {
		return v
	}
	plan, err := d.compile(reflect.TypeFor[*T]())
	if err != nil {
		return v
	}
	d.whole = new(graphql.Response)
	d.whole.Data, d.whole.Errors = plan.Append(nil, reflect.ValueOf(v))
	return nil
}

// planner returns what makes the plan of a request, nil when there is none.
func (s *Service) planner(req wire.Request) func(view reflect.Type) (*render.Plan, error) {
	doc, err := parser.ParseQuery(&ast.Source{Input: req.Query})
	if err != nil {
		return nil
	}
	op := operationOf(doc, req.OperationName)
	if op == nil {
		return nil
	}
	return func(view reflect.Type) (*render.Plan, error) { return s.types.Compile(doc, op, view) }
}

// divert takes over what a resolver delivers, and returns what is left for
// graphql-go to read: nil, or all of it.
func divert[T any](ctx context.Context, out <-chan T) <-chan T {
	d, ok := ctx.Value(deliveryKey{}).(*delivery)
	if !ok || d.compile == nil {
		return out
	}
	plan, err := d.compile(reflect.TypeFor[T]())
	if err != nil {
		return out
	}
	var data []byte // the results are read one after the other
	d.next = func() (*graphql.Response, bool) {
		v, ok := <-out
		if !ok {
			return nil, false
		}
		resp := new(graphql.Response)
		data, resp.Errors = plan.Append(data[:0], reflect.ValueOf(v))
		resp.Data = data
		return resp, true
	}
	return nil
}
