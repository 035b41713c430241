// Package testkit holds helpers for tests of several packages. They check that readers of
// foreign text take time and memory in proportion to its length, run clients against servers
// whose answers never end, compare generated parts of the documentation, find free
// addresses, and make garbage collection rare. It starts no goroutines that outlive a test.
package testkit
