package doctor

import (
	"crypto/x509"
	"strings"
	"testing"

	"wallboard/internal/lib/netconn"
)

func TestConnectionRemedy(t *testing.T) {
	t.Parallel()
	early := x509.CertificateInvalidError{Reason: x509.Expired, Detail: "current time 2026-11-30T10:00:00Z is before 2027-06-01T00:00:00Z"}
	reason := "TLS: the certificate is " + netconn.OutsideValidity(early)
	if !strings.HasSuffix(reason, "not yet valid: by the clock of this machine, 2026-11-30T10:00:00Z is before 2027-06-01T00:00:00Z") {
		t.Error(reason)
	}
	for text, want := range map[string]string{
		reason:                           "set the clock of this machine",
		"cannot connect: no such host":   "usual",
		"x, " + netconn.UnsupportedLogin: netconn.UnsupportedLoginRemedy,
	} {
		if got := ConnectionRemedy(text, "usual"); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q", text, got)
		}
	}
}
