package graphql

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Undocumented behaviour of real servers, with its numbers here.

func TestTrap01NoiseBeforeAck(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, r := open(t, func(p *peer) {
			p.expect("connection_init")
			p.send(`{"type":"ka"}`)
			p.send(`{"type":"pong"}`)
			p.send(`{"type":"hello"}`)
			p.send(`{"type":"ping","payload":{"message":"keepalive"}}`)
			if m := p.expect("pong"); string(m.Payload) != `{"message":"keepalive"}` {
				t.Errorf("pong with %s", m.Payload)
			}
			p.send(`{"type":"connection_ack","payload":{"x":1}}`)
			p.drain()
		})
		r.expect(t, "bad unknown message type")
		if c.Err() != nil {
			t.Error(c.Err())
		}
	})
}

func TestTrap02KeepAliveOnTransport(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, r := open(t, func(p *peer) {
			p.ack()
			for range 20 {
				<-time.After(9 * time.Second)
				p.send(`{"type":"ka"}`)
			}
			p.expect("ping") // this is the first ping: until here, ka was a sufficient sign of life
			p.send(`{"type":"pong"}`)
			p.drain()
		}, transport)
		<-time.After(195 * time.Second)
		if c.Err() != nil {
			t.Error(c.Err())
		}
		r.expectNone(t)
	})
}

func TestTrap03LateAndRareKeepAlive(t *testing.T) {
	for _, tc := range []struct{ interval, want time.Duration }{
		{25 * time.Second, 8*25*time.Second + 62500*time.Millisecond}, // 2.5 times the longest interval
		{2 * time.Second, 8*2*time.Second + 45*time.Second},           // but at least minSilence
	} {
		bubbleRun(t, func(t *testing.T) {
			c, _ := open(t, func(p *peer) {
				p.ack()
				for range 8 {
					<-time.After(tc.interval)
					p.send(`{"type":"ka"}`)
				}
				p.drain()
			}, legacy, func(o *Options) { o.NoPing = true })
			start := time.Now()
			if err := ended(t, c); !errors.Is(err, ErrDeadLink) {
				t.Fatal(err)
			}
			if lived := time.Since(start); lived < tc.want || lived > tc.want+time.Second {
				t.Errorf("ended after %v, want %v", lived, tc.want)
			}
		})
	}
}

func TestTrap03OneKeepAliveTellsNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, _ := open(t, func(p *peer) {
			p.ack()
			p.send(`{"type":"ka"}`)
			p.drain()
		}, legacy, func(o *Options) { o.NoPing = true })
		<-time.After(time.Hour)
		if c.Err() != nil {
			t.Error(c.Err())
		}
	})
}

func TestTrap04SilentRefusal(t *testing.T) {
	bubble(t, func(t *testing.T) {
		start := time.Now()
		_, _, err := tryOpen(t, first, func(p *peer) {
			p.expect("connection_init")
			p.send(`{"type":"error","payload":"Prohibited connection!"}`)
			p.drain()
		}, legacy)
		var ack *AckError
		if !errors.As(err, &ack) || ack.Message != "Prohibited connection!" || time.Since(start) > time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}

		start = time.Now()
		_, _, err = tryOpen(t, first, (*peer).drain)
		if !errors.Is(err, ErrAckTimeout) || time.Since(start) != 10*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

func TestTrap05ConnectionErrorOnTransport(t *testing.T) {
	bubble(t, func(t *testing.T) {
		_, _, err := tryOpen(t, first, func(p *peer) {
			p.expect("connection_init")
			p.send(`{"type":"connection_error","payload":{"message":"Could not verify JWT","code":"UNAUTHORIZED"}}`)
			p.drain()
		}, transport)
		var ack *AckError
		if !errors.As(err, &ack) || ack.Code != "UNAUTHORIZED" || Classify(err) != ClassAuth {
			t.Errorf("%v", err)
		}
	})
}

func TestTrap06ErrorPayloadShapes(t *testing.T) {
	for _, o := range []func(*Options){transport, legacy} {
		for _, payload := range []string{`[{"message":"m"}]`, `{"message":"m"}`, `"m"`, `{"errors":["m"]}`} {
			t.Run(payload, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					c, r := open(t, func(p *peer) {
						p.ack()
						m, _ := p.read()
						p.send(`{"id":"%s","type":"error","payload":%s}`, m.ID, payload)
						p.drain()
					}, o)
					r.expect(t, "fail "+subscribe(t, c)+" m")
				})
			})
		}
	}
}

func TestTrap07ErrorThenComplete(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, r := open(t, func(p *peer) {
			p.ack()
			m := p.expect("subscribe")
			p.send(`{"id":"%s","type":"error","payload":[{"message":"m"}]}`, m.ID)
			p.send(`{"id":"%s","type":"complete"}`, m.ID)
			p.send(`{"id":"%s","type":"next","payload":{"data":{}}}`, m.ID)
			p.drain()
		})
		r.expect(t, "fail "+subscribe(t, c)+" m")
		r.expectNone(t)
		if s := c.Stats(); s.LateMessages != 2 || s.UnknownIDs != 0 {
			t.Errorf("%+v", s)
		}
	})
}

func TestTrap08ValidationErrorAsData(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, r := open(t, func(p *peer) {
			p.ack()
			for _, data := range []string{``, `,"data":null`} {
				m := p.expect("start")
				p.send(`{"id":"%s","type":"data","payload":{"errors":[{"message":"m"}]%s}}`, m.ID, data)
				if stop := p.expect("stop"); stop.ID != m.ID {
					t.Errorf("stopped %q, want %q", stop.ID, m.ID)
				}
				p.send(`{"id":"%s","type":"complete"}`, m.ID)
			}
			p.drain()
		}, legacy)
		for range 2 {
			r.expect(t, "fail "+subscribe(t, c)+" m")
			r.expectNone(t)
		}
	})
}

func TestTrap09DataWithErrorsIsData(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const payload = `{"errors":[{"message":"m"}],"data":{"a":null,"b":2}}`
		c, r := open(t, func(p *peer) {
			p.ack()
			m := p.expect("subscribe")
			p.send(`{"id":"%s","type":"next","payload":%s}`, m.ID, payload)
			p.drain()
		})
		r.expect(t, "next "+subscribe(t, c)+" "+payload)
	})
}

func TestTrap10NoEchoedSubprotocol(t *testing.T) {
	for _, tc := range []struct {
		offer []string
		want  string
	}{
		{[]string{TransportWS, LegacyWS}, LegacyWS},
		{[]string{LegacyWS}, LegacyWS},
		{[]string{TransportWS}, TransportWS}, // the sub-protocol is pinned, so the client tries no other
	} {
		t.Run(strings.Join(tc.offer, "+"), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				c, _, err := tryOpen(t, none, func(p *peer) {
					p.ack()
					p.drain()
				}, func(o *Options) { o.Subprotocols = tc.offer })
				if err != nil || c.Subprotocol() != tc.want {
					t.Errorf("%v, %v", c, err)
				}
			})
		})
	}
}

func TestTrap11ServerChooses(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c, _, err := tryOpen(t, always(LegacyWS), func(p *peer) {
			p.ack()
			p.expect("start")
			p.drain()
		})
		if err != nil || c.Subprotocol() != LegacyWS {
			t.Fatal(err)
		}
		subscribe(t, c)
		synctest.Wait()

		for _, junk := range []string{TransportWS + "," + LegacyWS, "soap"} {
			_, _, err = tryOpen(t, always(junk), (*peer).drain)
			var sub *SubprotocolError
			if !errors.As(err, &sub) || sub.Offer != TransportWS || Classify(err) != ClassOtherSubprotocol {
				t.Errorf("%v", err)
			}
			_, _, err = tryOpen(t, always(junk), (*peer).drain, transport)
			if !errors.As(err, &sub) || sub.Offer != LegacyWS {
				t.Errorf("%v", err)
			}
		}
	})
}

func TestTrap12NothingBeforeAck(t *testing.T) {
	bubble(t, func(t *testing.T) {
		start := time.Now()
		c, _ := open(t, func(p *peer) {
			p.expect("connection_init")
			<-time.After(7 * time.Second)
			p.send(`{"type":"connection_ack"}`)
			p.expect("start")
			p.drain()
		}, legacy)
		if waited := time.Since(start); waited != 7*time.Second {
			t.Errorf("dial returned after %v", waited)
		}
		subscribe(t, c)
		synctest.Wait()
	})
}
