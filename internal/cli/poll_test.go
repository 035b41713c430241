package cli

import (
	"bytes"
	"context"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// proxy drops WebSocket upgrades while it is on.
type proxy struct {
	on   atomic.Bool
	dial func(context.Context, string, string) (net.Conn, error)
}

func (p *proxy) into(o *feeds.Options) {
	p.dial = o.DialContext
	o.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := p.dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &proxiedConn{Conn: conn, p: p}, nil
	}
}

type proxiedConn struct {
	net.Conn
	p   *proxy
	cut atomic.Bool
}

func (c *proxiedConn) Read(b []byte) (int, error) {
	if c.cut.Load() {
		return 0, io.EOF
	}
	return c.Conn.Read(b)
}

func (c *proxiedConn) Write(b []byte) (int, error) {
	if c.p.on.Load() && bytes.Contains(b, []byte("Upgrade: websocket")) {
		c.cut.Store(true)
		return len(b), nil
	}
	return c.Conn.Write(b)
}

func polling(s *model.Snapshot) bool {
	return s.Health.Link.State == model.LinkUp && s.Health.Link.PollEvery > 0
}

func onSocket(s *model.Snapshot) bool { return s.Health.Live() && s.Health.Link.PollEvery == 0 }

// TestWebSocketIsTriedSoonWhilePolling allows WebSockets again after a short and after a long time of
// polling.
func TestWebSocketIsTriedSoonWhilePolling(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		var p proxy
		p.on.Store(true)
		r := newRig(t, small(), p.into)
		defer r.stop()
		r.until(time.Minute, polling)
		p.on.Store(false)
		r.until(12*time.Second, onSocket)

		p.on.Store(true)
		r.srv.Faults().DropSockets(0)
		r.until(time.Minute, polling)
		pass(20 * time.Minute)
		p.on.Store(false)
		r.feed.RetryNow()
		r.until(2*time.Second, onSocket)
		r.settle(rtd.DateISO)
	})
}

// TestShortStallDoesNotEndInPolling stalls the connection for 20 s: the board keeps its WebSocket.
func TestShortStallDoesNotEndInPolling(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{rtd.SubprotocolTransport, rtd.SubprotocolLegacy} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				so := small()
				so.Switches.Subprotocols = []string{protocol}
				r := newRig(t, so, nil)
				defer r.stop()
				for range 4 {
					r.live(20 * time.Second)
					r.srv.Faults().StallWrites(20 * time.Second)
					pass(20 * time.Second)
				}
				s := r.until(20*time.Second, onSocket)
				if s.Health.Link.PollEvery > 0 {
					t.Error("it polls")
				}
			})
		})
	}
}

// TestDeadLinkWhilePollingIsNoticed stalls a connection that is polled: the board notices this.
func TestDeadLinkWhilePollingIsNoticed(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		so := small()
		so.Switches.Upgrade = rtd.UpgradeRefused
		r := newRig(t, so, nil)
		defer r.stop()
		r.until(time.Minute, func(s *model.Snapshot) bool { return polling(s) && s.Health.Live() })
		pass(7 * time.Minute) // after this time WebSockets are tried rarely
		for range 3 {
			r.srv.Faults().StallWrites(2 * time.Minute)
			began := time.Now()
			s := r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Link.State != model.LinkUp })
			if took := time.Since(began); took > 16*time.Second {
				t.Errorf("noticed after %v: %s", took, s.Health.Link.Reason)
			}
			pass(2 * time.Minute)
			r.until(3*time.Minute, func(s *model.Snapshot) bool { return polling(s) && s.Health.Live() })
			pass(time.Minute)
		}
	})
}

// TestQuietPollingIsNotTakenForDead polls a slow server at a long interval: the board stays live.
func TestQuietPollingIsNotTakenForDead(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		so := small()
		so.Switches.Upgrade = rtd.UpgradeRefused
		r := newRig(t, so, func(o *feeds.Options) { o.PollEvery = time.Minute })
		defer r.stop()
		r.until(time.Minute, func(s *model.Snapshot) bool { return polling(s) && s.Health.Live() })
		pass(10 * time.Minute)
		if n := r.feed.Latest().Health.Cuts; n != 0 {
			t.Errorf("%d cuts", n)
		}
	})
}

// TestAuditHasItsOwnPace checks that the interval of audits does not depend on the interval of
// publications.
func TestAuditHasItsOwnPace(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("what it counts does not depend on how fast it is")
	}
	looks := func(every time.Duration) (n int64) {
		bubble(t, func(t *testing.T) {
			var answers atomic.Int64
			r := newRig(t, simulator.Options{
				World: world.Options{Seed: 7, Services: 12, Groups: 6, Agents: 200, Operators: 4, Campaigns: 3},
			}, func(o *feeds.Options) {
				o.Publish.Every, o.AuditInterval = every, 30*time.Second
				o.OnPayload = func(_ string, answer bool, _ []byte) {
					if answer {
						answers.Add(1)
					}
				}
			})
			defer r.stop()
			r.live(30 * time.Second)
			pass(30 * time.Second)
			before := answers.Load()
			for range 24 {
				pass(5 * time.Second)
				if s := r.feed.Latest(); !s.Health.Live() {
					t.Errorf("published every %v: %v", every, headless.CheckLive(s))
				}
			}
			n = answers.Load() - before
		})
		return n
	}
	usual, rare := looks(100*time.Millisecond), looks(5*time.Second)
	if rare < usual*9/10 {
		t.Errorf("%d queries in two minutes where pictures are published every 5 s, %d where they are every 0.1 s", rare, usual)
	}
}

// TestSubscriptionErrorIsTriedSoon ends one subscription with an error and refuses it for a while: it is
// soon tried again.
func TestSubscriptionErrorIsTriedSoon(t *testing.T) {
	t.Parallel()
	for _, hidden := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			so := small()
			so.Switches.NoIntrospection = hidden
			r := newRig(t, so, nil)
			defer r.stop()
			r.live(5 * time.Second)
			pass(10 * time.Second)
			for _, c := range []struct {
				refused int
				within  time.Duration
			}{{0, 3 * time.Second}, {1, 5 * time.Second}, {4, 35 * time.Second}} {
				before := r.feed.Latest().Health.Subscriptions[5].Since
				began := time.Now()
				r.srv.Faults().RTD.FailSubscription("userStats", c.refused)
				pass(300 * time.Millisecond)
				r.live(3 * time.Minute)
				after := r.feed.Latest().Health.Subscriptions[5]
				if after.Name != "userStats" || !after.Since.After(before) {
					t.Errorf("%s did not end: %v, %v", after.Name, before, after.Since)
				}
				if took := time.Since(began); took > c.within {
					t.Errorf("schema hidden %v, refused %d times: live after %v, want %v", hidden, c.refused, took, c.within)
				}
				pass(2 * time.Minute)
			}
			if n := r.feed.Latest().Health.Link.Reconnects; n != 0 {
				t.Errorf("%d reconnects", n)
			}
		})
	}
}

// TestPollingIsTheWayAfterAnOutage checks that an outage of a polled platform does not change whether the
// board considers WebSockets usable.
func TestPollingIsTheWayAfterAnOutage(t *testing.T) {
	t.Parallel()
	for _, upgrade := range []rtd.Upgrade{rtd.UpgradeRefused, rtd.UpgradeNoRoute, rtd.UpgradeCut, rtd.UpgradeStripped} {
		t.Run(string(upgrade), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig(t, simulator.Options{
					Switches: rtd.Switches{Upgrade: upgrade},
					World:    world.Options{Seed: 3, Services: 3, Groups: 2, Agents: 6, Operators: 1, Campaigns: 2},
				}, nil)
				defer r.stop()
				pass(30 * time.Second)
				r.srv.Faults().RefuseRequests(true)
				pass(3 * time.Minute)
				r.srv.Faults().RefuseRequests(false)
				pass(20 * time.Second)
				if l := r.feed.Latest().Health.Link; l.State != model.LinkUp || l.PollEvery == 0 {
					t.Errorf("20 s after the platform is back: %s, %s", l.State, l.Reason)
				}
			})
		})
	}
}
