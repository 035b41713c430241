// Package testkit holds helpers that tests of several packages use. Some helpers check that
// parsers take time and memory in proportion to the length of a text, and that clients survive
// answers that never end. Others compare generated parts of the documentation, find free
// addresses, or make garbage collection rare. The package starts no goroutines that outlive a
// test.
package testkit
