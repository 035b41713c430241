package cli

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/feeds"
	"wallboard/internal/lib/testkit"
	"wallboard/internal/simulator"
	"wallboard/internal/simulator/rtd"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// auditWithin is the maximum time that a figure may be wrong without a mark.
const auditWithin = 62 * time.Second

// wrong returns the differences between the snapshot and the platform.
func (r *rig) wrong() string {
	r.t.Helper()
	return cmp.Diff(normal(decode(r.t, r.srv.CurrentState()), "", false), normal(picture(r.t, r.feed.Latest()), "", false))
}

// steady waits until two audits have passed, which correct the answers of a replica that lags behind.
func (r *rig) steady() {
	r.live(30 * time.Second)
	pass(time.Minute)
}

// loseOne drops updates until one leaves a difference in the snapshot, and then freezes the world.
func (r *rig) loseOne(fault func(int)) {
	r.t.Helper()
	for range 100 {
		fault(1)
		pass(time.Second)
		r.srv.Pause()
		pass(time.Second)
		if r.wrong() != "" {
			return
		}
		r.srv.Resume() // the next update contained the lost value
	}
	r.t.Fatal("no lost update left a difference")
}

func TestLostUpdateIsRepairedWithinTheMinute(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func(*simulator.Faults) func(int){
		"lost":      func(f *simulator.Faults) func(int) { return f.RTD.LoseDelta },
		"reordered": func(f *simulator.Faults) func(int) { return f.RTD.ReorderDelta },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig(t, small(), nil)
				defer r.stop()
				r.steady()
				r.loseOne(fault(r.srv.Faults()))
				if h := r.feed.Latest().Health; h.Drift().Total() != 0 {
					t.Fatalf("drift %+v before anything was repaired", h.Drift())
				}
				pass(auditWithin)
				if diff := r.wrong(); diff != "" {
					t.Fatalf("wrong after %v:\n%s", auditWithin, diff)
				}
				h := r.feed.Latest().Health
				found := h.Drift()
				if found.Total() == 0 {
					t.Fatal("the repair is not counted")
				}
				pass(5 * time.Minute)
				h = r.feed.Latest().Health
				if h.Drift() != found || !h.Live() {
					t.Errorf("drift %+v, and later %+v, live %v", found, h.Drift(), h.Live())
				}
			})
		})
	}
}

// busyFloor is a floor with constant changes.
func busyFloor(seed int64) simulator.Options {
	return simulator.Options{
		Speed: 20,
		World: world.Options{Seed: seed, Services: 3, Groups: 2, Agents: 8, Operators: 1, Campaigns: 1},
	}
}

func TestNoFalseDrift(t *testing.T) {
	t.Parallel()
	for name, tune := range map[string]func(*simulator.Options){
		"no faults":     func(*simulator.Options) {},
		"lag":           func(o *simulator.Options) { o.ReplicaLag = 5 * time.Second },
		"short lag":     func(o *simulator.Options) { o.ReplicaLag = 300 * time.Millisecond },
		"strings":       func(o *simulator.Options) { o.Switches.Numbers = rtd.NumbersString },
		"floats":        func(o *simulator.Options) { o.Switches.Numbers = rtd.NumbersFloat },
		"seconds":       func(o *simulator.Options) { o.Switches.DateForm = rtd.DateSeconds },
		"first delta":   func(o *simulator.Options) { o.Switches.FirstMessage = rtd.FirstDelta },
		"first none":    func(o *simulator.Options) { o.Switches.FirstMessage = rtd.FirstNone },
		"first keys":    func(o *simulator.Options) { o.Switches.FirstMessage = rtd.FirstKeys },
		"bare arrivals": func(o *simulator.Options) { o.Arrivals = rtd.ArrivalsKeys },
		"gathered":      func(o *simulator.Options) { o.GatherTime = time.Second },
		"absent":        func(o *simulator.Options) { o.Switches.NullKeys = rtd.NullKeysAbsent },
		"renamed":       func(o *simulator.Options) { o.Switches.RenamedRoots = true },
		"key-less":      func(o *simulator.Options) { o.Switches.KeylessDeltas = true },
		"partial lists": func(o *simulator.Options) { o.Switches.PartialLists = true },
		"legacy":        func(o *simulator.Options) { o.Switches.Subprotocols = []string{rtd.SubprotocolLegacy} },
		"repeated":      func(o *simulator.Options) { o.Faults.Repeat = 60 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				so := busyFloor(3)
				tune(&so)
				r := newRig(t, so, nil)
				defer r.stop()
				r.live(time.Minute)
				minutes := 5
				switch {
				case testkit.Race:
					minutes = 3
				case (name == "no faults" || name == "lag") && !testing.Short():
					minutes = 15
				}
				for minute := range minutes {
					pass(time.Minute)
					s := r.feed.Latest()
					if d := s.Health.Drift(); d.Total() != 0 {
						t.Fatalf("minute %d: drift %+v on a healthy feed: %s", minute, d, driftOf(s))
					}
				}
				for _, s := range r.feed.Latest().Health.Subscriptions {
					if s.State == model.SubLive && int(s.Audits) < minutes-2 && !so.Switches.KeylessDeltas {
						t.Errorf("%s: %d audits in %d minutes", s.Name, s.Audits, minutes)
					}
				}
				if h := r.feed.Latest().Health; h.Restarts != 0 {
					t.Errorf("%d restarts were seen", h.Restarts)
				}
			})
		})
	}
}

func driftOf(s *model.Snapshot) string {
	out := ""
	for _, sub := range s.Health.Subscriptions {
		if sub.Drift.Total() > 0 {
			out += fmt.Sprintf("%s %+v ", sub.Name, sub.Drift)
		}
	}
	return out
}

func TestSilentRestartIsNoDrift(t *testing.T) {
	t.Parallel()
	for name, restart := range map[string]func(*simulator.Faults){
		"counters":             func(f *simulator.Faults) { f.Restart() },
		"counters and version": func(f *simulator.Faults) { f.Restart(); f.RTD.ChangeVersion() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				r := newRig(t, small(), nil)
				defer r.stop()
				r.steady()
				pass(20 * time.Second)
				restart(r.srv.Faults())
				r.until(2*auditWithin, func(s *model.Snapshot) bool { return s.Health.Restarts > 0 })
				pass(20 * time.Second)
				r.srv.Pause()
				pass(2 * time.Second)
				if diff := r.wrong(); diff != "" {
					t.Errorf("the picture is not that of the new start:\n%.2000s", diff)
				}
				if h := r.feed.Latest().Health; h.Drift().Total() != 0 || h.Restarts != 1 {
					t.Errorf("drift %s, %d restarts", driftOf(r.feed.Latest()), h.Restarts)
				}
				r.srv.Resume()
				pass(30 * time.Second) // until the new subscriptions deliver data
				r.settle(rtd.DateISO)
			})
		})
	}
}

func TestCutsAreHealedAndCounted(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		r := newRig(t, small(), nil)
		defer r.stop()
		for n := range uint64(5) {
			r.live(time.Minute)
			pass(time.Second)
			if h := r.feed.Latest().Health; h.Cuts != n || h.Healed != n {
				t.Fatalf("%d of %d cuts healed, want %d", h.Healed, h.Cuts, n)
			}
			r.srv.Faults().DropSockets(0)
			pass(100 * time.Millisecond)
		}
	})
}

func TestEveryDialectIsAuditedWithoutFalseDrift(t *testing.T) {
	t.Parallel()
	n, every := 0, everyPair
	if testkit.Race {
		every *= 3 // the dialects do not differ in their concurrency
	}
	combinations(func(name string, sw rtd.Switches) {
		if n++; n%every != 0 || sw.RenamedRoots && sw.NoIntrospection { // such a platform needs a configuration
			return
		}
		seed := int64(n)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				so := busyFloor(seed)
				so.Switches = sw
				r := newRig(t, so, nil)
				defer r.stop()
				r.live(time.Minute)
				pass(2 * time.Minute)
				h := r.feed.Latest().Health
				if h.Drift().Total() != 0 || h.Restarts != 0 {
					t.Errorf("drift %s, %d new starts", driftOf(r.feed.Latest()), h.Restarts)
				}
				for _, s := range h.Subscriptions {
					// A new full state, after a change of the filter, postpones the audit.
					if age := time.Since(s.VerifiedAt); s.State == model.SubLive && s.Audits == 0 && age > time.Minute && !sw.KeylessDeltas {
						t.Errorf("%s was never audited, the last full state is %v old", s.Name, age)
					}
				}
			})
		})
	})
}

// TestAuditOfABigFloorIsPaced bounds the audit requests per second on a floor of 5,000
// agents.
func TestAuditOfABigFloorIsPaced(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("what it counts does not depend on how fast it is")
	}
	bubble(t, func(t *testing.T) {
		type second struct{ answers, bytes int }
		var (
			on      bool
			seconds = make(map[int64]second)
			most    second
			all     second
		)
		so := simulator.Options{
			Tick:  time.Second,
			World: world.Options{Seed: 5, Services: 40, Groups: 20, Agents: 5000, Operators: 10, Campaigns: 5},
		}
		r := newRig(t, so, func(o *feeds.Options) {
			o.OnPayload = func(_ string, answer bool, payload []byte) {
				if !on || !answer {
					return
				}
				at := time.Now().Unix()
				s := seconds[at]
				s.answers, s.bytes = s.answers+1, s.bytes+len(payload)
				seconds[at] = s
				most.answers, most.bytes = max(most.answers, s.answers), max(most.bytes, s.bytes)
				all.answers, all.bytes = all.answers+1, all.bytes+len(payload)
			}
		})
		defer r.stop()
		r.live(2 * time.Minute)
		r.srv.Pause() // agents neither log in nor out, so that every answer belongs to the audit
		pass(10 * time.Second)
		on = true
		pass(2 * time.Minute)
		t.Logf("%d answers with %d MiB; at most %d with %d KiB in a second",
			all.answers, all.bytes>>20, most.answers, most.bytes>>10)
		if most.answers > 10 || most.bytes > 3<<20 {
			t.Errorf("%d answers and %d bytes in one second", most.answers, most.bytes)
		}
		for _, s := range r.feed.Latest().Health.Subscriptions {
			if s.State == model.SubLive && s.Audits < 2 {
				t.Errorf("%s: %d audits in two minutes", s.Name, s.Audits)
			}
		}
		if h := r.feed.Latest().Health; !h.Live() || h.Drift().Total() != 0 {
			t.Errorf("live %v, drift %s", h.Live(), driftOf(r.feed.Latest()))
		}
	})
}

func TestPlatformClockIsFollowed(t *testing.T) {
	t.Parallel()
	if testkit.Race {
		t.Skip("one goroutine asks, however fast it is")
	}
	for name, pace := range map[string]float64{"skewed": 1, "fast": 1 / 1.01, "slow": 1 / 0.99} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) {
				var dials atomic.Int32
				so := small()
				so.Tick, so.Speed = time.Second, 1
				so.World.Clock = time.Now().Add(-3 * time.Hour)
				so.World.Pace = pace
				r := newRig(t, so, func(o *feeds.Options) {
					dial := o.DialContext
					o.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
						dials.Add(1)
						return dial(ctx, network, addr)
					}
				})
				defer r.stop()
				began := time.Now()
				r.live(time.Minute)
				for range 60 {
					pass(time.Minute)
					off := r.feed.Latest().Health.ClockOffset
					ran := time.Since(began)
					truth := -3*time.Hour + time.Duration(float64(ran)/pace) - ran
					// A reading is accurate to a second; the median is two readings old
					// when the next is due.
					if wrong := (off - truth).Abs(); wrong > 2*time.Second+time.Second+15*time.Minute/100 {
						t.Fatalf("after %v the offset is %v, which is %v off", ran, off, wrong)
					}
				}
				if most := 1 + int(time.Hour/(5*time.Minute)); int(dials.Load()) > most+1 {
					t.Errorf("%d connections in an hour, want %d at most", dials.Load(), most)
				}
			})
		})
	}
}
