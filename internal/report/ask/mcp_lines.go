package ask

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxMessageBytes limits the length of a message from the client.
const maxMessageBytes = 256 << 10

// Error codes of JSON-RPC.
const (
	parseError     = -32700
	invalidRequest = -32600
)

// lineGuard reads messages, one a line, and passes on only those that the library can read, because
// any other line would end the session. The client gets an error for it. The methods of a lineGuard
// and its writer may be called concurrently.
type lineGuard struct {
	lines *bufio.Reader
	rest  []byte // rest of the message that was read last

	mu  sync.Mutex
	out io.Writer
}

func newLineGuard(in io.Reader, out io.Writer) *lineGuard {
	return &lineGuard{lines: bufio.NewReaderSize(in, maxMessageBytes), out: out}
}

// Read implements [io.Reader].
func (g *lineGuard) Read(p []byte) (int, error) {
	for len(g.rest) == 0 {
		line, err := g.lines.ReadSlice('\n')
		isTooLong := err == bufio.ErrBufferFull //nolint:errorlint // returned as it is
		for err == bufio.ErrBufferFull {        //nolint:errorlint // returned as it is
			_, err = g.lines.ReadSlice('\n')
		}
		if err != nil && len(bytes.TrimSpace(line)) == 0 {
			return 0, err
		}
		g.accept(line, isTooLong)
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

// accept makes a line the next message, or answers it with an error.
func (g *lineGuard) accept(line []byte, isTooLong bool) {
	line = bytes.TrimSpace(line)
	switch {
	case isTooLong:
		g.refuse(invalidRequest, fmt.Sprintf("the message is longer than %d bytes", maxMessageBytes))
	case len(line) == 0:
	case !json.Valid(line):
		g.refuse(parseError, "the line is not JSON")
	case line[0] != '{':
		g.refuse(invalidRequest, "want one message a line, as a JSON object")
	default:
		if _, err := jsonrpc.DecodeMessage(line); err != nil {
			g.refuse(invalidRequest, "the line is not a JSON-RPC message")
			return
		}
		g.rest = append(bytes.Clone(line), '\n')
	}
}

// refuse sends an error without the id of a request.
func (g *lineGuard) refuse(code int, message string) {
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": message}})
	if err == nil {
		_, _ = g.write(append(text, '\n')) // a client that does not read misses only this message
	}
}

func (g *lineGuard) write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.out.Write(p)
}

// Close implements [io.Closer]. It does nothing: the caller owns the streams.
func (g *lineGuard) Close() error { return nil }

// guardedWriter writes the messages of the library.
type guardedWriter struct{ *lineGuard }

func (g *lineGuard) writer() guardedWriter { return guardedWriter{g} }

// Write implements [io.Writer].
func (w guardedWriter) Write(p []byte) (int, error) { return w.write(p) }
