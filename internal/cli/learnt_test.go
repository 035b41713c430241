package cli

import (
	"testing"
	"time"

	"wallboard/feeds"
	"wallboard/feeds/dialect"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// TestSizesAreTriedAgain starts with a profile that is too restrictive: its limits and its sub-protocol
// are given up after a while.
func TestSizesAreTriedAgain(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		store := &kept{ok: true, p: dialect.Profile{
			Server: "1.0.2", MaxKeys: map[string]int{"userStats": 2, "serviceStats": 1}, Subprotocol: rtd.SubprotocolLegacy,
		}}
		r := newRig(t, simulator.Options{
			Speed: 10, World: world.Options{Seed: 3, Services: 3, Groups: 2, Agents: 12, Operators: 1, Campaigns: 2},
		}, func(o *feeds.Options) { o.Profiles = store })
		defer r.stop()
		pass(2 * time.Minute)
		if p := r.feed.Profile(); len(p.MaxKeys) > 0 {
			t.Errorf("still believed: %v", p.MaxKeys)
		}
		if spoken := r.feed.Latest().Health.Link.Subprotocol; spoken != rtd.SubprotocolLegacy {
			t.Errorf("the sub-protocol of the profile is not tried first, but %s", spoken)
		}
		r.srv.Faults().DropSockets(1001)
		pass(30 * time.Second)
		if spoken := r.feed.Latest().Health.Link.Subprotocol; spoken != rtd.SubprotocolTransport {
			t.Errorf("%s is spoken after a cut", spoken)
		}
		r.srv.Faults().DropSockets(1001)
		pass(30 * time.Second)
		if p := r.feed.Profile(); p.Subprotocol != "" {
			t.Errorf("still believed: %s", p.Subprotocol)
		}
		r.settleOn(rtd.Switches{})
	})
}

// TestOneEndOfASessionTeachesNothing closes single sessions with the codes for a message that is too long
// and for an unsupported sub-protocol. A single close must not change the profile.
func TestOneEndOfASessionTeachesNothing(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		store := &kept{}
		r := newRig(t, simulator.Options{
			Speed: 10, World: world.Options{Seed: 3, Services: 3, Groups: 2, Agents: 12, Operators: 1, Campaigns: 2},
		}, func(o *feeds.Options) { o.Profiles = store })
		defer r.stop()
		for _, code := range []int{1009, 1002, 1009, 4406, 1009, 1002, 1009} {
			pass(time.Minute)
			r.srv.Faults().DropSockets(code)
			pass(20 * time.Second)
			if p := r.feed.Profile(); len(p.MaxKeys) > 0 || p.Subprotocol != "" {
				t.Fatalf("after %d: learnt %v, %q", code, p.MaxKeys, p.Subprotocol)
			}
			if l := r.feed.Latest().Health.Link; l.State != model.LinkUp || l.Subprotocol != rtd.SubprotocolTransport {
				t.Errorf("after %d: %s, %s", code, l.State, l.Subprotocol)
			}
		}
		r.settleOn(rtd.Switches{})
	})
}
