// Package wire is what the services of the simulated platform read and write in
// the same way: JSON, GraphQL requests over HTTP, dates, and the end of
// connections. It keeps no state.
package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"time"
)

// MaxBody bounds a request in bytes; a filter with 10,000 names takes 200 kB.
const MaxBody = 16 << 20

// DateForm is ISO 8601 with milliseconds, for times in UTC.
const DateForm = "2006-01-02T15:04:05.000Z"

// JSON encodes a value that always can be.
func JSON(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// Date writes an instant as ISO 8601 in UTC, with milliseconds.
func Date(t time.Time) string { return t.UTC().Format(DateForm) }

// OneOf says that a setting has no such position.
func OneOf[T ~string](what string, v T, allowed ...T) error {
	if slices.Contains(allowed, v) {
		return nil
	}
	return fmt.Errorf("%s %q: want one of %q", what, v, allowed)
}

// Request is a GraphQL request: the body of a POST, and the payload that starts
// an operation on a WebSocket.
type Request struct {
	Query         string         `json:"query"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
}

// ParseRequest reads a request; ok is false when it is none.
func ParseRequest(data []byte) (req Request, ok bool) {
	err := json.Unmarshal(data, &req)
	return req, err == nil && req.Query != ""
}

// ReadRequest reads the request of a GET or a POST, and returns the status to
// answer with, 200 when it can be executed.
func ReadRequest(w http.ResponseWriter, r *http.Request) (Request, int) {
	switch r.Method {
	case http.MethodGet:
		q := r.URL.Query()
		req := Request{Query: q.Get("query"), OperationName: q.Get("operationName")}
		if v := q.Get("variables"); v != "" && json.Unmarshal([]byte(v), &req.Variables) != nil {
			return req, http.StatusBadRequest
		}
		if req.Query == "" {
			return req, http.StatusBadRequest
		}
		return req, http.StatusOK
	case http.MethodPost:
		data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
		if err != nil {
			return Request{}, http.StatusRequestEntityTooLarge
		}
		req, ok := ParseRequest(data)
		if !ok {
			return req, http.StatusBadRequest
		}
		return req, http.StatusOK
	}
	return Request{}, http.StatusMethodNotAllowed
}

// Wait waits for d, or returns false when ctx ends before: the client has gone
// or the server stops.
func Wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// Abort ends a connection without a farewell where the connection beneath,
// through TLS and all, has a method Abort, else by closing it.
func Abort(c net.Conn) {
	for {
		if conn, ok := c.(interface{ Abort() }); ok {
			conn.Abort()
			return
		}
		wrapped, ok := c.(interface{ NetConn() net.Conn })
		if !ok {
			break
		}
		c = wrapped.NetConn()
	}
	_ = c.Close() // nobody is left to be told
}

// PanicLogger logs panics of resolvers.
type PanicLogger struct{ *slog.Logger }

// LogPanic logs the value of a panic.
func (l PanicLogger) LogPanic(ctx context.Context, value any) {
	l.ErrorContext(ctx, "resolver panicked", "value", value)
}
