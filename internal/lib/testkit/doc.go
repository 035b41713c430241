// Package testkit contains helpers that the tests of several packages share. Some helpers check
// that the time and memory of parsers are proportional to the length of their input, and that
// clients survive endless answers. Others compare generated parts of the documentation, find free
// addresses, or make garbage collection rare. The package starts no goroutines that outlive a test.
package testkit
