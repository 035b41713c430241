// Package netconn helps with network connections. [SelfSignedCertificate], [OpenCertificate] and [TLSFromSecret]
// provide certificates. A [Limiter] limits connections that have not authenticated yet, [Failures] limits failed
// logins, and a [Listener] admits only some connections. A [ControlSocket] passes commands to a running program.
// [TLSProblem] explains a failed TLS handshake without quoting names from the certificate, which the peer
// controls. [RetryAfter] returns the delay that a server asks for.
package netconn

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"strings"
)

// TLSProblem describes to users why a TLS handshake with the platform failed. It returns "" if
// err is not about TLS.
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
		return "it is " + OutsideValidity(invalid)
	}
	return "it is not valid for this use"
}

// WrongTimePhrase is a phrase in each result of [OutsideValidity].
const WrongTimePhrase = "expired or not yet valid"

// OutsideValidity says that a certificate is expired or not yet valid, with the time of this machine and the
// limit, because a wrong clock has the same effect. The Reason of err must be [x509.Expired].
func OutsideValidity(err x509.CertificateInvalidError) string {
	times := strings.TrimPrefix(err.Detail, "current time ")
	if times == "" {
		return WrongTimePhrase
	}
	return WrongTimePhrase + ": by the clock of this machine, " + times
}
