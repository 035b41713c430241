package graphql

import (
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gorilla/websocket"
)

// raw is a server that answers the first request on every connection, possibly
// without end. It counts the bytes taken.
func raw(t *testing.T, answer func(io.Writer) error) (dial func(context.Context, string, string) (net.Conn, error), taken *atomic.Int64) {
	t.Helper()
	taken = new(atomic.Int64)
	return func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close() //nolint:errcheck // it is over
			if _, err := theirs.Read(make([]byte, 64<<10)); err == nil {
				_ = answer(&counting{theirs, taken}) // may run until the connection is closed
			}
		}()
		return ours, nil
	}, taken
}

type counting struct {
	w     io.Writer
	taken *atomic.Int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.taken.Add(int64(n))
	return n, err
}

// endless writes a beginning and then repeats a text, 64 MiB at most.
func endless(begin, again string) func(io.Writer) error {
	return func(w io.Writer) error {
		if _, err := io.WriteString(w, begin); err != nil {
			return err
		}
		piece := []byte(strings.Repeat(again, 4096/len(again)))
		for range 64 << 20 / len(piece) {
			if _, err := w.Write(piece); err != nil {
				return err
			}
		}
		return nil
	}
}

// allocated returns how many bytes a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// endlessAnswers returns answers to an upgrade that never end.
func endlessAnswers() map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		"one header":       endless("HTTP/1.1 101 Switching Protocols\r\nX: ", "x"),
		"many headers":     endless("HTTP/1.1 101 Switching Protocols\r\n", "Set-Cookie: a=b\r\n"),
		"one status":       endless("HTTP/1.1 101 ", "x"),
		"no line at all":   endless("", "x"),
		"a refusal's body": endless("HTTP/1.1 403 Forbidden\r\n\r\n", "x"),
	}
}

func TestEndlessAnswersToTheUpgrade(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	for name, answer := range endlessAnswers() {
		dial, taken := raw(t, answer)
		var err error
		cost := allocated(func() {
			_, err = Dial(t.Context(), Options{URL: "ws://rtd.test/graphql", DialContext: dial}, newRecorder())
		})
		if err == nil {
			t.Errorf("%s: accepted as a session", name)
		}
		if n := taken.Load(); n > maxUpgradeBytes+8<<10 || cost > 2<<20 {
			t.Errorf("%s: %d bytes read, %d allocated: %v", name, n, cost, err)
		}
	}
}

// TestEndlessAnswersOfAProxy limits what the WebSocket library reads if a proxy
// never ends its answer to CONNECT.
func TestEndlessAnswersOfAProxy(t *testing.T) {
	t.Parallel()
	dial, _ := raw(t, endless("HTTP/1.1 200 OK\r\nX: ", "x"))
	l := &networkDialer{dial: dial, timeout: defaultDialTimeout}
	c, err := l.open(t.Context(), "tcp", "proxy.test:3128")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close() //nolint:errcheck // it is over
	defer l.detach()
	if _, err = io.WriteString(c, "CONNECT rtd.test:443 HTTP/1.1\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, c); !errors.Is(err, ErrHandshakeTooLong) || n != maxUpgradeBytes {
		t.Errorf("%d bytes read: %v", n, err)
	}
}

// TestCompressedMessagesAreBounded sends compressed messages without
// negotiation: a few KiB become many MiB.
func TestCompressedMessagesAreBounded(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	var bomb bytes.Buffer
	z, err := flate.NewWriter(&bomb, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	for range 64 {
		_, _ = z.Write(zeros)
	}
	_ = z.Flush()
	o := Options{URL: "ws://rtd.test/graphql", DialContext: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go compressed(theirs, bytes.TrimSuffix(bomb.Bytes(), []byte{0, 0, 0xff, 0xff}))
		return ours, nil
	}}
	o.ReadLimit = 1 << 20
	var c *Conn
	cost := allocated(func() {
		if c, err = Dial(t.Context(), o, newRecorder()); err == nil {
			err = ended(t, c)
		}
	})
	if !errors.Is(err, ErrTooBig) {
		t.Errorf("the session ended with %v", err)
	}
	if cost > 16<<20 {
		t.Errorf("%d bytes were allocated", cost)
	}
}

// compressed is a server that upgrades with an extension that was not offered,
// acknowledges, and sends one compressed frame.
func compressed(c net.Conn, payload []byte) {
	defer c.Close() //nolint:errcheck // it is over
	r := bufio.NewReader(c)
	req, err := http.ReadRequest(r)
	if err != nil {
		return
	}
	key := sha1.Sum([]byte(req.Header.Get("Sec-Websocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	_, _ = fmt.Fprintf(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n"+
		"Sec-WebSocket-Protocol: %s\r\nSec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_no_context_takeover\r\n\r\n",
		base64.StdEncoding.EncodeToString(key[:]), TransportWS)
	gone := make(chan struct{})
	go func() { defer close(gone); _, _ = io.Copy(io.Discard, r) }()
	const ack = `{"type":"connection_ack"}`
	_, _ = c.Write(append([]byte{0x80 | websocket.TextMessage, byte(len(ack))}, ack...))
	n := len(payload)
	head := []byte{0x80 | 0x40 | websocket.TextMessage, 127, 0, 0, 0, 0, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
	_, _ = c.Write(append(head, payload...))
	<-gone
}

// TestHandshakeAnswersAreNotQuoted puts session ids into malformed answers.
func TestHandshakeAnswersAreNotQuoted(t *testing.T) {
	t.Parallel()
	const canary = "fresh-session-canary"
	for _, answer := range []string{
		"HTTP/1.1 101 Switching Protocols\r\nSet-Cookie vendorRtdSessionID=" + canary + "\r\n\r\n",
		"HTTP/1.1 101 Switching Protocols\r\n Set-Cookie: vendorRtdSessionID=" + canary + "\r\n\r\n",
		"HTTP/1.1 101 Switching Protocols\r\nSet-Cookie\x00: vendorRtdSessionID=" + canary + "\r\n\r\n",
		"Set-Cookie: vendorRtdSessionID=" + canary + "\r\n\r\n",
		"HTTP/1.1 " + canary + "\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: " + canary + "\r\n\r\n",
		"HTTP/1.1 302 Found\r\nLocation: /start;jsessionid=" + canary + "?x=" + canary + "\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: " + canary + "\r\n\r\n",
	} {
		dial, _ := raw(t, func(w io.Writer) error { _, err := io.WriteString(w, answer); return err })
		_, err := Dial(t.Context(), Options{URL: "ws://rtd.test/graphql", DialContext: dial}, newRecorder())
		if err == nil {
			t.Errorf("%q is accepted as a session", answer)
			continue
		}
		for _, text := range []string{err.Error(), ErrorReason(err), fmt.Sprintf("%+v", err)} {
			if strings.Contains(text, canary) {
				t.Errorf("%q is reported as %q", answer, text)
			}
		}
	}
}
