// Package timeunit detects the units of times for which document 2 shows none, and parses such
// times.
//
// Each possible unit of a field is a hypothesis. Its prior follows from the document, whose times
// are in seconds and whose Date is an instant. Full states provide evidence: by the values of
// numbers (an instant is within a day of now, an elapsed time is some hours at most) and by their
// change between two full states (an instant stays the same, an elapsed time grows by a second per
// second). The most likely unit is used at once. It is presumed until two full states agree, and
// known afterwards. Full states that contradict it can change it again. A unit in which most
// numbers are impossible is never used.
//
// Text shows its own format. The time zone of text without a zone is also a hypothesis.
//
// The package starts no goroutines. A [Learner] must not be used concurrently.
package timeunit
