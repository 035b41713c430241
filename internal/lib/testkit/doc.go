// Package testkit holds helpers that tests of several packages use. They check that parsers
// take time and memory in proportion to the length of a text, and that clients survive answers
// that never end. They compare generated parts of the documentation, find free addresses, and
// make garbage collection rare. The package starts no goroutines that outlive a test.
package testkit
