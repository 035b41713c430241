package graphql

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"wallboard/internal/lib/netconn"
)

// maxReasonLength is the maximum length in bytes of the reason in a close frame (RFC 6455, section
// 5.5). Most server texts in an error are cut to this length.
const maxReasonLength = 123

// ErrorReason describes an error of a login, of [Dial] or of [Conn.Err] in one line, for display. The result
// contains no query of an address. Server text in the result is cut, but the caller must clean it and remove
// secrets.
func ErrorReason(err error) string {
	var (
		refused   *RefusedError
		handshake *HandshakeError
		sub       *SubprotocolError
		secure    *TLSError
		ack       *AckError
		closed    *CloseError
		dead      *DeadLinkError
	)
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refused), IsUnauthorized(err):
		return err.Error()
	case errors.As(err, &handshake):
		return handshakeReason(handshake)
	case errors.As(err, &sub):
		return fmt.Sprintf("server chose an unknown sub-protocol: %s", clipLine(sub.Chosen))
	case errors.As(err, &secure):
		return "TLS: " + tlsReason(secure.Err)
	case errors.As(err, &ack):
		if ack.Message == "" {
			return "session refused without a reason"
		}
		return "session refused: " + clipLine(ack.Message)
	case errors.As(err, &closed):
		return closeReason(closed)
	case errors.Is(err, ErrInternal):
		return "internal error, see the log"
	case errors.As(err, &dead):
		return fmt.Sprintf("dead link: no data for %v", dead.Idle.Round(time.Second))
	}
	return otherReason(err)
}

func handshakeReason(e *HandshakeError) string {
	s := fmt.Sprintf("upgrade answered with %d %s", e.Status, http.StatusText(e.Status))
	if e.Location != "" {
		s += ", redirect to " + clipLine(e.Location) + " not followed"
	}
	if e.Challenge != "" {
		s += "; " + e.Challenge
	}
	if e.RetryAfter > 0 {
		s += fmt.Sprintf(", retry after %v", e.RetryAfter)
	}
	return strings.TrimSpace(s)
}

func closeReason(e *CloseError) string {
	switch {
	case e.Code == closeAbnormal:
		return "connection lost: " + networkReason(e.Err)
	case e.Reason == "":
		return fmt.Sprintf("closed with %d", e.Code)
	}
	return fmt.Sprintf("closed with %d: %s", e.Code, clipLine(e.Reason))
}

func tlsReason(err error) string {
	var (
		host    x509.HostnameError
		unknown x509.UnknownAuthorityError
		invalid x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &host):
		return "the certificate is for another host"
	case errors.As(err, &unknown):
		return "the certificate is signed by an unknown authority; if it is yours, name it in ca_file"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the certificate is " + netconn.OutsideValidity(invalid)
	}
	var header tls.RecordHeaderError
	if errors.As(err, &header) {
		return "the server does not speak TLS on this port"
	}
	return clipLine(strings.TrimPrefix(err.Error(), "tls: "))
}

func networkReason(err error) string {
	var (
		dns   *net.DNSError
		errno syscall.Errno
		netIs net.Error
	)
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "ended without a close frame"
	case errors.As(err, &dns):
		return "host name not resolved"
	case errors.As(err, &errno):
		return errno.Error()
	case errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &netIs) && netIs.Timeout():
		return "timed out"
	}
	return clipLine(strings.TrimPrefix(err.Error(), "websocket: "))
}

func otherReason(err error) string {
	var (
		op  *net.OpError
		dns *net.DNSError
		u   *url.Error
	)
	switch {
	case errors.As(err, &op), errors.As(err, &dns), errors.Is(err, os.ErrDeadlineExceeded):
		return "cannot connect: " + networkReason(err)
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	case errors.As(err, &u): // the text of url.Error contains the whole address
		return clipLine(u.Err.Error())
	}
	return clipLine(strings.TrimPrefix(err.Error(), "graphql: "))
}

// clipLine returns a server text as one line, cut to maxReasonLength bytes.
func clipLine(s string) string {
	s = truncate(s, maxReasonLength)
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, s)
}

// truncate cuts a string to at most limit bytes. It does not cut within a rune.
func truncate(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
