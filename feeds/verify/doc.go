// Package verify holds the records of a subscription against the platform's full
// state again and again, in chunks of keys, and decides what of it was lost.
//
// A difference is a suspect at first: the update may be on its way, or the answer
// may come from a replica that is behind. Only what a second look shows again, while
// no update changed it, was lost. It is repaired, and counted by kind.
//
// A [Verifier] belongs to one subscription and says when it wants to look; whose
// turn it is, a [Pacer] of all of them decides. It
// returns what it has found and changes nothing but the records. It is not safe for
// use by several goroutines; the feed's mutex guards it.
package verify
