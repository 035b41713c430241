// Package seldom is for the tests of this module. They compute more than they keep,
// and looking for garbage would be up to a third of all that they do.
package seldom

import (
	"flag"
	"os"
	"runtime/debug"
)

// What a test binary may grow to before garbage is looked for: so many percent of
// what is in use, and so many bytes.
const (
	percent = 1600
	bytes   = 512 << 20
)

// Collect has garbage collected seldom, unless somebody has said otherwise or
// something is measured. It is for a TestMain, which may set flags before.
func Collect() {
	flag.Parse()
	if os.Getenv("GOGC") != "" || flag.Lookup("test.bench").Value.String() != "" {
		return
	}
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(bytes)
}
