package cluster

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"wallboard/internal/lib/netconn"
)

// serverLog is the logger of a server. It remembers the last problem that requires an
// administrator.
type serverLog struct {
	log      *slog.Logger
	now      func() time.Time
	fallback func() string // returns a problem if this log has none; may be nil

	acceptFailed chan struct{} // receives a value when the server's own listener for routes fails to accept; may be nil

	mu          sync.Mutex
	lastProblem string
	problemTime time.Time
	isPending   func(text string) bool // reports whether a message is about a pending connection; may be nil
}

// problemDuration is how long a problem is displayed after it was last reported.
const problemDuration = 10 * time.Second

// problem returns the current problem, or else the result of fallback. It returns "" if there
// is no problem and fallback is nil.
func (l *serverLog) problem() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.now().Sub(l.problemTime) <= problemDuration:
		return l.lastProblem
	case l.fallback != nil:
		return l.fallback()
	}
	return ""
}

// setProblem sets the current problem, which expires after problemDuration.
func (l *serverLog) setProblem(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lastProblem, l.problemTime = text, l.now()
}

// setPending sets the function that reports whether a message is about a pending connection.
func (l *serverLog) setPending(isPending func(text string) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.isPending = isPending
}

// isFromUnauthenticated reports whether an error concerns an incoming connection without a
// certificate, which any program can open. Such errors are not reported. If another node has a
// wrong certificate, this node reports the problem when it connects to that node.
func (l *serverLog) isFromUnauthenticated(text string) bool {
	l.mu.Lock()
	isPending := l.isPending
	l.mu.Unlock()
	return isPending != nil && isPending(text)
}

// Noticef implements [server.Logger].
func (l *serverLog) Noticef(format string, args ...any) { l.debug("notice", format, args) }

// debug logs a message of the server at level debug. kind is the kind of the message.
func (l *serverLog) debug(kind, format string, args []any) {
	if ctx := context.Background(); l.log.Enabled(ctx, slog.LevelDebug) {
		l.log.DebugContext(ctx, "nats", "kind", kind, "says", fmt.Sprintf(format, args...))
	}
}

// Debugf implements [server.Logger]. It does nothing.
func (l *serverLog) Debugf(string, ...any) {}

// Tracef implements [server.Logger]. It does nothing.
func (l *serverLog) Tracef(string, ...any) {}

// Warnf implements [server.Logger].
func (l *serverLog) Warnf(format string, args ...any) { l.debug("warning", format, args) }

// Fatalf implements [server.Logger]. The server calls it when it cannot start.
func (l *serverLog) Fatalf(format string, args ...any) {
	l.setProblem(fmt.Sprintf(format, args...))
	l.log.Error("NATS server failed to start", "error", fmt.Sprintf(format, args...))
}

// Errorf implements [server.Logger]. If an administrator can solve the error, Errorf makes it
// the current problem.
func (l *serverLog) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if strings.HasPrefix(text, "Temporary Route Accept Error") {
		select { // tell takeOverRoutePort, unless it was told already
		case l.acceptFailed <- struct{}{}:
		default:
		}
		return
	}
	l.log.Debug("nats fails", "says", text)
	if l.isFromUnauthenticated(text) {
		return
	}
	problem := describeProblem(text, args)
	if problem == "" {
		return
	}
	if l.problem() != problem {
		l.log.Warn("cluster", "trouble", problem, "says", text)
	}
	l.setProblem(problem)
}

// describeProblem describes an error of the server that an administrator can solve. For other
// errors, which mostly mean that a node is down, it returns "".
func describeProblem(text string, args []any) string {
	for _, arg := range args {
		err, isErr := arg.(error)
		if !isErr || netconn.TLSProblem(err) == "" {
			continue
		}
		var cert *tls.CertificateVerificationError
		if errors.As(err, &cert) {
			return "a node is refused: its certificate is not from the cluster's authority (ca_file), is expired, or is for another host"
		}
		return "a node refuses this one, or shows no certificate: check that tls_cert_file, tls_key_file and ca_file are from the same authority on both"
	}
	switch {
	case strings.Contains(text, "cluster name"):
		return "a node of another cluster is refused: its [cluster] name is different"
	case strings.Contains(text, "Duplicate Route"), strings.Contains(text, "has duplicate name"), strings.Contains(text, "duplicate server name"):
		return "two nodes have the same name: give each its own [cluster] node"
	}
	return ""
}
