package config

import (
	"crypto/tls"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"wallboard/internal/lib/testkit"
)

func TestTLSConfig(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes fail on purpose
	server.StartTLS()
	t.Cleanup(server.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	for _, tt := range []struct {
		name, caFile     string
		insecure, trusts bool
	}{
		{"system", "", false, false},
		{"own authority", "ca.pem", false, true},
		{"own authority with a byte order mark", "marked.pem", false, true},
		{"insecure", "", true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := testkit.PrivateDir(t)
			write(t, dir, "ca.pem", string(ca), 0o644)
			write(t, dir, "marked.pem", "\ufeff"+string(ca), 0o644)
			text := minimal + "ca_file = \"" + tt.caFile + "\"\ninsecure_skip_verify = " + strconv.FormatBool(tt.insecure) + "\n"
			c, err := Load(write(t, dir, "config.toml", text, 0o600), testOptions())
			if err != nil {
				t.Fatal(err)
			}
			if tt.caFile != "" && !slices.Contains(c.SecretFiles(), filepath.Join(dir, tt.caFile)) {
				t.Errorf("ca_file is not watched, only %v", c.SecretFiles())
			}
			conf := c.RTD.TLSConfig()
			if conf.MinVersion != tls.VersionTLS12 {
				t.Errorf("MinVersion %x, want TLS 1.2", conf.MinVersion)
			}
			dialer := tls.Dialer{Config: conf}
			conn, err := dialer.DialContext(t.Context(), "tcp", server.Listener.Addr().String())
			if got := err == nil; got != tt.trusts {
				t.Errorf("trusts the server: %v (%v), want %v", got, err, tt.trusts)
			}
			if err == nil {
				_ = conn.Close()
			}
		})
	}
}
