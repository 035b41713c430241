package graphql

// Handler receives the server's messages. The reader goroutine calls its methods one at a time, in
// frame order. The methods may call Subscribe, Unsubscribe and Abort, but not Close.
type Handler interface {
	// Next delivers a result of the operation id: the ExecutionResult object as received. It may
	// contain errors besides data. payload is valid only during the call.
	Next(id string, payload []byte)
	// Fail reports that the operation id has failed and ended: the server sent an error message, or
	// a result with errors and without data. errs has at least one element.
	Fail(id string, errs []Error)
	// Complete reports that the server has ended the operation id without an error.
	Complete(id string)
	// UnreadableFrame reports a frame that is not valid JSON or that makes no sense in the protocol. The
	// session continues. lost is true if the frame may have contained data. frame is valid only
	// during the call.
	UnreadableFrame(reason string, frame []byte, lost bool)
}
