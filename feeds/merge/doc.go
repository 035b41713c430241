// Package merge merges the partial updates of the real-time display service
// onto records of package model, in one pass over the bytes.
//
// A [Plan] is built once from a record type and the selection of the GraphQL
// document that asks for it. It drives the scan: servers answer in the order of
// the selection, so that what comes next is predicted, and one comparison passes
// over fields that are null and finds the key behind them. There is no patch
// type and no intermediate tree.
//
// The rules (document 2, section Events): null and absent leave a field as it
// is; 0, "" and [] are values. Plain lists are replaced, keyed lists merge by
// their key, and both always become fresh slices, because the old ones belong
// to published snapshots. Numbers may come as integers, as floats or quoted;
// they never wrap. Text is cleaned on the way in. A record is only good when
// the whole message was: the caller merges onto copies and keeps them when no
// error came back.
//
// The package starts no goroutine. A Plan keeps scratch memory and must be used
// by one goroutine at a time.
package merge
