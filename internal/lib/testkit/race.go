//go:build race

package testkit

// Race reports whether the race detector is on. With the race detector, programs are about ten
// times slower and use twice the memory.
const Race = true
