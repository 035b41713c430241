// Package proof holds the board to its promise: at any second, every figure is
// the platform's value of at most 62 seconds ago, or marked. Its test lets the
// real feed run against the real simulator, in simulated time and over
// connections in memory, through a published schedule of faults, and compares
// every field of every record with the platform's own truth every simulated
// second (docs/proof.md).
//
//	make proof SEED=1 DAYS=14
//
// The package has no code of its own: it is all tests.
package proof
