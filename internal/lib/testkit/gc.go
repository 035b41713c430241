package testkit

import (
	"flag"
	"os"
	"runtime/debug"
)

// Settings of the garbage collector in test binaries. A collection starts when the heap has grown
// by the given percentage, or when it reaches the memory limit, which is in bytes.
const (
	gcPercent   = 1600
	memoryLimit = 512 << 20
)

// ReduceGC makes garbage collection rare, unless GOGC is set or benchmarks run. TestMain calls
// it after it has defined its flags, because ReduceGC parses them.
func ReduceGC() {
	flag.Parse()
	if os.Getenv("GOGC") != "" || flag.Lookup("test.bench").Value.String() != "" {
		return
	}
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(memoryLimit)
}
