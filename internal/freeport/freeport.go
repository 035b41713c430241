// Package freeport finds addresses for servers of tests that cannot choose a port of their
// own, because others have to know it before they start.
package freeport

import (
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
)

// The ports are below those that systems give to connections and to listeners on port 0
// (from 32768 on), which may be taken before a server listens there.
const (
	lowest = 20000
	many   = 12000
	apart  = 997 // between the first ones of two processes
)

var given atomic.Uint32

// Addr returns an address of this machine at which nobody listens, another one each time.
func Addr(t testing.TB) string {
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
