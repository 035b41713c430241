// Package times finds out in which unit a platform tells times whose unit
// document 2 does not show, and reads them.
//
// Each unit of a field is a hypothesis. Its prior comes from the document, whose
// times are seconds and whose Date is an instant. Its evidence comes from full
// states: from the position of the numbers in one of them (an instant lies within
// a day of now, an elapsed time within some hours), and from their change between
// two of them (an instant stands still, an elapsed time grows by a second per
// second). The likeliest unit is used at once. It is presumed until two full
// states agree, and known from then on. A full state that contradicts it changes
// it. A unit in which most numbers are impossible is never used.
//
// A text tells its form itself. The zone of an instant without one is a
// hypothesis as well.
//
// The package starts no goroutine. A [Learner] must be used by one goroutine at
// a time.
package times
