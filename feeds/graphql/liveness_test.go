package graphql

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
)

func TestDeadLinkIsNoticedInTime(t *testing.T) {
	probe := func(o *Options) { o.Subprotocols, o.Probe = []string{LegacyWS}, "query{a}" }
	for i, o := range []func(*Options){transport, legacy, probe} {
		bubbleRun(t, func(t *testing.T) {
			hold := make(chan struct{})
			t.Cleanup(func() { close(hold) })
			var last time.Time
			c, _ := open(t, func(p *peer) {
				p.ack()
				for range 7 {
					<-time.After(3 * time.Second)
					last = time.Now()
					p.send(`{"type":"ka"}`)
				}
				<-hold
			}, o)
			err := ended(t, c)
			if !errors.Is(err, ErrDeadLink) {
				t.Fatal(err)
			}
			// If the probe had no answer either, the ping is not to blame.
			if got, want := PingMayBeCause(err), i < 2; got != want {
				t.Errorf("ping suspected %v, want %v", got, want)
			}
			if took := time.Since(last); took > 15*time.Second {
				t.Errorf("detected after %v", took)
			}
		})
	}
}

func TestDeadLinkAfterAnsweredPingsIsNotThePingsFault(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, _ := open(t, func(p *peer) {
			p.ack()
			for range 3 {
				p.expect("ping")
				p.send(`{"type":"pong"}`)
			}
			p.drain() // from now on, the server does not answer pings
		}, transport)
		err := ended(t, c)
		if !errors.Is(err, ErrDeadLink) || PingMayBeCause(err) || Classify(err) != ClassRetry {
			t.Errorf("%v", err)
		}
	})
}

// A message that takes long is not a dead link.
func TestSlowLargeMessageIsLife(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hold := make(chan struct{})
		t.Cleanup(func() { close(hold) })
		data := strings.Repeat("x", 50)
		c, r := open(t, func(p *peer) {
			p.ack()
			m := p.expect("subscribe")
			go p.drain()
			body := fmt.Sprintf(`{"id":"%s","type":"next","payload":{"data":"%s"}}`, m.ID, data)
			for _, b := range append([]byte{0x81, byte(len(body))}, body...) {
				<-time.After(2 * time.Second)
				_, _ = p.ws.NetConn().Write([]byte{b})
			}
			<-hold
		}, transport)
		id := subscribe(t, c)
		select {
		case got := <-r.events:
			if want := fmt.Sprintf(`next %s {"data":"%s"}`, id, data); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		case <-c.Done():
			t.Errorf("the session ended: %v", c.Err())
		}
	})
}

func TestNoPingSendsNone(t *testing.T) {
	for _, o := range []func(*Options){transport, legacy} {
		bubbleRun(t, func(t *testing.T) {
			c, _ := open(t, func(p *peer) {
				p.ws.SetPingHandler(func(string) error { t.Error("a ping"); return nil })
				p.ack()
				if m, ok := p.read(); ok && m.Type != "connection_terminate" {
					t.Errorf("client sent %s", m.Type)
				}
			}, o, func(o *Options) { o.NoPing = true })
			<-time.After(time.Hour)
			if c.Err() != nil {
				t.Error(c.Err())
			}
		})
	}
}

func TestProbeAloneFindsADeadLink(t *testing.T) {
	bubble(t, func(t *testing.T) {
		start := time.Now()
		c, r := open(t, func(p *peer) {
			p.ack()
			for range 3 {
				m := p.expect("subscribe")
				if !strings.Contains(string(m.Payload), "serverHealth") {
					t.Errorf("probe with %s", m.Payload)
				}
				p.send(`{"id":"%s","type":"error","payload":[{"message":"even this is life"}]}`, m.ID)
			}
			p.drain()
		}, transport, func(o *Options) { o.NoPing, o.Probe = true, "query{serverHealth{status}}" })
		err := ended(t, c)
		if lived := time.Since(start); !errors.Is(err, ErrDeadLink) || lived != 45*time.Second {
			t.Errorf("%v after %v", err, lived)
		}
		if PingMayBeCause(err) {
			t.Error("no ping was sent")
		}
		r.expectNone(t)
	})
}

// Once pongs arrive, the probe query is no longer needed.
func TestProbeStopsOncePongsCome(t *testing.T) {
	bubble(t, func(t *testing.T) {
		probes := 0
		c, _ := open(t, func(p *peer) { // the library answers WebSocket pings
			p.ack()
			for {
				m, ok := p.read()
				if !ok {
					return
				}
				probes++
				p.send(`{"id":"%s","type":"complete"}`, m.ID)
			}
		}, legacy, func(o *Options) { o.Probe = "query{a}" })
		<-time.After(time.Hour)
		if probes != 1 || c.Err() != nil {
			t.Errorf("%d probes, %v", probes, c.Err())
		}
	})
}

func TestFullQueueEndsTheSession(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hold := make(chan struct{})
		t.Cleanup(func() { close(hold) })
		c, _ := open(t, func(p *peer) {
			p.ack()
			<-hold
		})
		var err error
		for n := 0; err == nil; n++ {
			if n > sendQueueSize+1 {
				t.Fatal("the queue is unbounded")
			}
			_, err = c.Subscribe("query{a}", nil)
		}
		if !errors.Is(err, ErrQueueFull) {
			t.Errorf("%v", err)
		}
		if err := ended(t, c); !errors.Is(err, ErrQueueFull) || Classify(err) != ClassRetry {
			t.Errorf("%v", err)
		}
	})
}

// The server's close code explains the end better than the failed write.
func TestCloseCodeWinsOverFailedWrite(t *testing.T) {
	bubble(t, func(t *testing.T) {
		release := make(chan struct{})
		c, _ := open(t, func(p *peer) {
			p.ack()
			<-release
			p.close(4403, "Forbidden")
			p.drain()
		})
		if err := c.enqueue(message{kind: 99}); err != nil { // this message cannot be written
			t.Fatal(err)
		}
		synctest.Wait()
		close(release)
		var closed *CloseError
		if err := ended(t, c); !errors.As(err, &closed) || closed.Code != 4403 {
			t.Errorf("%v", err)
		}
	})
}

func TestFailedWriteAloneEndsTheSession(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, _ := open(t, func(p *peer) {
			p.ack()
			p.drain()
		})
		_ = c.enqueue(message{kind: 99})
		start := time.Now()
		var closed *CloseError
		if err := ended(t, c); !errors.As(err, &closed) || closed.Code != closeAbnormal {
			t.Errorf("%v", err)
		}
		if took := time.Since(start); took > closeFrameWait {
			t.Errorf("took %v", took)
		}
	})
}

func TestPoliteClose(t *testing.T) {
	for _, tc := range []struct {
		option func(*Options)
		bye    string
	}{{transport, ""}, {legacy, "connection_terminate"}} {
		bubbleRun(t, func(t *testing.T) {
			code := make(chan int, 1)
			c, _ := open(t, func(p *peer) {
				p.ack()
				if tc.bye != "" {
					p.expect(tc.bye)
				}
				code <- p.closeCode()
			}, tc.option)
			_ = c.Close()
			if got := <-code; got != websocket.CloseNormalClosure {
				t.Errorf("closed with %d", got)
			}
		})
	}
}

func TestStatsCountFrames(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, _ := open(t, func(p *peer) {
			p.ack()
			p.send(`{"type":"ka"}`)
			p.send(`garbage`)
			_ = p.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Minute))
			_ = p.ws.WriteControl(websocket.PongMessage, nil, time.Now().Add(time.Minute))
			p.drain()
		})
		synctest.Wait()
		_ = c.Close()
		if s := c.Stats(); s.Frames != 3 || s.BadFrames != 1 {
			t.Errorf("%+v", s)
		}
	})
}
