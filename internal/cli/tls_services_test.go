package cli

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"wallboard/internal/app"
	"wallboard/internal/config"
	"wallboard/model/contact"
)

// TestTLSOfServices checks [TestTLS] for the configuration and the statistical data
// service.
func TestTLSOfServices(t *testing.T) {
	t.Parallel()
	ca, other := newAuthority(t), newAuthority(t)
	asIs := func(*x509.Certificate) {}
	right, wrong := "ca_file = \""+ca.file+"\"", "ca_file = \""+other.file+"\""
	for _, c := range []struct {
		name, config string
		cert         func(*x509.Certificate)
		version      uint16 // latest version that the server supports
		want         string // part of the error; "": the request succeeds
	}{
		{name: "custom CA", config: right, cert: asIs},
		{name: "not verified", config: "insecure_skip_verify = true", cert: asIs},
		{name: "wrong CA", config: wrong, cert: asIs, want: "its issuer is unknown"},
		{name: "self-signed", cert: asIs, want: "its issuer is unknown"},
		{name: "TLS 1.1", config: right, cert: asIs, version: tls.VersionTLS11, want: "must speak TLS 1.2 or later"},
		{
			name: "expired", config: right, want: "it is expired or not yet valid",
			cert: func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) },
		},
		{
			name: "wrong host", config: right, want: "it is for another host",
			cert: func(c *x509.Certificate) {
				c.IPAddresses, c.DNSNames = []net.IP{net.IPv4(192, 0, 2, 1)}, []string{"other.example"}
			},
		},
		{
			name: "for clients only", config: right, want: "it is not valid for this use",
			cert: func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked := make(chan string, 16)
			srv := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.Path }))
			srv.Config.ErrorLog = log.New(io.Discard, "", 0)
			srv.TLS = &tls.Config{Certificates: []tls.Certificate{ca.issue(t, c.cert)}, MinVersion: tls.VersionTLS10, MaxVersion: c.version}
			srv.StartTLS()
			defer srv.Close()
			path := configFile(t, "[rtd]\nurl = \"https://127.0.0.1:1/rtd\"\naccess_token = \"token-1\"\n"+
				"[rest]\nurl = \""+srv.URL+"/rest\"\nauth = \"bearer\"\naccess_token = \"token-2\"\n"+c.config+"\n"+
				"[history]\nurl = \""+srv.URL+"/past\"\napi_key = \"key-3\"\n"+c.config+"\n")
			conf, err := config.Load(path, loadOptions())
			if err != nil {
				t.Fatal(err)
			}
			conf.History.CacheSize = 0 // so that no answer is cached
			for service, ask := range map[string]func(*slog.Logger) error{
				"configuration": func(l *slog.Logger) error {
					client, err := app.NewRESTClient(conf, l)
					if err != nil {
						return err
					}
					defer client.Close()
					_, err = client.Session.Login(t.Context())
					return err
				},
				"statistics": func(l *slog.Logger) error {
					client, err := app.NewHistoryClient(conf, l)
					if err != nil {
						return err
					}
					defer client.Close()
					_, err = client.CompareDay(t.Context(), time.Now(), contact.Inbound)
					return app.ExplainHistory(err)
				},
			} {
				err := ask(slog.New(slog.DiscardHandler))
				if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "x509") {
					t.Errorf("%s: %v, want %q", service, err, c.want)
				}
				if got := len(asked) > 0; got != (c.want == "") {
					t.Errorf("%s: asked is %v", service, got)
				}
				for len(asked) > 0 {
					<-asked
				}
			}
		})
	}
}
