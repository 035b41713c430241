package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// authority is a certificate authority for nodes.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &authority{cert, key}
}

// node returns the TLS configuration of a node with a certificate of the authority.
func (a *authority) node(t *testing.T) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "node"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}},
		RootCAs: pool, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert,
	}
}

// TestWrongCertificate restarts one of three nodes with a certificate of another authority: it cannot
// join, and all boards say why.
func TestWrongCertificate(t *testing.T) {
	t.Parallel()
	inCluster(t)
	ours, other := newAuthority(t), newAuthority(t)
	s := newFloor(t, func(_ int, o *Options) { o.TLS = ours.node(t) })
	s.settled()
	s.end(2)
	s.settled()
	s.nodes[2].o.TLS = other.node(t)
	s.start(2)
	for i, m := range s.nodes {
		await(t, m.o.Node+" says so", func() bool { return strings.Contains(m.Latest().Health.Notice, "refuse") })
		t.Log(m.Latest().Health.Notice)
		if i < 2 && !m.live(3*time.Second) {
			t.Errorf("%s is not live", m.o.Node)
		}
	}
	for _, p := range s.nodes[2].Status().Nodes {
		t.Errorf("%s was heard", p.Node)
	}
}

// TestExposed checks that a node without certificates refuses to listen for other machines.
func TestExposed(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"0.0.0.0:6222", ":6222", "192.0.2.1:6222"} {
		o := Options{
			Name: "milan", Node: "wb1", Dir: testkit.PrivateDir(t), Listen: addr, Peers: []string{"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"},
			Connect: (&platform{}).connect,
		}
		if _, err := newNode(t.Context(), o); !errors.Is(err, errPortExposed) {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

// TestRestsQuietly checks that an idle server uses little CPU time.
func TestRestsQuietly(t *testing.T) { //nolint:paralleltest // it measures the whole process
	inCluster(t)
	o := Options{Name: "rest", Node: "wb1", Dir: t.TempDir(), Listen: "127.0.0.1:0", Peers: []string{"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"}, Advertise: "127.0.0.1:1"}.withDefaults()
	e, err := startEmbedded(&o, []string{""})
	if err != nil {
		t.Fatal(err)
	}
	defer e.stop()
	<-time.After(500 * time.Millisecond) // the server starts
	before := cpuTime(t)
	const rest = 2 * time.Second
	<-time.After(rest)
	used := cpuTime(t) - before
	t.Logf("%v of the processor in %v", used, rest)
	if used > rest/10 {
		t.Errorf("a server that rests used %v of the processor in %v", used, rest)
	}
}

// TestAddressInUse checks the error of a node whose address is in use.
func TestAddressInUse(t *testing.T) {
	t.Parallel()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // it was only in the way
	o := Options{
		Name: "milan", Node: "wb1", Dir: testkit.PrivateDir(t), Listen: l.Addr().String(), Peers: []string{l.Addr().String(), "127.0.0.1:2", "127.0.0.1:3"},
		Connect: (&platform{}).connect,
	}
	if _, err := newNode(t.Context(), o); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("%v", err)
	}
}
