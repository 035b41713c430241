// Package resource holds what the configuration REST service (document 1)
// knows and does: its resources, the requests for its actions, and what became
// of them.
//
// It is pure: no goroutine, no clock, no I/O. Text that came from the platform
// is clean in every field: of one line (see model.CleanText) unless the field
// is tagged clean:"body" (see [CleanBody]). Only a json.RawMessage is as it came.
//
// Reading is tolerant: null is nothing, a number may stand in quotes, and a
// value of a wrong type leaves its field empty. What was read and is written
// back unchanged goes out as it came, byte for byte, with the fields and the
// values that document 1 does not name; so a changed copy must be made from the
// resource that was read. Unmarshalling replaces all of a resource.
//
// In resources that are written, a pointer that is nil, an empty string, a nil
// slice and a zero [Time] mean "not given".
package resource
