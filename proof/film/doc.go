// Package film measures recordings of a simulated floor: what they take, and what they
// cost, beside other ways to keep the same. It has no code of its own: it is all tests and
// benchmarks.
//
//	go test ./proof/film -run '^$' -bench .
package film
