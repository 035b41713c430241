// Package resource holds the types of the configuration REST service (document 1): its
// resources, the requests for its actions and their outcomes.
//
// The package is pure: no goroutine, no clock, no I/O. All text from the platform is clean:
// a single line (see model.CleanText), or several lines in fields tagged clean:"body" (see
// [CleanBody]). Only a json.RawMessage holds unchanged input.
//
// Reading is tolerant: null counts as absent, numbers may be in quotes, and a value of a wrong type
// leaves its field empty. An unchanged resource is written byte for byte as it was received,
// including fields and values that document 1 does not name; therefore a changed copy must be made
// from the resource that was read. Unmarshalling replaces the whole resource.
//
// In resources to be written, a nil pointer, an empty string, a nil slice and a zero [Time]
// mean "not given".
package resource
