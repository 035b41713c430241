package testkit

import (
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
)

// Range of the ports that [FreeAddr] tries. It is below 32768, because systems use higher
// ports for outgoing connections and for listeners on port 0, so a higher port could be taken
// before the test uses it.
const (
	lowestPort = 20000
	portCount  = 12000
	portStride = 997 // distance between the first ports of two processes
)

var triedPorts atomic.Uint32

// FreeAddr returns a free TCP address of this machine. Each call returns a different address.
func FreeAddr(t testing.TB) string {
	t.Helper()
	for range portCount {
		port := lowestPort + (os.Getpid()*portStride+int(triedPorts.Add(1)))%portCount
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		if l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", addr); err == nil {
			_ = l.Close()
			return addr
		}
	}
	t.Fatal("there is no free port")
	return ""
}
