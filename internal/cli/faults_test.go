package cli

import (
	"context"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/lib/secret"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/report/headless"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/webservice"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// small is a platform that is cheap to simulate.
func small() simulator.Options {
	return simulator.Options{
		Speed: 10,
		World: world.Options{Seed: 7, Services: 3, Groups: 2, Agents: 8, Operators: 1, Campaigns: 1},
	}
}

// live waits until everything is live, in the bubble's time.
func (r *rig) live(within time.Duration) {
	r.t.Helper()
	r.until(within, func(s *model.Snapshot) bool { return s.Health.Live() })
}

// until waits for a snapshot.
func (r *rig) until(within time.Duration, ok func(*model.Snapshot) bool) *model.Snapshot {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), within)
	defer cancel()
	for seq := uint64(0); ; {
		s, err := r.feed.Wait(ctx, seq)
		if err != nil {
			r.t.Fatalf("not within %v: %v %q", within, headless.CheckLive(r.feed.Latest()), r.feed.Latest().Health.Notice)
		}
		if ok(s) {
			return s
		}
		seq = s.Seq
	}
}

// counted counts the connections of a feed.
type counted struct {
	dial        func(context.Context, string, string) (net.Conn, error)
	dials       atomic.Int64
	open, worst atomic.Int64
}

func (c *counted) into(o *feeds.Options) {
	c.dial = o.DialContext
	o.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		c.dials.Add(1)
		conn, err := c.dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		c.worst.Store(max(c.worst.Load(), c.open.Add(1)))
		return &countedConn{Conn: conn, c: c}, nil
	}
}

type countedConn struct {
	net.Conn
	c      *counted
	closed atomic.Bool
}

func (c *countedConn) Close() error {
	if !c.closed.Swap(true) {
		c.c.open.Add(-1)
	}
	return c.Conn.Close()
}

// The names B04 … refer to known bugs of other GraphQL clients (those of a single session
// are tested in feeds/graphql).

func TestB04EverySubscriptionComesBackAfterACut(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		var c counted
		r := newRig(t, small(), c.into)
		defer r.stop()
		r.live(5 * time.Second)
		for i := range 40 {
			r.srv.Faults().DropSockets([]int{0, 1000, 1001, 1011, 1012, 4500}[i%6])
			pass(time.Duration(i) * 100 * time.Millisecond)
			r.until(2*time.Minute, func(s *model.Snapshot) bool {
				return s.Health.Live() && s.Health.Link.Reconnects == uint64(i+1)
			})
		}
		if c.worst.Load() != 1 { // B17: two open sockets at once
			t.Errorf("%d sockets open at once", c.worst.Load())
		}
		r.settle(rtd.DateISO)
	})
}

func TestB05NeverGivesUp(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		var c counted
		r := newRig(t, small(), c.into)
		defer r.stop()
		r.live(5 * time.Second)
		r.srv.Faults().RefuseRequests(true)
		r.srv.Faults().DropSockets(0)
		r.srv.Pause() // the events of the floor do not matter
		hours := 24
		if testkit.Race {
			hours = 2
		}
		pass(time.Duration(hours) * time.Hour)
		r.srv.Resume()
		if r.feed.Latest().Health.Link.State != model.LinkBackoff && r.feed.Latest().Health.Link.State != model.LinkConnecting {
			t.Errorf("state %q after hours of 503", r.feed.Latest().Health.Link.State)
		}
		if n := c.dials.Load(); n < int64(hours)*60*2 || n > int64(hours)*60*10 {
			t.Errorf("%d tries in %d hours", n, hours)
		}
		if r.feed.Latest().Services.Len() == 0 {
			t.Error("the old picture is gone")
		}
		r.srv.Faults().RefuseRequests(false)
		r.live(time.Minute)
		r.settle(rtd.DateISO)
	})
}

func TestB28CancelInterruptsTheWait(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, small(), func(o *feeds.Options) { o.Credentials.AccessToken = secret.New("wrong") })
		r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Link.State == model.LinkRefused })
		before := time.Now()
		r.stop()
		if d := time.Since(before); d > time.Second {
			t.Errorf("the end took %v", d)
		}
	})
}

func TestB29FlappingDoesNotResetTheBackoff(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		var c counted
		r := newRig(t, small(), c.into)
		defer r.stop()
		for range 600 { // for ten minutes each connection is accepted and cut a moment later
			pass(time.Second)
			r.srv.Faults().DropSockets(0)
		}
		if n := c.dials.Load(); n > 60 {
			t.Errorf("%d connections in ten minutes of flapping", n)
		}
	})
}

func TestRefusedCredentialsAreNotHammered(t *testing.T) {
	t.Parallel()
	for _, mode := range []feeds.AuthMode{feeds.AuthToken, feeds.AuthCookie, feeds.AuthLogin} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				var c counted
				r := newRig(t, small(), func(o *feeds.Options) {
					o.Auth = mode
					o.Credentials = feeds.Credentials{Username: "supervisor", Password: secret.New("wrong"), AccessToken: secret.New("wrong")}
					c.into(o)
				})
				defer r.stop()
				s := r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Notice != "" })
				if s.Health.Link.State != model.LinkRefused || !strings.HasPrefix(s.Health.Notice, "The platform refuses ") {
					t.Errorf("%q %q", s.Health.Link.State, s.Health.Notice)
				}
				pass(time.Hour)
				if n := c.dials.Load(); n > 20 || mode == feeds.AuthLogin && n > 16 {
					t.Errorf("%d tries in an hour: an account would be locked", n)
				}
			})
		})
	}
}

func TestEveryWayToAuthenticate(t *testing.T) {
	t.Parallel()
	for _, mode := range []feeds.AuthMode{feeds.AuthToken, feeds.AuthCookie, feeds.AuthLogin} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig(t, small(), func(o *feeds.Options) { o.Auth = mode })
				defer r.stop()
				r.live(10 * time.Second)
				r.settle(rtd.DateISO)
			})
		})
	}
}

func TestExpiredSessionLogsInAgain(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, small(), func(o *feeds.Options) { o.Auth = feeds.AuthLogin })
		defer r.stop()
		r.live(10 * time.Second)
		for range 3 {
			r.srv.Faults().ExpireSession()
			pass(70 * time.Second)
			r.live(time.Minute)
		}
		r.settle(rtd.DateISO)
	})
}

func TestExpiredTokenWaitsForAPerson(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, small(), nil)
		defer r.stop()
		r.live(10 * time.Second)
		r.srv.Faults().ExpireSession()
		r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Link.State == model.LinkRefused })
		r.srv.Faults().AllowToken(webservice.DefaultAccount().Token)
		r.feed.RetryNow()
		r.live(10 * time.Second)
		if n := r.feed.Latest().Health.Notice; n != "" {
			t.Errorf("the banner stays: %q", n)
		}
		r.settle(rtd.DateISO)
	})
}

// TestPinnedSubprotocolIsNamed pins a sub-protocol that the server refuses with a close
// code or a status; polling reports it, too.
func TestPinnedSubprotocolIsNamed(t *testing.T) {
	t.Parallel()
	both := []string{rtd.SubprotocolTransport, rtd.SubprotocolLegacy}
	for _, refusal := range []rtd.SubprotocolRefusal{rtd.SubprotocolRefusalClose, rtd.SubprotocolRefusalStatus} {
		for i, pinned := range both {
			t.Run(string(refusal)+", "+pinned, func(t *testing.T) {
				t.Parallel()
				bubble(t, func(t *testing.T) {
					so := small()
					so.Switches.Subprotocols, so.Switches.SubprotocolRefusal = both[1-i:2-i], refusal
					r := newRig(t, so, func(o *feeds.Options) { o.Subprotocols = both[i : i+1] })
					defer r.stop()
					named := func(s *model.Snapshot) bool {
						return strings.Contains(s.Health.Notice, "does not speak "+pinned+", which subprotocol in [rtd] pins")
					}
					r.until(time.Minute, func(s *model.Snapshot) bool {
						return named(s) && (s.Health.Link.State == model.LinkRefused || polling(s))
					})
					pass(time.Minute)
					if s := r.feed.Latest(); !named(s) {
						t.Errorf("the banner is %q", s.Health.Notice)
					}
				})
			})
		}
	}
}

func TestStalledLinkIsNoticedAndHealed(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{rtd.SubprotocolTransport, rtd.SubprotocolLegacy} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				so := small()
				so.Switches.Subprotocols = []string{protocol}
				r := newRig(t, so, nil)
				defer r.stop()
				r.live(5 * time.Second)
				r.srv.Faults().StallWrites(90 * time.Second)
				r.until(16*time.Second, func(s *model.Snapshot) bool { return s.Health.Link.State != model.LinkUp })
				r.live(3 * time.Minute)
				r.settle(rtd.DateISO)
			})
		})
	}
}

func TestMalformedAndRepeatedFramesAreHealed(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, small(), nil)
		defer r.stop()
		r.live(5 * time.Second)
		for range 10 {
			r.srv.Faults().RTD.CorruptMessages(4)
			r.srv.Faults().RTD.RepeatDelta(4)
			pass(10 * time.Second)
		}
		r.srv.Faults().RTD.CorruptMessages(0)
		r.settle(rtd.DateISO)
		h := &r.feed.Latest().Health
		bad := h.BadFrames
		for _, s := range h.Subscriptions {
			bad += s.BadMessages
		}
		if bad == 0 {
			t.Error("nothing was counted")
		}
		if h.Link.Reconnects != 0 {
			t.Errorf("%d reconnects: a bad frame was fatal", h.Link.Reconnects)
		}
	})
}

func TestHugeMessageIsTakenOrSurvived(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, small(), nil)
		defer r.stop()
		r.live(5 * time.Second)
		r.srv.Faults().RTD.EnlargeMessage(20 << 20)
		pass(30 * time.Second)
		r.live(time.Minute)
		r.settle(rtd.DateISO)
	})
}

func TestMembersComeAndGo(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		so := small()
		so.Speed = 120 // eight hours in four minutes, with a change of shifts
		r := newRig(t, so, nil)
		defer r.stop()
		r.live(5 * time.Second)
		first := r.feed.Latest().Users
		pass(4 * time.Minute)
		r.settle(rtd.DateISO)
		came := 0
		for u := range r.feed.Latest().Users.All() {
			if first.Get(u.Key()) == nil {
				came++
			}
		}
		if came == 0 {
			t.Error("nobody came in eight hours; the test shows nothing")
		}
	})
}

func TestPinnedCodesAndSite(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, small(), func(o *feeds.Options) {
			o.Services, o.Groups, o.UserSite = []string{"SRV02"}, []string{"GRP01"}, 1
		})
		defer r.stop()
		r.live(5 * time.Second)
		s := r.feed.Latest()
		for v := range s.Services.All() {
			if v.Key().Code != "SRV02" {
				t.Errorf("service %s", v.Key().Code)
			}
		}
		for v := range s.Groups.All() {
			if v.Key().Code != "GRP01" {
				t.Errorf("group %s", v.Key().Code)
			}
		}
		for u := range s.Users.All() {
			if u.Site.String() != "1" {
				t.Errorf("user of site %s", u.Site)
			}
		}
		if s.Services.Len() == 0 || s.Groups.Len() == 0 || s.Users.Len() == 0 {
			t.Error("empty")
		}
	})
}

func TestUnknownHostSaysSo(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, small(), func(o *feeds.Options) {
			o.DialContext = func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.DNSError{Err: "no such host", Name: "nowhere.example", IsNotFound: true}
			}
		})
		defer r.stop()
		s := r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Link.State == model.LinkBackoff })
		if !strings.Contains(s.Health.Link.Reason, "not resolved") {
			t.Errorf("reason %q", s.Health.Link.Reason)
		}
		r.until(time.Minute, func(s *model.Snapshot) bool {
			return strings.Contains(s.Health.Notice, "cannot be reached: ")
		})
	})
}

// TestConnectionThatIsNotKeptIsNotCalledUnreachable cuts every connection.
func TestConnectionThatIsNotKeptIsNotCalledUnreachable(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, small(), nil)
		defer r.stop()
		for notice := ""; !strings.Contains(notice, "does not keep the connection: connection lost"); {
			s := r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Link.State == model.LinkUp })
			if notice = s.Health.Notice; strings.Contains(notice, "reached") || s.Health.Cuts > 20 {
				t.Fatalf("after %d cuts: %q", s.Health.Cuts, notice)
			}
			r.srv.Faults().DropSockets(0)
			pass(time.Second)
			notice = r.feed.Latest().Health.Notice
		}
	})
}

// trap is a log that panics on the first message about a bad frame.
type trap struct {
	slog.Handler
	sprung atomic.Bool
}

func (h *trap) Handle(ctx context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "problem with a message") && !h.sprung.Swap(true) {
		panic("a bug")
	}
	return h.Handler.Handle(ctx, r)
}

func (h *trap) Enabled(context.Context, slog.Level) bool { return true }

func TestPanicOverAFrameEndsTheSessionOnly(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		h := &trap{Handler: slog.DiscardHandler}
		r := newRig(t, small(), func(o *feeds.Options) { o.Logger = slog.New(h) })
		defer r.stop()
		r.live(5 * time.Second)
		r.srv.Faults().RTD.CorruptMessages(1)
		s := r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Link.Reconnects == 1 && s.Health.Live() })
		if !h.sprung.Load() {
			t.Errorf("nothing panicked; %d reconnects", s.Health.Link.Reconnects)
		}
		r.settle(rtd.DateISO)
	})
}

// TestRandomFaultsForAnHour applies all random faults of the demo; afterwards the snapshot
// is correct again.
func TestRandomFaultsForAnHour(t *testing.T) {
	t.Parallel()
	minutes := 60
	if testkit.Race {
		minutes = 10
	}
	bubble(t, func(t *testing.T) {
		so := small()
		so.Speed = 1
		so.Faults = simulator.FaultRates{
			Drop: 0.5, Stall: 0.2, Refuse: 0.2, Repeat: 5, Malformed: 5, Expire: 0.1,
			SlowBytes: 4096, SlowPause: time.Millisecond,
		}
		r := newRig(t, so, func(o *feeds.Options) { o.Auth = feeds.AuthLogin })
		defer r.stop()
		pass(time.Duration(minutes) * time.Minute)
		r.srv.Pause() // no more random faults begin; running ones end by themselves
		h := &r.feed.Latest().Health
		if int(h.Link.Reconnects) < minutes/3 {
			t.Errorf("%d reconnects; the test shows little", h.Link.Reconnects)
		}
		r.live(6 * time.Minute)
		r.settle(rtd.DateISO)
	})
}
