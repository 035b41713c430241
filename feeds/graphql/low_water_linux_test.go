package graphql

import (
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
)

// TestLowWaterMark checks that the kernel gets the mark of a paused connection, that data which
// arrives meanwhile is read after the pause, and that a paused reader notices a closed connection.
func TestLowWaterMark(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	near, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = near.Close() }()
	far, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	conn := &limitedConn{Conn: near}
	conn.removeLimit()
	for _, n := range []int{readBufferSize, 1, readBufferSize} {
		if setLowWaterMark(conn, n); lowWaterMark(t, near) != n {
			t.Fatalf("the mark is %d, want %d", lowWaterMark(t, near), n)
		}
	}
	if _, err := far.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	setLowWaterMark(conn, 1)
	buf := make([]byte, 10)
	if n, err := conn.Read(buf); n != 1 || err != nil {
		t.Fatalf("read %d bytes: %v", n, err)
	}
	setLowWaterMark(conn, readBufferSize)
	_ = far.Close()
	if _, err := conn.Read(buf); !errors.Is(err, io.EOF) {
		t.Errorf("the end of the connection: %v", err)
	}
	setLowWaterMark(&limitedConn{}, 1) // a connection of another kind is left unchanged
}

func lowWaterMark(t *testing.T, conn net.Conn) (n int) {
	t.Helper()
	network, ok := conn.(syscall.Conn)
	if !ok {
		t.Fatalf("a connection of type %T", conn)
	}
	raw, err := network.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Control(func(fd uintptr) {
		n, err = syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVLOWAT)
	}); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}
