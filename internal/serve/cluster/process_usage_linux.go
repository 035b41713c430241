//go:build !race && !nonatsserver

package cluster

import _ "unsafe" // for go:linkname

// statFile is the file from which a package of the NATS server reads the CPU time of the process. The
// package reads the file once a second in every program that contains it, even if no server runs, which
// would wake up an idle board. It has no option against that, but stops at the first error.
// TestUsageIsNotSampled fails if the library changes. The race detector would report the change of
// the variable, which happens a second before the next read.
//
//go:linkname statFile github.com/nats-io/nats-server/v2/server/pse.procStatFile
var statFile string

// The package of the server is initialized before this one, so it does not set the name again.
var _ = stopSampling()

func stopSampling() struct{} {
	statFile = ""
	return struct{}{}
}
