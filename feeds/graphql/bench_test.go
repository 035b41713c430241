package graphql

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// result builds a message with about n bytes of data.
func result(n int) []byte {
	var fields []string
	for len(fields)*24 < n {
		fields = append(fields, fmt.Sprintf(`"numberCall%02d":%9d`, len(fields), len(fields)*7))
	}
	return []byte(`{"id":"1","type":"next","payload":{"data":{"userStats":[{` + strings.Join(fields, ",") + `}]}}}`)
}

// blaster is a server that sends one result as fast as it is read.
func blaster(b *testing.B, message []byte) string {
	b.Helper()
	frame := []byte{0x81, byte(len(message))}
	if len(message) > 125 {
		frame = binary.BigEndian.AppendUint16([]byte{0x81, 126}, uint16(len(message)))
	}
	chunk := bytes.Repeat(append(frame, message...), 1+(64<<10)/len(message))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		up := websocket.Upgrader{Subprotocols: []string{TransportWS}}
		ws, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer func() { _ = ws.Close() }()
		_ = ws.WriteMessage(websocket.TextMessage, []byte(`{"type":"connection_ack"}`))
		for range 2 { // reads connection_init and subscribe
			if _, _, err := ws.ReadMessage(); err != nil {
				return
			}
		}
		for {
			if _, err := ws.NetConn().Write(chunk); err != nil {
				return
			}
		}
	}))
	b.Cleanup(s.Close)
	return wsURL(s)
}

// countdown is a Handler that reports when it has received enough.
type countdown struct {
	handlerFunc
	left int
	done chan struct{}
}

func (c *countdown) Next(string, []byte) {
	if c.left--; c.left == 0 {
		close(c.done)
	}
}

// BenchmarkRead compares reading and dispatching with the obvious
// implementation.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{24, 800, 8000} {
		message := result(n)
		b.Run(fmt.Sprintf("session/%dB", len(message)), func(b *testing.B) {
			h := &countdown{left: b.N, done: make(chan struct{})}
			c, err := Dial(b.Context(), Options{URL: blaster(b, message)}, h)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = c.Close() }()
			b.SetBytes(int64(len(message)))
			b.ReportAllocs()
			b.ResetTimer()
			if _, err := c.Subscribe("subscription{a}", nil); err != nil {
				b.Fatal(err)
			}
			<-h.done
			b.StopTimer()
		})
		b.Run(fmt.Sprintf("baseline/%dB", len(message)), func(b *testing.B) {
			ws, resp, err := websocket.DefaultDialer.DialContext(b.Context(), blaster(b, message), nil)
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = ws.Close() }()
			_ = resp.Body.Close()
			b.SetBytes(int64(len(message)))
			b.ReportAllocs()
			b.ResetTimer()
			_ = ws.WriteMessage(websocket.TextMessage, []byte(`{"type":"connection_init"}`))
			_ = ws.WriteMessage(websocket.TextMessage, []byte(`{"id":"1","type":"subscribe"}`))
			for seen := 0; seen < b.N; {
				_, frame, err := ws.ReadMessage()
				if err != nil {
					b.Fatal(err)
				}
				var m received
				if err := json.Unmarshal(frame, &m); err != nil {
					b.Fatal(err)
				}
				if m.Type == "next" {
					seen++
				}
			}
			b.StopTimer()
		})
	}
}

// BenchmarkParseFrame compares the scanner with encoding/json.
func BenchmarkParseFrame(b *testing.B) {
	for _, n := range []int{24, 800, 8000} {
		message := result(n)
		b.Run(fmt.Sprintf("scanner/%dB", len(message)), func(b *testing.B) {
			b.SetBytes(int64(len(message)))
			b.ReportAllocs()
			for b.Loop() {
				if _, reason := parseFrame(message); reason != "" {
					b.Fatal(reason)
				}
			}
		})
		b.Run(fmt.Sprintf("baseline/%dB", len(message)), func(b *testing.B) {
			b.SetBytes(int64(len(message)))
			b.ReportAllocs()
			for b.Loop() {
				var m received
				if err := json.Unmarshal(message, &m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
