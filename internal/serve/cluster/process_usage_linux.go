//go:build !race && !nonatsserver

package cluster

import _ "unsafe" // for go:linkname

// statFile is the file from which a package of the NATS server reads the CPU time of the process. It
// reads it once a second from the start of every program that contains the server, also if no server
// runs, and has no option against that: these reads are a wake-up of an idle board every second. It
// stops at the first error. TestUsageIsNotSampled fails if the library changes. The race detector
// would report the change, which happens a second before the next read.
//
//go:linkname statFile github.com/nats-io/nats-server/v2/server/pse.procStatFile
var statFile string

// The package of the server is initialized before this one, so it does not set the name again.
var _ = stopSampling()

func stopSampling() struct{} {
	statFile = ""
	return struct{}{}
}
