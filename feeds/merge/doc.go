// Package merge merges the partial updates of the real-time display service
// into records of package model, in one pass over the bytes.
//
// A [Plan] is built once from a record type and the selection of the GraphQL
// document. It drives the scan: servers answer in the order of the selection,
// so the next field is predictable, and a single comparison skips null fields
// and matches the following key. There is no patch type and no intermediate
// tree.
//
// The rules (document 2, section Events): null and absent leave a field
// unchanged; 0, "" and [] are values. Plain lists are replaced, keyed lists
// merge by key, and both always become new slices, because the old ones belong
// to published snapshots. Numbers may be integers, floats or quoted; they never
// overflow. Text is cleaned. A record is only valid if the whole message was:
// the caller merges into copies and keeps them if there was no error.
//
// The package starts no goroutines. A Plan contains scratch memory and must not
// be used concurrently.
package merge
