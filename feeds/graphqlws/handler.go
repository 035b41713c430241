package graphqlws

// Handler receives the server's messages. The reader goroutine calls its
// methods one at a time, in frame order. They may call Subscribe, Unsubscribe
// and Abort, but not Close.
type Handler interface {
	// Next delivers a result: the ExecutionResult object as received, which may
	// contain errors besides data. The bytes are valid only during the call.
	Next(id string, payload []byte)
	// Fail ends a failed operation: an error message, or a result with errors
	// and without data. errs has at least one element.
	Fail(id string, errs []GraphQLError)
	// Complete ends an operation that the server has completed. It is not
	// called after Fail.
	Complete(id string)
	// Bad reports a frame that is not JSON or has no meaning. It is never
	// fatal. lost reports whether the frame may have contained data. The bytes
	// are valid only during the call.
	Bad(reason string, frame []byte, lost bool)
}
