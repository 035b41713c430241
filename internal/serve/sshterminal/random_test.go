package sshterminal

import (
	"io"
	mrand "math/rand/v2"
	"net"
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// random is a client that sends random data and requests.
type random struct {
	h *house
	r *mrand.Rand
}

func (x *random) bytes(most int) []byte {
	b := make([]byte, x.r.IntN(most))
	for i := range b {
		b[i] = byte(x.r.UintN(256))
	}
	return b
}

// stranger sends random bytes, with or without an SSH version line before them.
func (x *random) stranger() {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+x.r.IntN(50)))}, Timeout: time.Second}
	c, err := d.DialContext(x.h.t.Context(), "tcp", x.h.addr)
	if err != nil {
		return
	}
	defer c.Close() //nolint:errcheck // it may be closed already
	_ = c.SetDeadline(time.Now().Add(100 * time.Millisecond))
	if x.r.IntN(2) == 0 {
		_, _ = io.WriteString(c, "SSH-2.0-x\r\n")
	}
	_, _ = c.Write(x.bytes(4000))
	_, _ = io.Copy(io.Discard, c)
}

// friend logs in and sends random requests, channels and input.
func (x *random) friend() {
	c, err := x.h.dial(ssh.PublicKeys(x.h.anna))
	if err != nil {
		return // too many open connections
	}
	defer c.Close() //nolint:errcheck // it may be closed already
	pick := func(list ...string) string { return list[x.r.IntN(len(list))] }
	for range x.r.IntN(10) {
		_, _, _ = c.SendRequest(pick("tcpip-forward", "keepalive@openssh.com", "beat@wallboard", string(x.bytes(20))), false, x.bytes(100))
	}
	for range 1 + x.r.IntN(3) {
		ch, asked, err := c.OpenChannel(pick("session", "session", "direct-tcpip", "x11", string(x.bytes(20))), x.bytes(100))
		if err != nil {
			continue
		}
		go ssh.DiscardRequests(asked)
		go func() { _, _ = io.Copy(io.Discard, ch) }()
		for range x.r.IntN(60) {
			kind := pick("pty-req", "shell", "env", "window-change", "signal", "exec", "subsystem", "auth-agent-req@openssh.com", string(x.bytes(20)))
			payload := x.bytes(200)
			switch {
			case x.r.IntN(2) == 0:
			case kind == "pty-req":
				payload = ssh.Marshal(ptyRequest{"xterm", x.r.Uint32(), x.r.Uint32(), 0, 0, string(x.bytes(30))})
			case kind == "window-change":
				payload = ssh.Marshal(windowRequest{x.r.Uint32(), x.r.Uint32(), 0, 0})
			case kind == "env":
				payload = ssh.Marshal(envRequest{"LC_" + string(x.bytes(200)), string(x.bytes(300))})
			case kind == "shell":
				payload = nil
			}
			if _, err := ch.SendRequest(kind, false, payload); err != nil {
				break
			}
			if x.r.IntN(4) == 0 {
				b := x.bytes(3000)
				for i := range b {
					if b[i] == '!' { // echo would panic
						b[i] = '?'
					}
				}
				_, _ = ch.Write(b)
			}
		}
		if x.r.IntN(3) == 0 {
			_ = ch.CloseWrite()
		}
	}
}

// TestRandomClients runs random clients for the duration in SSHD_RANDOM, or 3 s. It checks
// that a viewer still gets answers, and that no sessions or goroutines remain.
func TestRandomClients(t *testing.T) {
	t.Parallel()
	long := 3 * time.Second
	if d, err := time.ParseDuration(os.Getenv("SSHD_RANDOM")); err == nil {
		long = d
	}
	h := newHouse(t, func(o *Options) {
		o.Access.Accounts[0].MaxSessions = 10
		o.OnEvent = func(Event) {}
	})
	_, viewer := h.sit(h.ben)
	viewer.says(t, "hello ben")
	before := runtime.NumGoroutine()
	over := time.Now().Add(long)
	ended := make(chan int)
	const clients = 8
	for i := range clients {
		go func() {
			n := 0
			for x := (&random{h, mrand.New(mrand.NewPCG(uint64(i), 1))}); time.Now().Before(over); n++ {
				if i%4 == 0 {
					x.stranger()
				} else {
					x.friend()
				}
			}
			ended <- n
		}()
	}
	n, slowest := 0, time.Duration(0)
	for left := clients; left > 0; {
		select {
		case k := <-ended:
			n += k
			left--
		case <-time.After(50 * time.Millisecond):
			begun := time.Now()
			_, _ = io.WriteString(viewer.in, "j")
			viewer.says(t, "key j")
			slowest = max(slowest, time.Since(begun))
		}
	}
	t.Logf("%d clients in %v; the slowest key of the viewer took %v", n, long, slowest)
	if n < clients {
		t.Errorf("%d clients", n)
	}
	for late := time.Now().Add(30 * time.Second); len(h.s.Sessions()) > 1 || runtime.NumGoroutine() > before+20; <-time.After(100 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("%d sessions and %d goroutines are left, %d before", len(h.s.Sessions()), runtime.NumGoroutine(), before)
		}
	}
}
