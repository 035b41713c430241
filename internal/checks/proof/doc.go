// Package proof tests the main promise of the board: at any second, each figure is a value that the
// platform had at most 62 seconds ago, or the figure is marked. The test runs the real feed against
// the real simulator in simulated time, over in-memory connections and through a published schedule
// of faults. Every simulated second it compares every field of every record with the platform's own
// state (docs/dev/proof.md).
//
//	make proof SEED=1 DAYS=14
//
// The package consists only of tests.
package proof
