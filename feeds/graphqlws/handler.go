package graphqlws

// Handler receives what the server sends. Its methods are called by the reader
// goroutine, in the order of the frames, one at a time. They may call Subscribe,
// Unsubscribe and Abort, but not Close.
type Handler interface {
	// Next brings one result: the ExecutionResult object as it came, which may
	// hold errors beside its data. The bytes are valid only during the call.
	Next(id string, payload []byte)
	// Fail ends an operation that failed: an error message, or a result with
	// errors and without data. There is at least one error.
	Fail(id string, errs []GraphQLError)
	// Complete ends an operation that the server is done with. It is not called
	// after Fail.
	Complete(id string)
	// Bad reports a frame that is not JSON or has no meaning. It is never fatal.
	// lost reports whether it may have held data. The bytes are valid only during
	// the call.
	Bad(reason string, frame []byte, lost bool)
}
