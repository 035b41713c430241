package rtd

import (
	"context"
	"reflect"

	"github.com/graph-gophers/graphql-go"

	"wallboard/internal/simulator/webservice"
)

// directEncoding holds the result of a query or subscription that is encoded without the executor of
// graphql-go. graphql-go still parses and validates the request and calls the resolver; then
// a [webservice.Plan] encodes the resolver's result. The executor, which looks up each field
// again for each message, is used only if no plan supports the selection.
type directEncoding struct {
	compile    func(view reflect.Type) (*webservice.Plan, error) // nil: graphql-go encodes all results
	nextResult func() (*graphql.Response, bool)                  // results of a subscription; nil if graphql-go encodes them
	result     *graphql.Response                                 // result of a query; nil if graphql-go encodes it
}

// deliveryKey is the context key of a directEncoding.
type deliveryKey struct{}

// startSubscription starts a subscription. It returns a function that returns the next result,
// or false after the last one, when the resolver has closed its channel. Only one goroutine
// may call the function.
func (s *Service) startSubscription(ctx context.Context, req webservice.Request, vars map[string]any) (func() (*graphql.Response, bool), error) {
	return s.startSubscriptionWith(ctx, &directEncoding{compile: s.planCompiler(req)}, req, vars)
}

// startSubscriptionWith is like startSubscription, but uses the given directEncoding.
func (s *Service) startSubscriptionWith(ctx context.Context, d *directEncoding, req webservice.Request, vars map[string]any) (func() (*graphql.Response, bool), error) {
	results, err := s.schema.Subscribe(context.WithValue(ctx, deliveryKey{}, d), req.Query, req.OperationName, vars)
	if err != nil {
		return nil, err
	}
	if d.nextResult != nil {
		return d.nextResult, nil
	}
	return func() (*graphql.Response, bool) {
		result, ok := <-results
		resp, isResponse := result.(*graphql.Response)
		return resp, ok && isResponse
	}, nil
}

// executeQuery executes a query or a mutation.
func (s *Service) executeQuery(ctx context.Context, d *directEncoding, req webservice.Request) *graphql.Response {
	resp := s.schema.Exec(context.WithValue(ctx, deliveryKey{}, d), req.Query, req.OperationName, req.Variables)
	if d.result != nil && len(resp.Errors) == 0 {
		return d.result
	}
	return resp
}

// encodeAnswer encodes v, the result of a query resolver, with a plan, stores the encoded
// answer in the directEncoding of ctx, and returns nil. If no plan supports the selection, it
// returns v for graphql-go to encode.
func encodeAnswer[T any](ctx context.Context, v *T) *T {
	d, ok := ctx.Value(deliveryKey{}).(*directEncoding)
	if !ok || d.compile == nil {
		return v
	}
	plan, err := d.compile(reflect.TypeFor[*T]())
	if err != nil {
		return v
	}
	d.result = new(graphql.Response)
	d.result.Data, d.result.Errors = plan.Append(nil, reflect.ValueOf(v))
	return nil
}

// planCompiler returns a function that compiles the plan of a request for a Go type. It
// returns nil if the request cannot be parsed or does not contain its operation.
func (s *Service) planCompiler(req webservice.Request) func(view reflect.Type) (*webservice.Plan, error) {
	doc, err := parseQuery(req.Query)
	if err != nil {
		return nil
	}
	op := operationOf(doc, req.OperationName)
	if op == nil {
		return nil
	}
	return func(view reflect.Type) (*webservice.Plan, error) { return s.types.Compile(doc, op, view) }
}

// encodeUpdates arranges for a plan to encode the values of out, the channel of a subscription
// resolver, and returns nil. If no plan supports the selection, it returns out for graphql-go
// to encode.
func encodeUpdates[T any](ctx context.Context, out <-chan T) <-chan T {
	d, ok := ctx.Value(deliveryKey{}).(*directEncoding)
	if !ok || d.compile == nil {
		return out
	}
	plan, err := d.compile(reflect.TypeFor[T]())
	if err != nil {
		return out
	}
	var data []byte // buffer for the current result; only one result is in use at a time
	d.nextResult = func() (*graphql.Response, bool) {
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
