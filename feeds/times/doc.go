// Package times finds out in which unit a platform tells times whose unit
// document 2 does not show, and reads them.
//
// A unit is never taken from the size of a number alone. Two full states some
// seconds apart tell: a number that grew by as many seconds is a length in
// seconds, one that grew by a thousand times as much one in milliseconds, and
// one that stayed what it was is an instant if it can be one. Until that is known, a
// value is unknown. Texts tell their form themselves, but for the zone of those
// that have none, which a change tells that was just reported.
//
// The package starts no goroutine. A [Learner] must be used by one goroutine at
// a time.
package times
