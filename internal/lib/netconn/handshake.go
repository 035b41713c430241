// Package netconn helps with network connections. It limits those that have not
// authenticated yet, and interprets a failed connection or request: why a TLS handshake
// failed, without repeating names from the certificate, which the peer controls, and when a
// server wants the next request (Retry-After).
package netconn

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"strings"
)

// TLSProblem explains why a TLS handshake failed. It returns "" for an error that is not about
// TLS.
func TLSProblem(err error) string {
	var (
		cert   *tls.CertificateVerificationError
		record tls.RecordHeaderError
		alert  tls.AlertError
	)
	switch {
	case errors.As(err, &cert):
		return "the platform's certificate is not trusted: " + certificateProblem(cert)
	case errors.As(err, &record):
		return "the platform does not speak TLS at this address; is it http:// or ws://?"
	case errors.As(err, &alert), err != nil && strings.Contains(err.Error(), "tls: "):
		return "no secure connection could be agreed on; the platform must speak TLS 1.2 or later"
	}
	return ""
}

func certificateProblem(err *tls.CertificateVerificationError) string {
	var (
		unknown x509.UnknownAuthorityError
		host    x509.HostnameError
		invalid x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &unknown):
		return "its issuer is unknown"
	case errors.As(err, &host):
		return "it is for another host"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "it is expired or not yet valid"
	}
	return "it is not valid for this use"
}
