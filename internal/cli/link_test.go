package cli

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/internal/simulator/rtd"
	"wallboard/model"
)

// backWithin waits until a board that was cut retries, and returns when it was live again.
func (r *rig) backWithin(within time.Duration, what string) {
	r.t.Helper()
	cuts := r.feed.Latest().Health.Cuts
	s := r.until(20*time.Second, func(s *model.Snapshot) bool { return s.Health.Cuts > cuts || s.Health.Link.State != model.LinkUp })
	began := time.Now()
	if l := s.Health.Link; l.State == model.LinkRefused || !l.NextTry.IsZero() && l.NextTry.Sub(began) > 2*time.Second {
		r.t.Errorf("%s: %s, the next try in %v, banner %q", what, l.State, l.NextTry.Sub(began), s.Health.Notice)
	}
	r.live(within)
}

// TestEndedSessionsAreOrdinaryCuts ends several sessions in quick succession: the board reconnects as
// after any other cut.
func TestEndedSessionsAreOrdinaryCuts(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, small(), func(o *feeds.Options) { o.Auth = feeds.AuthLogin })
		defer r.stop()
		r.live(10 * time.Second)
		for range 6 {
			pass(15 * time.Second)
			r.srv.Faults().ExpireSession()
			r.backWithin(10*time.Second, "a session that ended")
		}
		r.settle(rtd.DateISO)
	})
}

// TestCutsAreFollowedWithinTwoSeconds cuts live sessions with every code that has a special
// meaning elsewhere.
func TestCutsAreFollowedWithinTwoSeconds(t *testing.T) {
	t.Parallel()
	codes := []int{
		0, 1000, 1001, 1002, 1003, 1007, 1008, 1009, 1011, 1012, 1013, 3000, 3003,
		4400, 4401, 4403, 4406, 4408, 4409, 4429, 4499, 4500, 4999,
	}
	for _, protocol := range []string{rtd.SubprotocolTransport, rtd.SubprotocolLegacy} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				so := small()
				so.Switches.Subprotocols = []string{protocol}
				r := newRig(t, so, func(o *feeds.Options) { o.Jitter = func() float64 { return 0.999 } })
				defer r.stop()
				r.live(10 * time.Second)
				for i, code := range append(codes, 4400, 4400, 4400) {
					if i%3 != 0 { // every third connection is cut at once
						pass(11 * time.Second)
					}
					r.srv.Faults().DropSockets(code)
					r.backWithin(6*time.Second, "closed with "+strconv.Itoa(code))
				}
				r.settle(rtd.DateISO)
			})
		})
	}
}

// TestHealedCutLeavesNoBackoff cuts a connection soon after a long outage: the board reconnects as
// quickly as after a single cut.
func TestHealedCutLeavesNoBackoff(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, small(), func(o *feeds.Options) { o.Jitter = func() float64 { return 0.999 } })
		defer r.stop()
		r.live(10 * time.Second)
		r.srv.Faults().RefuseRequests(true)
		r.srv.Faults().DropSockets(0)
		pass(10 * time.Minute)
		r.srv.Faults().RefuseRequests(false)
		r.live(time.Minute)
		pass(3 * time.Second)
		r.srv.Faults().DropSockets(4400)
		r.backWithin(6*time.Second, "a second cut")
	})
}

// socketAuths returns combinations of the configured authentication and the one that a WebSocket accepts,
// with the expected detected one; "": the configured one.
func socketAuths() map[string]struct {
	mode feeds.AuthMode
	sw   rtd.Switches
	way  string
} {
	type row = struct {
		mode feeds.AuthMode
		sw   rtd.Switches
		way  string
	}
	return map[string]row{
		"login, session":            {feeds.AuthLogin, rtd.Switches{SocketAuth: rtd.SocketAuthSession}, ""},
		"login, init":               {feeds.AuthLogin, rtd.Switches{SocketAuth: rtd.SocketAuthInit}, "the access token in connection_init"},
		"login, cookie":             {feeds.AuthLogin, rtd.Switches{SocketAuth: rtd.SocketAuthCookie}, "the access token in a cookie"},
		"login, cookie, at upgrade": {feeds.AuthLogin, rtd.Switches{SocketAuth: rtd.SocketAuthCookie, AuthAtUpgrade: true}, "the access token in a cookie"},
		"token, cookie":             {feeds.AuthToken, rtd.Switches{SocketAuth: rtd.SocketAuthCookie}, "the access token in a cookie"},
		"token, at upgrade":         {feeds.AuthToken, rtd.Switches{AuthAtUpgrade: true}, "the access token in a cookie"},
		"cookie, init":              {feeds.AuthCookie, rtd.Switches{SocketAuth: rtd.SocketAuthInit}, "the access token in connection_init"},
	}
}

// TestOtherWaysToPresentCredentials checks servers whose WebSockets accept other
// credentials than configured.
func TestOtherWaysToPresentCredentials(t *testing.T) {
	t.Parallel()
	for name, c := range socketAuths() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				so := small()
				so.Switches = c.sw
				r := newRig(t, so, func(o *feeds.Options) { o.Auth = c.mode })
				defer r.stop()
				r.live(20 * time.Second)
				for range 2 { // the detected authentication is kept
					pass(15 * time.Second)
					r.srv.Faults().DropSockets(0)
					r.backWithin(6*time.Second, "a cut")
				}
				if got := r.feed.Latest().Health.Link.Way; got != c.way {
					t.Errorf("found %q, want %q", got, c.way)
				}
				r.settle(rtd.DateISO)
			})
		})
	}
}

// TestMissingWayIsNamed uses a platform whose login returns no token although its WebSockets require one:
// the board names the problem.
func TestMissingWayIsNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		mode feeds.AuthMode
		sw   rtd.Switches
		want []string
	}{
		"login without a token": {
			feeds.AuthLogin,
			rtd.Switches{SocketAuth: rtd.SocketAuthCookie, MissingFields: []string{"SessionUser.authToken"}},
			[]string{"accepts the login", "refuses the session cookie, and", "nothing for the access token in connection_init and"},
		},
		"token where a session is wanted": {
			feeds.AuthToken,
			rtd.Switches{SocketAuth: rtd.SocketAuthSession, AuthAtUpgrade: true, MissingFields: []string{"Mutation.loginWithAccessToken"}},
			[]string{"The platform refuses the access token in connection_init and the access token in a cookie and the session of loginWithAccessToken", "loginWithAccessToken"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				so := small()
				so.Switches = c.sw
				var n counted
				r := newRig(t, so, func(o *feeds.Options) {
					o.Auth = c.mode
					n.into(o)
				})
				defer r.stop()
				s := r.until(time.Minute, func(s *model.Snapshot) bool { return s.Health.Link.State == model.LinkRefused })
				for _, want := range c.want {
					if !strings.Contains(s.Health.Notice, want) {
						t.Errorf("%q does not say %q", s.Health.Notice, want)
					}
				}
				if wait := time.Until(s.Health.Link.NextTry); wait > time.Minute {
					t.Errorf("the next try in %v: no login was refused", wait)
				}
				before := n.dials.Load()
				pass(time.Hour)
				if made := n.dials.Load() - before; made < 10 || made > 300 {
					t.Errorf("%d connections in an hour", made)
				}
			})
		})
	}
}

// TestLoginIsSentOnceForEverySession checks that a cut connection does not cause a new login while the
// session is valid.
func TestLoginIsSentOnceForEverySession(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		var n counted
		r := newRig(t, small(), func(o *feeds.Options) {
			o.Auth = feeds.AuthLogin
			n.into(o)
		})
		defer r.stop()
		r.live(10 * time.Second)
		before := n.dials.Load()
		for range 3 {
			r.srv.Faults().DropSockets(0) // the session remains valid
			pass(15 * time.Second)
		}
		if made := n.dials.Load() - before; made != 3 {
			t.Errorf("%d connections after 3 cuts: logins in the place of sessions that had not ended", made)
		}
	})
}
