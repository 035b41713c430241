package testkit

import (
	"flag"
	"os"
	"runtime/debug"
)

// Settings of the garbage collector in test binaries. A collection starts when the heap has
// grown by gcPercent percent, or when it reaches memoryLimit bytes.
const (
	gcPercent   = 1600
	memoryLimit = 512 << 20
)

// ReduceGC makes garbage collection rare, unless GOGC is set or benchmarks run. TestMain must
// define its flags before it calls ReduceGC, which parses them.
func ReduceGC() {
	flag.Parse()
	if os.Getenv("GOGC") != "" || flag.Lookup("test.bench").Value.String() != "" {
		return
	}
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(memoryLimit)
}
