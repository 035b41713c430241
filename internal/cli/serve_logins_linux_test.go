package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// gaps is the longest time between two writes to a viewer.
type gaps struct {
	mu      sync.Mutex
	last    time.Time
	longest time.Duration
}

func (g *gaps) note(at time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.last.IsZero() {
		g.longest = max(g.longest, at.Sub(g.last))
	}
	g.last = at
}

// take returns the longest gap up to now, and begins again.
func (g *gaps) take() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	longest := max(g.longest, time.Since(g.last))
	g.longest = 0
	return longest
}

// auditSize returns the bytes of the files in the state directory of a server whose names
// say that they record actions or visits.
func (x *measuredServer) auditSize() (size int64) {
	x.t.Helper()
	var dir string
	for _, v := range x.env {
		if value, ok := strings.CutPrefix(v, "XDG_STATE_HOME="); ok {
			dir = value
		}
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(filepath.Base(path), "audit") && !strings.Contains(filepath.Base(path), "visits") {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	if err != nil {
		x.t.Fatal(err)
	}
	return size
}

// holdHalfOpen keeps 50 connections of each of ten addresses open that never log in, and replaces
// those that the server closes, until stop.
func holdHalfOpen(t *testing.T, addr string) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for i := range 500 {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 1, byte(1+i%10))}}
		all.Go(func() {
			for ctx.Err() == nil {
				conn, err := d.DialContext(ctx, "tcp", addr)
				if err != nil {
					continue
				}
				end := context.AfterFunc(ctx, func() { _ = conn.Close() })
				_, _ = io.Copy(io.Discard, conn) // the server's version, until it closes
				_ = conn.Close()
				end()
				select {
				case <-ctx.Done():
				case <-time.After(100 * time.Millisecond):
				}
			}
		})
	}
	return func() { cancel(); all.Wait() }
}

// logins returns the sorted times that n logins of a viewer take.
func (x *measuredServer) logins(key ssh.Signer, n int) []time.Duration {
	x.t.Helper()
	var took []time.Duration
	for range n {
		c := &client{key: key, width: 80, height: 24}
		begun := time.Now()
		if err := c.look(x.t.Context(), x.addr); err != nil {
			x.t.Error("the login of a viewer: ", err)
			continue
		}
		took = append(took, time.Since(begun))
		_ = c.conn.Close()
		<-time.After(time.Second)
	}
	slices.Sort(took)
	return took
}

// TestWrongLogins attempts many logins with unknown keys, beside 500 connections that never log in and
// two viewers. It reports the duration of the attempts, the longest time in which a viewer got no data,
// the duration of a viewer's login, and the growth of the heap and of the log of visits.
// SERVE_WRONG_LOGINS is the number of attempts.
func TestWrongLogins(t *testing.T) { //nolint:paralleltest // it measures
	logins, err := strconv.Atoi(os.Getenv("SERVE_WRONG_LOGINS"))
	if err != nil {
		t.Skip("SERVE_WRONG_LOGINS says how many")
	}
	anna := sshKey(t)
	x := measureServer(t, "--agents 60", "every = \"1s\"", serveUser("anna", anna, "page = \"Agents\"\nsessions = 10"))
	var viewers [2]gaps
	var clients []*client
	for i := range viewers {
		clients = append(clients, &client{key: anna, width: 120, height: 40, got: func(_ int, at time.Time) { viewers[i].note(at) }})
	}
	x.crowd(clients)
	<-time.After(20 * time.Second)
	alone := max(viewers[0].take(), viewers[1].take())
	before := x.logins(anna, 5)
	goroutines, heap := x.count()
	size := x.auditSize()
	release := holdHalfOpen(t, x.addr)
	_ = max(viewers[0].take(), viewers[1].take())
	begun := time.Now()
	var all sync.WaitGroup
	var during []time.Duration
	all.Go(func() { during = x.logins(anna, 5) })
	var refused, unheard atomic.Int64
	for i := range 8 {
		all.Go(func() {
			mallory := &client{key: sshKey(t), width: 80, height: 24}
			for n := range logins / 8 {
				mallory.from = byte(2 + (i*31+n)%250)
				var denied *ssh.ServerAuthError
				switch err := mallory.look(t.Context(), x.addr); {
				case err == nil:
					t.Error("let in")
				case errors.As(err, &denied) || strings.Contains(err.Error(), "unable to authenticate"):
					refused.Add(1)
				default:
					unheard.Add(1) // too many connections from its address
				}
			}
		})
	}
	all.Wait()
	took := time.Since(begun)
	gap := max(viewers[0].take(), viewers[1].take())
	release()
	<-time.After(5 * time.Second) // some entries are written later
	after, kept := x.count()
	grown := x.auditSize() - size
	t.Logf("a viewer's login took %v before, %v beside them", before, during)
	t.Logf("%d logins refused and %d closed in %v: longest gap %v, alone %v; heap %+d KiB, goroutines %+d, audit and visits %+d bytes",
		refused.Load(), unheard.Load(), took.Round(100*time.Millisecond), gap, alone, (kept-heap)>>10, after-goroutines, grown)
	if after > goroutines+10 || kept > heap+heap/4+16<<20 || grown > 1<<20 {
		t.Error("it grows")
	}
	if gap > 20*time.Second {
		t.Error("a viewer is not served")
	}
}
