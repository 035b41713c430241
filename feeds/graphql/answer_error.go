package graphql

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"strings"
	"syscall"
)

// InvalidHTTPError means that a proxy refused the request or that the answer is not valid HTTP. It
// does not wrap the error of net/http, which may quote a header of the answer, for instance one
// with a session ID.
type InvalidHTTPError struct{ Reason string }

// Error implements error.
func (e *InvalidHTTPError) Error() string { return e.Reason }

// RedactHTTPError returns err, the error of a request or upgrade, without the address and without
// content of the answer. All HTTP clients of the service use it.
func RedactHTTPError(err error) error {
	var (
		quoted textproto.ProtocolError
		op     *net.OpError
		dns    *net.DNSError
		errno  syscall.Errno
		secure *TLSError
		u      *url.Error
	)
	if errors.As(err, &u) {
		err = u.Err // url.Error contains the address
	}
	switch {
	case err == nil:
		return nil
	case errors.As(err, &quoted):
		return &InvalidHTTPError{"a header of the answer is malformed"}
	case errors.As(err, &op), errors.As(err, &dns), errors.As(err, &errno), errors.As(err, &secure),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.ErrClosedPipe),
		errors.Is(err, net.ErrClosed), errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, ErrHandshakeTooLong),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), isTimeout(err), isTLS(err):
		return err
	case strings.Contains(err.Error(), "response headers exceeded"):
		return &InvalidHTTPError{"the headers of the answer are too long"}
	}
	if name := statusName(err.Error()); name != "" {
		return &InvalidHTTPError{"the proxy answers with " + name}
	}
	return &InvalidHTTPError{"the answer is not one of HTTP"}
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// statusName returns text if it is Go's text for an HTTP error status, otherwise "". If a proxy
// refuses a tunnel, the error of net/http consists of only this text.
func statusName(text string) string {
	for code := http.StatusMultipleChoices; code <= http.StatusNetworkAuthenticationRequired; code++ {
		if name := http.StatusText(code); name != "" && text == name {
			return name
		}
	}
	return ""
}

// isTLS reports whether err is a TLS error. TLS errors may quote names in certificates, but no part
// of an answer.
func isTLS(err error) bool {
	var (
		cert   *tls.CertificateVerificationError
		record tls.RecordHeaderError
		alert  tls.AlertError
	)
	return errors.As(err, &cert) || errors.As(err, &record) || errors.As(err, &alert) ||
		strings.HasPrefix(err.Error(), "tls: ") || strings.HasPrefix(err.Error(), "http: server gave HTTP response")
}
