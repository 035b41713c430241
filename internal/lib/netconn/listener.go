package netconn

import "net"

// Listener is a [net.Listener] that returns only the connections that Admit accepts.
type Listener struct {
	net.Listener
	// Admit decides whether to accept a connection and reserves a place for it. If ok is true,
	// closing the connection calls release, possibly more than once; so does the method Release of
	// the connection. If ok is false, the connection is closed at once.
	Admit func(c net.Conn) (release func(), ok bool)
}

// Accept implements [net.Listener]. It returns only connections that Admit has admitted.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if release, ok := l.Admit(c); ok {
			return &admittedConn{Conn: c, release: release}, nil
		}
		_ = c.Close()
	}
}

type admittedConn struct {
	net.Conn
	release func()
}

// Release releases the place of the connection before its end.
func (c *admittedConn) Release() { c.release() }

// Close implements [net.Conn]. It also releases the place of the connection.
func (c *admittedConn) Close() error {
	c.release()
	return c.Conn.Close()
}
