// Package merge merges the partial updates of the real-time display service into records of package
// model, in one pass over the bytes.
//
// A [Plan] is built once from a record type and the selection of the GraphQL document. It drives
// the scan: servers answer in the order of the selection, so the next field is predictable, and a
// single comparison skips null fields and matches the following key. There is no patch type and no
// intermediate tree.
//
// The rules (document 2, section Events): null and absent members leave a field unchanged; 0, ""
// and [] are values. Plain lists are replaced, and keyed lists merge by key. A changed list is
// always a new slice, because the old slice belongs to published snapshots. Numbers may be
// integers, floats or quoted; a number that does not fit is an error. Text is cleaned. A record is
// valid only if the whole message is valid: the caller merges into copies and discards them after
// an error.
//
// The package starts no goroutines. A Plan contains scratch memory and must not be used
// concurrently.
package merge
