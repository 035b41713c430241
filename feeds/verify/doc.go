// Package verify repeatedly compares the records of a subscription with the
// platform's full state, in chunks of keys, and decides which updates were
// lost.
//
// A difference is only a suspect at first: the update may be on its way, or the
// answer may come from a lagging replica. If a second check finds the same
// difference and no update has changed the value, an update was lost. The value
// is repaired, and counted by kind.
//
// A [Verifier] belongs to one subscription; a [Pacer] decides whose turn it is.
// A Verifier changes only the records and returns its findings. It is not safe
// for concurrent use; the feed's mutex guards it.
package verify
