package graphql

import (
	"net"
	"syscall"
)

// setLowWaterMark makes the kernel report data on a network connection only once n bytes have
// arrived. It does nothing for another kind of connection.
func setLowWaterMark(conn net.Conn, n int) {
	if limited, ok := conn.(*limitedConn); ok {
		conn = limited.Conn
	}
	network, ok := conn.(syscall.Conn)
	if !ok {
		return
	}
	raw, err := network.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { // an error only means that the program wakes up more often
		_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVLOWAT, n)
	})
}
