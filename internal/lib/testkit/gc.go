package testkit

import (
	"flag"
	"os"
	"runtime/debug"
)

// Settings of the garbage collector in test binaries: the growth of the heap in percent that
// starts a collection, and the memory limit in bytes.
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
