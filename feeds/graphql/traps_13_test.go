package graphql

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The second half of the traps; the first is in traps_test.go.

func TestTrap13NoAnswerToUnsubscribe(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, r := open(t, func(p *peer) {
			p.ack()
			m := p.expect("subscribe")
			p.send(`{"id":"%s","type":"next","payload":{"data":{}}}`, m.ID)
			p.expect("complete")
			p.send(`{"id":"%s","type":"next","payload":{"data":{}}}`, m.ID)
			p.send(`{"id":"%s","type":"complete"}`, m.ID)
			if again := p.expect("subscribe"); again.ID == m.ID {
				t.Errorf("id %s used twice", m.ID)
			}
			p.drain()
		})
		id := subscribe(t, c)
		r.expect(t, "next "+id+` {"data":{}}`)
		c.Unsubscribe(id)
		synctest.Wait()
		subscribe(t, c)
		r.expectNone(t)
		if s := c.Stats(); s.LateMessages != 2 {
			t.Errorf("%+v", s)
		}
	})
}

func TestTrap14ServerPing(t *testing.T) {
	for _, o := range []func(*Options){transport, legacy} {
		bubbleRun(t, func(t *testing.T) {
			done := make(chan struct{})
			c, r := open(t, func(p *peer) {
				p.ack()
				for _, payload := range []string{`null`, `{"a":[1,"}"]}`} {
					p.send(`{"payload":%s,"type":"ping"}`, payload)
					if m := p.expect("pong"); string(m.Payload) != payload {
						t.Errorf("pong with %s, want %s", m.Payload, payload)
					}
				}
				p.send(`{"type":"ping"}`)
				if m := p.expect("pong"); m.Payload != nil {
					t.Errorf("pong with %s", m.Payload)
				}
				p.send(`{"type":"ping","payload":"%s"}`, strings.Repeat("x", 1<<20))
				if m := p.expect("pong"); m.Payload != nil {
					t.Errorf("a pong of %d bytes", len(m.Payload))
				}
				close(done)
				p.drain()
			}, o)
			<-done
			r.expectNone(t)
			if c.Err() != nil {
				t.Error(c.Err())
			}
		})
	}
}

// bubbleRun is bubble for the cases of a loop.
func bubbleRun(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	t.Run("", func(t *testing.T) { bubble(t, f) })
}

func TestTrap15WebSocketPingsIgnored(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var pings, probes int
		c, r := open(t, func(p *peer) {
			p.ws.SetPingHandler(func(string) error { pings++; return nil })
			p.ack()
			for {
				m, ok := p.read()
				if !ok {
					return
				}
				if m.Type == "start" {
					probes++
					p.send(`{"id":"%s","type":"data","payload":{"data":{"serverHealth":{"status":"UP"}}}}`, m.ID)
					p.send(`{"id":"%s","type":"complete"}`, m.ID)
				}
			}
		}, legacy, func(o *Options) { o.Probe = "query{serverHealth{status}}" })
		<-time.After(10 * time.Minute)
		if err := c.Err(); err != nil {
			t.Fatalf("a working link was cut: %v", err)
		}
		r.expectNone(t) // the probe's results are not delivered
		if pings != maxUnansweredPings || probes < 50 {
			t.Errorf("%d pings, %d probes", pings, probes)
		}
		if s := c.Stats(); s.UnansweredPings != maxUnansweredPings || s.UnknownIDs != 0 {
			t.Errorf("%+v", s)
		}
	})
}

func TestTrap15ServerClosesOnPing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, _ := open(t, func(p *peer) {
			p.ack()
			p.expect("ping")
			p.close(4400, "invalid message type")
		}, transport)
		err := ended(t, c)
		if !PingMayBeCause(err) || Classify(err) != ClassRetry {
			t.Errorf("%v: %v", err, Classify(err))
		}
	})
}

func TestTrap16BigSnapshot(t *testing.T) {
	bubble(t, func(t *testing.T) {
		big := func(n int) string { return strings.Repeat("x", n) }
		code := make(chan int, 1)
		c, r := open(t, func(p *peer) {
			p.ack()
			m := p.expect("subscribe")
			for _, n := range []int{32 << 10, 8 << 20, 10} {
				p.send(`{"id":"%s","type":"next","payload":{"data":"%s"}}`, m.ID, big(n))
			}
			p.send(`{"id":"%s","type":"next","payload":{"data":"%s"}}`, m.ID, big(16<<20))
			code <- p.closeCode()
		})
		id := subscribe(t, c)
		for _, n := range []int{32 << 10, 8 << 20, 10} {
			if got := <-r.events; got != "next "+id+` {"data":"`+big(n)+`"}` {
				t.Errorf("an event of %d bytes for one of %d", len(got), n)
			}
		}
		err := ended(t, c)
		if !errors.Is(err, ErrTooBig) || Classify(err) != ClassTooBig {
			t.Errorf("%v", err)
		}
	})
}

func TestTrap17NoCompression(t *testing.T) {
	bubble(t, func(t *testing.T) {
		_, o := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if e := r.Header.Get("Sec-Websocket-Extensions"); e != "" {
				t.Errorf("offered %q", e)
			}
			accept(t, first, func(p *peer) {
				p.ack()
				_, _ = p.ws.NetConn().Write([]byte{0xC1, 0x02, '{', '}'}) // compressed although not negotiated
				p.drain()
			})(w, r)
		})
		c, err := Dial(t.Context(), o, newRecorder())
		if err != nil {
			t.Fatal(err)
		}
		if err := ended(t, c); Classify(err) != ClassRetry {
			t.Errorf("%v", err)
		}
	})
}

func TestTrap18ManyOperations(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const n = 200
		c, r := open(t, func(p *peer) {
			p.ack()
			var ids []string
			for range n {
				ids = append(ids, p.expect("subscribe").ID)
			}
			for _, id := range ids {
				p.send(`{"id":"%s","type":"next","payload":{"data":{"of":"%s"}}}`, id, id)
			}
			p.drain()
		})
		var ids []string
		for range n {
			ids = append(ids, subscribe(t, c))
		}
		for _, id := range ids {
			r.expect(t, fmt.Sprintf(`next %s {"data":{"of":"%s"}}`, id, id))
		}
	})
}

// A silent subscription on a working link is legal and looks like a broken back
// end. The session stays open; detecting it is the task of the audit.
func TestTrap19SilentSubscriptionStaysOpen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, r := open(t, func(p *peer) {
			p.ack()
			p.expect("subscribe")
			for {
				if m, ok := p.read(); !ok {
					return
				} else if m.Type == "ping" {
					<-time.After(70 * time.Millisecond)
					p.send(`{"type":"pong"}`)
				}
			}
		}, transport)
		subscribe(t, c)
		<-time.After(time.Hour)
		r.expectNone(t)
		s := c.Stats()
		if c.Err() != nil || time.Since(s.LastFrame) > 15*time.Second || s.RTT != 70*time.Millisecond {
			t.Errorf("%v %+v", c.Err(), s)
		}
	})
}
