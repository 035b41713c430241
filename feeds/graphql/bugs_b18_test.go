package graphql

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The second half of the bugs; the first is in bugs_test.go.

func TestB18NoCutFromAStaleKeepAliveTimer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, _ := open(t, func(p *peer) { // answers WebSocket pings, as the library does
			p.ack()
			for range 5 {
				p.send(`{"type":"ka"}`)
				<-time.After(time.Second)
			}
			p.drain()
		}, legacy)
		<-time.After(time.Hour)
		if c.Err() != nil {
			t.Error(c.Err())
		}
	})
}

func TestB19SlowConnectSucceeds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		slow := func(offered []string) string { <-time.After(4 * time.Second); return offered[0] }
		_, _, err := tryOpen(t, slow, func(p *peer) {
			p.ack()
			p.drain()
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestB20SubscribeAfterTheEndFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, _ := open(t, func(p *peer) {
			p.ack()
			p.close(1012, "restart")
		})
		<-c.Done()
		id, err := c.Subscribe("query{a}", nil)
		var closed *CloseError
		if id != "" || !errors.As(err, &closed) || closed.Code != 1012 {
			t.Errorf("id %q, %v", id, err)
		}
		c.Unsubscribe("1")
	})
}

func TestB22ErrorIsNotHiddenByComplete(t *testing.T) { TestTrap07ErrorThenComplete(t) }

func TestB24InitIsSentAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		open(t, func(p *peer) {
			start := time.Now()
			if m := p.expect("connection_init"); string(m.Payload) != `{"accessToken":"t"}` {
				t.Errorf("payload %s", m.Payload)
			}
			if late := time.Since(start); late != 0 {
				t.Errorf("%v late", late)
			}
			p.send(`{"type":"connection_ack"}`)
			p.drain()
		}, func(o *Options) { o.InitPayload = map[string]string{"accessToken": "t"} })
	})
}

func TestB25LongReasons(t *testing.T) {
	bubble(t, func(t *testing.T) {
		reason := strings.Repeat("é", 61) + "x" // 123 bytes
		c, _ := open(t, func(p *peer) {
			p.ack()
			p.close(4400, reason)
		})
		var closed *CloseError
		if err := ended(t, c); !errors.As(err, &closed) || closed.Reason != reason {
			t.Errorf("%v", err)
		}

		code := make(chan int, 1)
		c, _ = open(t, func(p *peer) {
			p.ack()
			code <- p.closeCode()
		})
		c.Abort(errors.New(strings.Repeat("long ", 100)))
		if got := <-code; got != 1000 {
			t.Errorf("closed with %d", got)
		}
	})
}

func TestB26UnsubscribeTwiceAndNothingKept(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, _ := open(t, func(p *peer) {
			p.ack()
			for range 100 {
				m := p.expect("subscribe")
				if stop := p.expect("complete"); stop.ID != m.ID {
					t.Errorf("stopped %q, want %q", stop.ID, m.ID)
				}
			}
			p.drain()
		})
		for range 100 {
			id := subscribe(t, c)
			c.Unsubscribe(id)
			c.Unsubscribe(id)
			synctest.Wait()
		}
		if len(c.operations) != 0 {
			t.Errorf("%d operations kept", len(c.operations))
		}
	})
}

func TestB27StuckSocketCloses(t *testing.T) {
	bubble(t, func(t *testing.T) {
		hold := make(chan struct{})
		t.Cleanup(func() { close(hold) })
		c, _ := open(t, func(p *peer) {
			p.ack()
			<-hold // stop reading: every write on this link blocks
		})
		subscribe(t, c)
		synctest.Wait()
		start := time.Now()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > 2*closeTimeout {
			t.Errorf("close took %v", took)
		}
	})
}

func TestB30ReadErrorWithoutCodeEndsOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, raw := range []string{"\x83\x00", "\x81\xff", "\x88\x02\x00\x01", "\x88\x03\x03\xe8\xff", "HTTP/1.1 400"} {
			c, r := open(t, func(p *peer) {
				p.ack()
				_, _ = p.ws.NetConn().Write([]byte(raw))
			})
			err := ended(t, c)
			var closed *CloseError
			if !errors.As(err, &closed) || closed.Code != closeAbnormal || Classify(err) != ClassRetry {
				t.Errorf("%q: %v", raw, err)
			}
			r.expectNone(t)
		}
	})
}
