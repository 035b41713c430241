package rest

import (
	"bytes"
	"net"
	"strings"
	"sync"
	"syscall"

	"wallboard/internal/simulator/webservice"
)

// cutListener accepts connections that faults can cut at any byte of a REST request or its answer.
type cutListener struct {
	net.Listener

	faults     *Faults
	pathPrefix string // path prefix of REST requests
}

// Listen returns a listener whose connections are cut according to [Faults.CutRequest] and
// [Faults.CutResponse]. The listener counts bytes of HTTP, so it must wrap the TLS listener
// instead of being wrapped by it.
func (s *Service) Listen(l net.Listener) net.Listener {
	return cutListener{l, s.faults, s.opts.Path}
}

// Accept waits for the next connection.
func (l cutListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &cutConn{Conn: c, faults: l.faults, pathPrefix: l.pathPrefix}, nil
}

// cutConn counts the bytes of requests and answers on a connection, and cuts the connection
// according to the faults. The first byte read after an answer has begun belongs to the next
// request, because clients wait for the answer.
type cutConn struct {
	net.Conn

	faults     *Faults
	pathPrefix string

	mu                          sync.Mutex // guards the fields below
	firstLine                   []byte     // part of the request's first line read so far; nil once isRequestIdentified is set
	isRequestIdentified         bool
	isAnswering                 bool
	requestBytes, responseBytes int // bytes of the request and of its answer
	cutRequest                  cutPoint
	cutResponse                 cutPoint
}

// NetConn returns the wrapped connection.
func (c *cutConn) NetConn() net.Conn { return c.Conn }

// Read returns no bytes beyond the request's cut. After the last byte before it, Read resets the connection.
func (c *cutConn) Read(p []byte) (int, error) {
	if c.atRequestCut() {
		return 0, c.resetConn()
	}
	n, err := c.Conn.Read(p)
	keep := c.countRequestBytes(p[:n])
	if keep < n && keep == 0 {
		return 0, c.resetConn()
	}
	if keep < n {
		return keep, nil // the next Read cuts the connection
	}
	return n, err
}

// atRequestCut reports whether all bytes before the request's cut have been read.
func (c *cutConn) atRequestCut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cutRequest.isSet && c.requestBytes >= c.cutRequest.afterBytes
}

// countRequestBytes counts b, the bytes just read, as part of a request. It returns how many of
// these bytes are before the cut.
func (c *cutConn) countRequestBytes(b []byte) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isAnswering && len(b) > 0 {
		c.isAnswering, c.isRequestIdentified, c.firstLine, c.requestBytes, c.responseBytes = false, false, nil, 0, 0
		c.cutRequest, c.cutResponse = cutPoint{}, cutPoint{}
	}
	if !c.isRequestIdentified {
		c.identifyRequest(b)
	}
	c.requestBytes += len(b)
	if excess := c.requestBytes - c.cutRequest.afterBytes; c.cutRequest.isSet && excess > 0 {
		c.requestBytes -= min(excess, len(b))
		return len(b) - min(excess, len(b))
	}
	return len(b)
}

// identifyRequest appends b to the first line of a request. When the line is complete, it
// takes the cuts for this request from [Faults]. The caller must hold mu.
func (c *cutConn) identifyRequest(b []byte) {
	const maxLine = 16 << 10
	c.firstLine = append(c.firstLine, b...)
	end := bytes.IndexByte(c.firstLine, '\n')
	isRequest := len(c.firstLine) > 0 && c.firstLine[0] >= 'A' && c.firstLine[0] <= 'Z' // and not a WebSocket frame
	if end < 0 && isRequest && len(c.firstLine) < maxLine {
		return
	}
	c.isRequestIdentified = true
	line := c.firstLine[:max(end, 0)]
	c.firstLine = nil
	method, target, _ := strings.Cut(string(line), " ")
	if path, ok := strings.CutPrefix(target, c.pathPrefix); ok && strings.HasPrefix(path, "/rest/") {
		c.cutRequest, c.cutResponse = c.faults.takeCut(method + " " + path)
	}
}

// Write does not write beyond the answer's cut. At a cut, it closes or resets the connection.
func (c *cutConn) Write(b []byte) (int, error) {
	c.mu.Lock()
	c.isAnswering = true
	allowed := len(b)
	switch {
	case c.cutRequest.isSet && c.requestBytes >= c.cutRequest.afterBytes:
		allowed = 0 // the server has not noticed yet that the connection is gone
	case c.cutResponse.isSet:
		allowed = min(allowed, max(0, c.cutResponse.afterBytes-c.responseBytes))
	}
	c.responseBytes += allowed
	isFirst := c.responseBytes == 0
	c.mu.Unlock()
	switch {
	case allowed == len(b):
		return c.Conn.Write(b)
	case isFirst:
		return 0, c.resetConn()
	case allowed > 0:
		allowed, _ = c.Conn.Write(b[:allowed]) // the connection is cut in any case
	}
	_ = c.Close() // close normally, so that the client receives the written part
	return allowed, syscall.ECONNRESET
}

// resetConn aborts the connection. It returns an error that keeps net/http from sending an answer.
func (c *cutConn) resetConn() error {
	webservice.Abort(c.Conn)
	return &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
}
