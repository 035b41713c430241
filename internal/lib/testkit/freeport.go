package testkit

import (
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
)

// The ports are below those that systems assign to connections and to listeners on port 0
// (from 32768 on), which may be taken before the server listens.
const (
	lowest = 20000
	many   = 12000
	apart  = 997 // distance between the first ports of two processes
)

var given atomic.Uint32

// FreeAddr returns a free address of this machine, a different one each time.
func FreeAddr(t testing.TB) string {
	t.Helper()
	for range many {
		port := lowest + (os.Getpid()*apart+int(given.Add(1)))%many
		addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
		if l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", addr); err == nil {
			_ = l.Close()
			return addr
		}
	}
	t.Fatal("there is no free port")
	return ""
}
