// Package testkit holds helpers that the tests of several packages use. Some helpers check that the
// time and memory of parsers are proportional to the length of the text, and that clients survive
// answers that never end. Others compare generated parts of the documentation, find free addresses,
// or make garbage collection rare. The package starts no goroutines that outlive a test.
package testkit
