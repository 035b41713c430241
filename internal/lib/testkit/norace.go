//go:build !race

package testkit

// Race reports whether the race detector is on: everything is about ten times slower, and
// uses twice the memory.
const Race = false
