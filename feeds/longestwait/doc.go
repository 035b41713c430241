// Package longestwait derives how long the longest waiting caller of a service has
// waited, where the platform does not send it.
//
// Document 2 leaves open whether maxTimeCallOnQueue is the longest current wait or
// the longest of the day. A [Tracker] finds out which, per channel, from how the
// field behaves, and follows the callers of each queue by the counters: they tell
// when a caller came and when one left, but not which one. A queue is served in
// the order of arrival, except that a caller who is given up by the platform, or
// by themselves, may stand anywhere, and that a caller may be offered at once to
// an agent who cannot take the others. Three assumptions about who left give an
// estimate and its bounds.
//
// The package is pure: it is told the time.
package longestwait
