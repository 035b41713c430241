package netconn

import (
	"net/http"
	"strings"
	"testing"
)

func TestChallenge(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		status  int
		headers []string
		want    string // part of the text before UnsupportedLogin; "": no text
	}{
		{"no header", 401, nil, ""},
		{"another status", 403, []string{"Negotiate"}, ""},
		{"Kerberos", 401, []string{"Negotiate"}, "login Negotiate (Kerberos), "},
		{"small letters and data", 401, []string{"negotiate YII="}, "login Negotiate (Kerberos), "},
		{"two headers", 401, []string{"Negotiate", "NTLM"}, "login Negotiate (Kerberos) or NTLM (Windows), "},
		{"two in one header", 401, []string{"Negotiate, NTLM"}, "login Negotiate (Kerberos) or NTLM (Windows), "},
		{"parameters", 401, []string{`Digest realm="a, Basic b", qop="auth", nonce = "\"x, y"`}, "login Digest, "},
		{"one of them is supported", 401, []string{"Negotiate", `Basic realm="x"`}, ""},
		{"a session", 401, []string{`Bearer error="invalid_token"`}, ""},
		{"only supported after parameters", 401, []string{`Digest realm="x", algorithm=MD5, Basic realm="y"`}, ""},
		{"twice", 401, []string{"NTLM", "ntlm TlRM"}, "login NTLM (Windows), "},
		{"no method", 401, []string{"", " , ", `realm="x"`, "=", strings.Repeat("x", 100), "<script>"}, ""},
		{"a form", 401, []string{"FormBased"}, ""},
		{"hidden from browsers", 401, []string{`xBasic realm="x"`, "Negotiate"}, ""},
	}
	for _, tt := range tests {
		h := http.Header{"Www-Authenticate": tt.headers}
		got := Challenge(tt.status, h)
		if tt.want == "" && got != "" || tt.want != "" && !strings.HasSuffix(got, tt.want+UnsupportedLogin) {
			t.Errorf("%s: got %q", tt.name, got)
		}
	}
}
