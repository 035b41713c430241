// Package webservice holds the code that the services of the simulated platform share: accounts,
// sessions and access tokens, JSON encoding, GraphQL requests over HTTP, dates, hostile texts, and
// aborting connections.
//
// A [Plan] encodes the results of queries and subscriptions as JSON. It writes the same bytes as
// graphql-go, but faster: graphql-go looks up every field again for every result, whereas a plan is
// compiled once for a selection and a Go type and then only reads struct fields. A plan supports
// the views of the simulator: structs with the fields of the schema, nil pointers for null, and
// [Union]. [Schema.Compile] refuses everything else, such as directives; the caller then lets
// graphql-go encode the result.
//
// An [Authority] holds the accounts and checks sessions and tokens.
//
// The package starts no goroutines. A plan is safe for concurrent use.
package webservice

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// MaxBody is the maximum size of a request body in bytes. For comparison, a filter with 10,000
// names takes 200 kB.
const MaxBody = 16 << 20

// DateLayout is the layout of ISO 8601 dates in UTC with milliseconds.
const DateLayout = "2006-01-02T15:04:05.000Z"

// JSON encodes v. It panics if v cannot be encoded.
func JSON(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// FormatDate formats an instant as ISO 8601 in UTC with milliseconds.
func FormatDate(t time.Time) string { return t.UTC().Format(DateLayout) }

// CheckOneOf returns an error if v is not one of the allowed values.
func CheckOneOf[T ~string](name string, v T, allowed ...T) error {
	if slices.Contains(allowed, v) {
		return nil
	}
	return fmt.Errorf("%s %q: want one of %q", name, v, allowed)
}

// Request is a GraphQL request: the body of a POST, or the payload that starts an operation on
// a WebSocket.
type Request struct {
	Query         string         `json:"query"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
}

// ParseRequest decodes a request from JSON. ok is false if data is not valid JSON or contains no
// query.
func ParseRequest(data []byte) (req Request, ok bool) {
	err := json.Unmarshal(data, &req)
	return req, err == nil && req.Query != ""
}

// ReadRequest reads a GraphQL request from an HTTP GET or POST. It returns status 200 if the
// request can be executed, and otherwise the status of the answer that the caller must send.
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

// SleepContext waits for d and returns true. If ctx ends first, for example because the client
// disconnected, it returns false.
func SleepContext(ctx context.Context, d time.Duration) bool {
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

// Abort closes a connection at once. If c, or a connection wrapped by c, has a method Abort,
// it calls that method. Otherwise it closes the innermost connection.
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
	_ = c.Close() // the peer gets no answer in any case
}

// PanicLogger is a logger for the panics of GraphQL resolvers.
type PanicLogger struct{ *slog.Logger }

// LogPanic logs value, the argument of a resolver's panic.
func (l PanicLogger) LogPanic(ctx context.Context, value any) {
	l.ErrorContext(ctx, "resolver panicked", "value", value)
}

// SetLocked sets a variable guarded by mu.
func SetLocked[T any](mu sync.Locker, variable *T, value T) {
	mu.Lock()
	defer mu.Unlock()
	*variable = value
}

// GetLocked returns the value of a variable guarded by mu.
func GetLocked[T any](mu sync.Locker, variable *T) T {
	mu.Lock()
	defer mu.Unlock()
	return *variable
}
