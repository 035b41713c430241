package testkit

import (
	"flag"
	"os"
	"runtime/debug"
)

// The limits for garbage collection in test binaries: growth in percent of the live heap,
// and total bytes.
const (
	gcPercent   = 1600
	memoryLimit = 512 << 20
)

// ReduceGC makes garbage collection rare, unless GOGC is set or benchmarks run. Call it in
// TestMain; flags must be defined before.
func ReduceGC() {
	flag.Parse()
	if os.Getenv("GOGC") != "" || flag.Lookup("test.bench").Value.String() != "" {
		return
	}
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(memoryLimit)
}
