package rtd

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/gorilla/websocket"
	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"

	"wallboard/internal/simulator/webservice"
)

// operation is a running operation of a connection.
type operation struct {
	id     string
	root   string // root field of a subscription; "" for a query or mutation
	cancel context.CancelFunc

	// Only the operation's goroutine uses the fields below.
	conversion     *answerConversion // how to convert the results to the client schema; nil: no conversion
	isSubscription bool
	firstIsFull    bool   // the first result holds all selected records
	sentResults    int    // number of results so far
	delayedFrame   *frame // update to send after the next one; nil: none
}

// startOperation runs a request under an ID in a new goroutine. It returns false if an
// operation with this ID is running.
func (c *conn) startOperation(id string, req webservice.Request) bool {
	ctx, cancel := context.WithCancel(withCaller(c.ctx, c.caller))
	doc := summarizeRequest(req.Query, req.OperationName)
	op := &operation{id: id, cancel: cancel}
	if doc.kind == ast.Subscription {
		op.root = doc.root
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ops[id] != nil {
		cancel()
		return false
	}
	c.ops[id] = op
	c.wg.Go(func() {
		defer c.removeOperation(op)
		c.runOperation(ctx, op, req, doc)
	})
	return true
}

// stopOperation ends an operation at the client's request. It ignores unknown IDs.
func (c *conn) stopOperation(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if op := c.ops[id]; op != nil {
		op.cancel()
		delete(c.ops, id) // the client may reuse the id
	}
}

// removeOperation removes an operation that has ended.
func (c *conn) removeOperation(op *operation) {
	op.cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ops[op.id] == op {
		delete(c.ops, op.id)
	}
}

// runningOps returns the running operations of the connection.
func (c *conn) runningOps() []*operation {
	c.mu.Lock()
	defer c.mu.Unlock()
	ops := make([]*operation, 0, len(c.ops))
	for _, op := range c.ops {
		ops = append(ops, op)
	}
	return ops
}

func (c *conn) stopOperations() {
	for _, op := range c.runningOps() {
		c.stopOperation(op.id)
	}
}

// revokeOperations ends all operations of the connection with the error UNAUTHORIZED.
func (c *conn) revokeOperations() {
	errs := unauthorizedErrors("the session has expired")
	for _, op := range c.runningOps() {
		c.stopOperation(op.id)
		// Do not wait for the queue here: the writer may be stalled.
		c.service.sockets.runTracked(func() { c.sendJSON(c.proto.errorMessage(op.id, errs)) })
	}
}

func (c *conn) runOperation(ctx context.Context, op *operation, req webservice.Request, doc requestSummary) {
	if errs := c.service.refusalErrors(c.caller.Credentials, doc, req.Variables); errs != nil {
		c.sendJSON(c.proto.errorMessage(op.id, errs))
		return
	}
	var errs json.RawMessage
	if req, op.conversion, errs = c.service.clientSchema.translateRequest(req, doc.selectsSchema); errs != nil {
		c.sendJSON(c.proto.errorMessage(op.id, c.service.rewordErrors(errs)))
		return
	}
	if doc.kind == ast.Subscription {
		if c.service.faults.takeRefusal(op.root) {
			c.sendJSON(c.internalErrorMessage(op.id))
			return
		}
		if reason := c.service.opts.Switches.Rules.subscriptionRefusal(c); reason != "" {
			c.sendJSON(c.proto.errorMessage(op.id, c.service.rewordErrors(webservice.JSON([]map[string]string{{"message": reason}}))))
			return
		}
		c.runSubscription(ctx, op, req, doc)
		return
	}
	resp := c.service.execute(ctx, req, doc)
	if c.sendResult(ctx, op, resp) {
		c.sendComplete(ctx, op)
	}
}

// runSubscription sends the results of a subscription until it ends.
func (c *conn) runSubscription(ctx context.Context, op *operation, req webservice.Request, doc requestSummary) {
	op.isSubscription, op.firstIsFull = true, c.service.opts.Switches.FirstMessage == FirstFull
	vars := doc.variableDefaults
	maps.Copy(vars, req.Variables)
	life, end := ctx, context.CancelFunc(func() {})
	if d := c.service.opts.Switches.Rules.SubscriptionLifetime; d > 0 {
		life, end = context.WithTimeout(ctx, d)
	}
	defer end()
	next, err := c.service.startSubscription(life, req, vars)
	if err != nil {
		c.sendJSON(c.proto.errorMessage(op.id, webservice.JSON([]map[string]string{{"message": err.Error()}})))
		return
	}
	alive := true
	for resp, ok := next(); ok; resp, ok = next() {
		alive = alive && c.sendResult(ctx, op, resp)
		if !alive {
			op.cancel() // continue to read, so that the resolver can close its channel
		}
	}
	if alive {
		c.sendComplete(ctx, op)
	}
}

func (c *conn) sendComplete(ctx context.Context, op *operation) {
	if ctx.Err() == nil { // not stopped by the client
		c.sendJSON(message{ID: op.id, Type: typeComplete})
	}
}

// sendResult sends a result of an operation. It returns false if the operation has failed or
// was stopped, or if its connection has ended.
func (c *conn) sendResult(ctx context.Context, op *operation, resp *graphql.Response) bool {
	if ctx.Err() != nil {
		return false
	}
	if len(resp.Errors) > 0 && len(resp.Data) == 0 {
		c.sendJSON(c.proto.errorMessage(op.id, c.service.rewordErrors(webservice.JSON(resp.Errors))))
		return false
	}
	var t messageFaults
	delta := op.isNextDelta()
	if op.isSubscription {
		t = c.service.faults.nextMessageFaults(delta)
	}
	op.sentResults++
	if t.lose {
		return true
	}
	f := c.dataFrame(op.id, c.service.withHostileTexts(t.applyTo(op.conversion.convertAnswer(encodeResponse(resp, c.service.dialect(), delta)))))
	if t.truncate {
		f.data = f.data[:len(f.data)/2]
	}
	if t.delayed && op.delayedFrame == nil {
		op.delayedFrame = &f
		return true
	}
	ok := c.send(f) && (!t.repeat || c.send(f))
	if op.delayedFrame != nil {
		f, op.delayedFrame = *op.delayedFrame, nil
		ok = ok && c.send(f)
	}
	return ok
}

// isNextDelta reports whether the operation's next result is an update.
func (op *operation) isNextDelta() bool {
	return op.isSubscription && (op.sentResults > 0 || !op.firstIsFull)
}

// dataFrame encodes the message that carries a result of the operation with the given ID.
func (c *conn) dataFrame(id string, payload []byte) frame {
	b := make([]byte, 0, len(payload)+64)
	b = append(b, `{"type":"`...)
	b = append(b, c.proto.dataType()...)
	b = append(b, `","id":`...)
	b = append(b, webservice.JSON(id)...)
	b = append(b, `,"payload":`...)
	b = append(b, payload...)
	return frame{websocket.TextMessage, append(b, '}')}
}
