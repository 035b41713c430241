// Package counters derives from the counters of services what document 2
// leaves open or does not send. It is pure: the caller passes the time.
//
// A [Checker] checks the meanings that the board assumes: currentCalls and
// connectedCall count present calls; averageTimeOnQueue is the average over all
// calls answered since the daily reset. It changes no figures; it reports which
// assumption is contradicted and what to configure.
//
// A [WaitTracker] derives the longest current wait in the queue of a service,
// for platforms that do not send it. Document 2 does not say whether
// maxTimeCallOnQueue is the longest current wait or the longest of the day. The
// tracker detects this for each channel from the values of the field. It follows
// the callers of each queue with the counters, which show when a caller arrived or
// left, but not which one.
// Queues are served in order of arrival, with two exceptions: an abandoned or
// rejected caller may be at any position, and a caller may be offered at once
// to an agent who cannot take the others. Three assumptions about who left give
// an estimate and its bounds.
package counters
