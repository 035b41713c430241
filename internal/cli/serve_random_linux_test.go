package cli

import (
	"context"
	"fmt"
	"io"
	mrand "math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// vandal is an authorized viewer who sends random input.
type vandal struct {
	r    *mrand.Rand
	key  ssh.Signer
	addr string
	from byte
}

func (v *vandal) bytes(most int) string {
	b := make([]byte, v.r.IntN(most))
	for i := range b {
		b[i] = byte(v.r.UintN(256))
	}
	return string(b)
}

// typed returns random input.
func (v *vandal) typed() string {
	switch v.r.IntN(9) {
	case 0:
		return "\x1b[" + strings.Repeat("1;", v.r.IntN(200)) + string(rune('@'+v.r.IntN(60)))
	case 1:
		return "\x1b]" + v.bytes(4000)
	case 2:
		return "\x1b[200~" + v.bytes(20_000) + "\x1b[201~"
	case 3:
		return fmt.Sprintf("\x1b[<%d;%d;%dM", v.r.IntN(300), v.r.Int32()-1<<30, v.r.Int32())
	case 4:
		return strings.Repeat(string(rune(' '+v.r.IntN(90))), 1+v.r.IntN(2000))
	case 5:
		return v.bytes(500)
	case 6:
		return ":" + v.bytes(60) + "\r"
	case 7:
		return "/" + v.bytes(60) + "\r\x1b"
	}
	keys := "1234567890\r\x1b\t?wHtcGgjkhl/:bBZ\x1bnyxo,.<>[]"
	var out strings.Builder
	for range 40 {
		out.WriteByte(keys[v.r.IntN(len(keys))])
	}
	return out.String()
}

// visit connects, misbehaves and disconnects.
func (v *vandal) visit(ctx context.Context) error {
	c := &client{key: v.key, width: 1 + v.r.IntN(300), height: 1 + v.r.IntN(100), from: v.from, deaf: v.r.IntN(10) == 0}
	if err := c.look(ctx, v.addr); err != nil {
		return err
	}
	defer c.conn.Close() //nolint:errcheck // it may be closed
	for range v.r.IntN(30) {
		if v.r.IntN(5) == 0 {
			size := [2]uint32{v.r.Uint32(), v.r.Uint32()}
			if v.r.IntN(2) == 0 {
				size = [2]uint32{uint32(v.r.IntN(400)), uint32(v.r.IntN(150))}
			}
			for range 1 + v.r.IntN(30) {
				_, _ = c.session.SendRequest("window-change", false, ssh.Marshal(struct{ W, H, X, Y uint32 }{size[0], size[1], 0, 0}))
			}
		}
		if _, err := io.WriteString(c.keys, v.typed()); err != nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Duration(v.r.IntN(60)) * time.Millisecond):
		}
	}
	return nil
}

// pauses records the intervals between frames.
type pauses struct{ last, widest atomic.Int64 }

// lookOn connects a viewer and records the intervals between the frames.
func lookOn(x *measuredServer, key ssh.Signer) *pauses {
	p := new(pauses)
	p.clear()
	x.crowd([]*client{{key: key, width: 120, height: 40, got: func(_ int, at time.Time) {
		gap := at.UnixNano() - p.last.Swap(at.UnixNano())
		p.widest.Store(max(p.widest.Load(), gap))
	}}})
	return p
}

func (p *pauses) clear() {
	p.last.Store(time.Now().UnixNano())
	p.widest.Store(0)
}

// longest returns the longest interval, including the current one.
func (p *pauses) longest() time.Duration {
	return time.Duration(max(p.widest.Load(), time.Now().UnixNano()-p.last.Load()))
}

// TestVandals sends random input to a server for SERVE_RANDOM after a minute of warm-up: no
// board breaks, nothing grows, and a viewer waits at most five times as long for a frame as
// on an undisturbed server beside it, plus 5 s.
//
//	SERVE_RANDOM=1h go test ./internal/cli -run Vandals -v -timeout 2h
func TestVandals(t *testing.T) { //nolint:paralleltest // it measures
	long, err := time.ParseDuration(os.Getenv("SERVE_RANDOM"))
	if err != nil {
		t.Skip("SERVE_RANDOM says for how long")
	}
	mallory, anna := sshKey(t), sshKey(t)
	x := measureServer(t, "--agents 60", "", serveUser("mallory", mallory, "sessions = 20"), serveUser("anna", anna, "page = \"Agents\""))
	quiet := measureServer(t, "--agents 60", "", serveUser("anna", anna, "page = \"Agents\""))
	looks, undisturbed := lookOn(x, anna), lookOn(quiet, anna)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute+long)
	defer cancel()
	var visits, refused atomic.Int64
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			v := &vandal{r: mrand.New(mrand.NewPCG(uint64(time.Now().UnixNano()), uint64(i))), key: mallory, addr: x.addr, from: byte(10 + i)}
			for ctx.Err() == nil {
				if err := v.visit(ctx); err != nil {
					refused.Add(1)
				}
				visits.Add(1)
				<-time.After(time.Duration(v.r.IntN(400)) * time.Millisecond)
			}
		})
	}
	<-time.After(time.Minute)
	looks.clear()
	undisturbed.clear()
	warm := resident(t, x.pid, "VmRSS")
	t.Logf("after a minute: %d visits, %.0f MiB", visits.Load(), warm)
	for over := time.Now().Add(long); time.Now().Before(over); {
		<-time.After(min(time.Until(over)+time.Second, 5*time.Minute))
		t.Logf("%d visits, %d refused, %.0f MiB, %d files, the longest pause of who looks %v, of who looks at an undisturbed server %v",
			visits.Load(), refused.Load(), resident(t, x.pid, "VmRSS"), files(t, x.pid), looks.longest(), undisturbed.longest())
	}
	if waited, alone := looks.longest(), undisturbed.longest(); waited > 5*alone+5*time.Second {
		t.Errorf("a viewer waited %v for a frame, a viewer of an undisturbed server %v", waited, alone)
	}
	cancel()
	all.Wait()
	<-time.After(45 * time.Second) // a viewer who reads nothing is disconnected after 30 s
	goroutines, heap := x.count()
	n := files(t, x.pid)
	t.Logf("%d visits; %d goroutines, %d KiB and %d files are left, %.0f MiB resident, %.0f at most",
		visits.Load(), goroutines, heap>>10, n, resident(t, x.pid, "VmRSS"), resident(t, x.pid, "VmHWM"))
	if goroutines > 60 || n > 40 {
		t.Errorf("%d goroutines and %d files are left", goroutines, n)
	}
	if now := resident(t, x.pid, "VmRSS"); now > 1.5*warm+20 {
		t.Errorf("it grew from %.0f to %.0f MiB", warm, now)
	}
	if log := x.errs.String(); strings.Contains(log, "panic") || strings.Contains(log, "session failed") {
		t.Error(log[max(strings.Index(log, "session failed")-200, 0):])
	}
}

// files returns the number of open files of a process.
func files(t *testing.T, pid int) int {
	t.Helper()
	list, err := os.ReadDir(filepath.Join("/proc", fmt.Sprint(pid), "fd"))
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
