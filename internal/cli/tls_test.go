package cli

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/app"
	"wallboard/internal/cli/commands"
	"wallboard/internal/config"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/model"
)

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string // its certificate as PEM
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Test CA"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(testkit.PrivateDir(t), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return &authority{cert, key, file}
}

// issue signs a server's certificate.
func (a *authority) issue(t *testing.T, change func(*x509.Certificate)) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	change(tmpl)
	der, err := x509.CreateCertificate(rand.Reader, tmpl, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func TestTLS(t *testing.T) {
	t.Parallel()
	ca, other := newAuthority(t), newAuthority(t)
	asIs := func(*x509.Certificate) {}
	for _, c := range []struct {
		name   string
		cert   func(*x509.Certificate)
		server func(*tls.Config)
		config string
		want   string // part of the banner; "": the board is live
	}{
		{name: "custom CA", cert: asIs, config: "ca_file = \"" + ca.file + "\""},
		{name: "unknown authority", cert: asIs, want: "unknown authority"},
		{name: "wrong CA", cert: asIs, config: "ca_file = \"" + other.file + "\"", want: "unknown authority"},
		{
			name: "expired", config: "ca_file = \"" + ca.file + "\"", want: "expired",
			cert: func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) },
		},
		{
			name: "wrong host", config: "ca_file = \"" + ca.file + "\"", want: "another host",
			cert: func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"other.example"} },
		},
		{
			name: "TLS 1.1", config: "ca_file = \"" + ca.file + "\"", want: "TLS", cert: asIs,
			server: func(c *tls.Config) { c.MaxVersion, c.MinVersion = tls.VersionTLS11, tls.VersionTLS10 },
		},
		{name: "not verified", cert: asIs, config: "insecure_skip_verify = true"},
	} {
		for _, auth := range []string{"token", "login"} {
			t.Run(c.name+" "+auth, func(t *testing.T) {
				t.Parallel()
				so := small()
				so.TLS = &tls.Config{Certificates: []tls.Certificate{ca.issue(t, c.cert)}, MinVersion: tls.VersionTLS12}
				if c.server != nil {
					c.server(so.TLS)
				}
				s := tlsSnapshot(t, so, c.config, auth, c.want == "")
				if c.want != "" && (!strings.Contains(s.Health.Notice, c.want) || s.Health.Link.State != model.LinkRefused) {
					t.Errorf("%q, banner %q, want %q", s.Health.Link.State, s.Health.Notice, c.want)
				}
				if s.Health.Link.InsecureTLS != (c.name == "not verified") {
					t.Error("the mark of an unverified certificate is wrong")
				}
			})
		}
	}
}

// tlsSnapshot runs a feed until it is live or has a banner.
func tlsSnapshot(t *testing.T, so simulator.Options, extra, auth string, live bool) *model.Snapshot {
	t.Helper()
	srv, err := commands.OpenSimulator(so)
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close() })
	path := configFile(t, commands.SimulatorConfig(srv, &so))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	secret := "auth = \"login\"\nusername = \"supervisor\"\npassword = \"wallboard\"\n"
	if auth == "token" {
		secret = ""
	}
	path = configFile(t, strings.Replace(string(text), "[rtd]\n", "[rtd]\n"+extra+"\n"+secret, 1))
	c, err := config.Load(path, config.Options{})
	if err != nil {
		t.Fatal(err)
	}
	feed, err := feeds.New(app.FeedOptions(c))
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, srv: srv, feed: feed}
	done := make(chan struct{})
	go func() { defer close(done); _ = feed.Run(t.Context()) }()
	t.Cleanup(func() { <-done })
	return r.until(20*time.Second, func(s *model.Snapshot) bool {
		return live && s.Health.Live() || !live && s.Health.Notice != ""
	})
}
