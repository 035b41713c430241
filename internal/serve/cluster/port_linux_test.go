//go:build !nonatsserver

package cluster

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"wallboard/internal/lib/testkit"
)

// startServer starts an embedded server that authenticates other nodes by their certificates.
func startServer(t *testing.T, node string, mutual *tls.Config, peers ...string) *embeddedServer {
	t.Helper()
	o := Options{Name: "port", Node: node, Dir: testkit.PrivateDir(t), Listen: "127.0.0.1:0", Peers: peers, TLS: mutual}.withDefaults()
	e, err := startEmbedded(&o, []string{""})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.stop)
	return e
}

// listening returns the TCP ports on which this process listens.
func listening(t *testing.T) map[int]bool {
	t.Helper()
	fds, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	inodes := make(map[string]bool)
	for _, fd := range fds {
		if to, err := os.Readlink(fd); err == nil && strings.HasPrefix(to, "socket:[") {
			inodes[strings.Trim(to, "socket:[]")] = true
		}
	}
	ports := make(map[int]bool)
	for _, name := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // the machine has no IPv6
		}
		for line := range strings.Lines(string(text)) {
			const local, state, listen, inode = 1, 3, "0A", 9
			f := strings.Fields(line)
			if len(f) <= inode || f[state] != listen || !inodes[f[inode]] {
				continue
			}
			_, hex, _ := strings.Cut(f[local], ":")
			port, err := strconv.ParseUint(hex, 16, 16)
			if err != nil {
				t.Fatal(err)
			}
			ports[int(port)] = true
		}
	}
	return ports
}

// TestOnlyRoutePort checks that a server listens for the other nodes, but not for clients.
func TestOnlyRoutePort(t *testing.T) { //nolint:paralleltest // it looks at all ports of the process
	before := listening(t)
	e := startServer(t, "wb1", newAuthority(t).node(t), "127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3")
	want := e.server.ClusterAddr().Port
	after := listening(t)
	if !after[want] {
		t.Errorf("port %d for the other nodes is not open: %v", want, after)
	}
	for port := range after {
		if port != want && !before[port] {
			t.Errorf("port %d is open besides %d for the other nodes", port, want)
		}
	}
}

// TestHalfOpenRoutes opens 50 connections from each of ten addresses that never send a hello: most of
// them are closed, and another node can still join.
func TestHalfOpenRoutes(t *testing.T) { //nolint:paralleltest // it measures
	a := newAuthority(t)
	e := startServer(t, "wb1", a.node(t), "127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3")
	to := e.server.ClusterAddr().String()
	closed := make(chan struct{}, 500)
	for i := range 500 {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+i%10))}}
		conn, err := d.DialContext(t.Context(), "tcp", to)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close() //nolint:errcheck // it is half open
		go func() {
			_, _ = io.Copy(io.Discard, conn)
			closed <- struct{}{}
		}()
	}
	began := time.Now()
	for range 500 - maxPendingRoutes {
		<-closed // the server keeps the other connections for some seconds
	}
	t.Logf("%d of 500 connections were closed after %v", 500-maxPendingRoutes, time.Since(began))
	if n := e.port.pending.Len(); n > maxPendingRoutes {
		t.Errorf("%d connections are pending", n)
	}
	began = time.Now()
	other := startServer(t, "wb2", a.node(t), to, "127.0.0.1:2", "127.0.0.1:3")
	started := time.Since(began)
	await(t, "the other node joins", func() bool { return other.server.NumRoutes() > 0 && e.server.NumRoutes() > 0 })
	t.Logf("the other node starts within %v and has joined after %v; %d connections are pending", started, time.Since(began), e.port.pending.Len())
	await(t, "no connection is pending", func() bool { return e.port.pending.Len() == 0 })
}

// TestHalfOpenOfOneAddress checks the limit of pending connections from one address.
func TestHalfOpenOfOneAddress(t *testing.T) { //nolint:paralleltest // it measures
	e := startServer(t, "wb1", newAuthority(t).node(t), "127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3")
	for range 3 * maxPendingPerAddress {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", e.server.ClusterAddr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close() //nolint:errcheck // it is half open
	}
	for range 20 {
		if n := e.port.pending.Len(); n > maxPendingPerAddress {
			t.Fatalf("%d connections of one address are pending", n)
		}
		<-time.After(10 * time.Millisecond)
	}
	if e.port.pending.Len() == 0 {
		t.Error("no connection is pending")
	}
}

// TestStrangersAreNotShown connects clients that send no hello, show no certificate, or show a
// certificate of another authority: no board reports them.
func TestStrangersAreNotShown(t *testing.T) { //nolint:paralleltest // it looks at all errors
	a := newAuthority(t)
	e := startServer(t, "wb1", a.node(t), "127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3")
	bare, other := a.node(t), newAuthority(t).node(t)
	bare.Certificates = nil
	other.RootCAs = bare.RootCAs
	for name, mutual := range map[string]*tls.Config{"no hello": nil, "no certificate": bare, "another authority": other} {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", e.server.ClusterAddr().String())
		if err != nil {
			t.Fatal(err)
		}
		if mutual == nil {
			_, err = io.WriteString(conn, "GET / HTTP/1.1\r\n\r\n")
		} else {
			mutual.ServerName = "127.0.0.1"
			conn = tls.Client(conn, mutual)
			_, err = io.WriteString(conn, "INFO {}\r\n")
		}
		if err == nil {
			_, err = io.Copy(io.Discard, conn)
		}
		_ = conn.Close()
		t.Logf("%s: %v", name, err)
		await(t, "it is refused", func() bool { return e.port.pending.Len() == 0 })
		if said := e.problem(); said != "" {
			t.Errorf("%s: boards say %q", name, said)
		}
	}
}

// TestServerInternals compares the signature of the server's createRoute with the one that port.go
// declares, because the linker compares only the names.
func TestServerInternals(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.Dir}}", "github.com/nats-io/nats-server/v2/server")
	cmd.Stderr = &stderr
	dir, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "route.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	const want = "func(conn net.Conn, rURL *url.URL, rtype RouteType, gossipMode byte, accName string) *client"
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "createRoute" {
			got := fmt.Sprintf("%s of %s", types.ExprString(f.Type), types.ExprString(f.Recv.List[0].Type))
			if got != want+" of *Server" {
				t.Errorf("createRoute is %s; port.go declares %s", got, want)
			}
			return
		}
	}
	t.Error("the server has no createRoute")
}
