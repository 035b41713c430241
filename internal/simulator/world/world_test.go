package world

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"
)

func TestPlausibleOpening(t *testing.T) {
	t.Parallel()
	for seed := range int64(6) {
		w := New(Options{Seed: seed})
		var c ServiceCalls
		s := w.State()
		for _, r := range s.Services {
			if r.Channel != Call {
				continue
			}
			c.ReceivedCalls += r.Calls.ReceivedCalls
			c.AnsweredCalls += r.Calls.AnsweredCalls
			c.AnsweredCallsUnderSpeedLimit += r.Calls.AnsweredCallsUnderSpeedLimit
			c.HangupCalls += r.Calls.HangupCalls
			c.ConnectedCall += r.Calls.ConnectedCall
		}
		if c.ReceivedCalls < 1000 || c.ConnectedCall < 5 {
			t.Errorf("seed %d: %d calls received, %d connected", seed, c.ReceivedCalls, c.ConnectedCall)
		}
		if level := float64(c.AnsweredCallsUnderSpeedLimit) / float64(c.AnsweredCalls); level < 0.75 || level > 0.95 {
			t.Errorf("seed %d: service level %.2f", seed, level)
		}
		if lost := float64(c.HangupCalls) / float64(c.ReceivedCalls); lost < 0.01 || lost > 0.15 {
			t.Errorf("seed %d: %.2f of the calls lost", seed, lost)
		}
		if n := len(s.Users); n < 45 || n > 64 {
			t.Errorf("seed %d: %d users", seed, n)
		}
	}
}

// TestDramaBeginsCalm checks that no caller waits for long before the first incident
// of the script.
func TestDramaBeginsCalm(t *testing.T) {
	t.Parallel()
	for seed := range int64(6) {
		w := New(Options{Seed: seed, Drama: true})
		for range int(unstaffStart / time.Second) {
			for _, st := range w.streams {
				for _, c := range st.serviceChannel.waiting {
					if waited := w.now - c.startedAt; st.serviceChannel.channel == channelCall && waited > 30*time.Second {
						t.Fatalf("seed %d: a caller waits for %v on %s", seed, waited, st.serviceChannel.service.code)
					}
				}
			}
			w.Step(time.Second)
		}
	}
}

func TestDrama(t *testing.T) {
	t.Parallel()
	for seed := range int64(6) {
		w := New(Options{Seed: seed, Drama: true})
		big := (&incidentRunner{w: w}).biggestService()
		var before, peak, after, pausedBefore, paused int64
		dry := false
		for second := 1; second <= 300; second++ {
			w.Step(time.Second)
			queued, onBreak := int64(0), int64(0)
			state := w.State()
			for _, r := range state.Services {
				if r.Code == big.code && r.Channel == Call {
					queued = r.Calls.QueuedCalls
				}
				for _, a := range r.Users.ActivityCodeIndicators {
					if a.ActivityCode == "PAUSE" {
						onBreak = max(onBreak, a.Count)
					}
				}
			}
			switch {
			case second <= 20:
				before = max(before, queued)
			case second <= 100:
				peak = max(peak, queued)
			case second >= 200 && second < 230:
				after = max(after, queued)
			}
			if second < int(pauseStart/time.Second) {
				pausedBefore = max(pausedBefore, onBreak)
			} else {
				paused = max(paused, onBreak)
			}
			for _, c := range state.Campaigns {
				dry = dry || c.ToDoContacts == 0 && second <= 150
			}
		}
		if peak < before+3 {
			t.Errorf("seed %d: the rush raised the queue from %d to %d only", seed, before, peak)
		}
		if after > max(peak/2, before+1) {
			t.Errorf("seed %d: the queue went from %d back to %d only", seed, peak, after)
		}
		if paused < pausedBefore+2 {
			t.Errorf("seed %d: %d on a break, %d before the team takes one", seed, paused, pausedBefore)
		}
		if !dry {
			t.Errorf("seed %d: no campaign ran dry", seed)
		}
	}
}

// TestDramaEnds runs the script for two minutes. By then its first incidents must be
// over: the service without agents has agents again and no queue, and the service of
// the rush has at most half of its waiting callers.
func TestDramaEnds(t *testing.T) {
	t.Parallel()
	for seed := range int64(6) {
		w := New(Options{Seed: seed, Drama: true})
		rushed := (&incidentRunner{w: w}).biggestService().code
		most, deserted, staffed := int64(0), "", map[string]bool{}
		for second := 1; second <= 120; second++ {
			w.Step(time.Second)
			for _, r := range w.State().Services {
				if r.Channel != Call {
					continue
				}
				if r.Code == rushed {
					most = max(most, r.Calls.QueuedCalls)
				}
				switch n := r.Users.LoggedUsers.Count; {
				case second == 10 && n > 0:
					staffed[r.Code] = true
				case second > 10 && n == 0 && staffed[r.Code]:
					deserted = r.Code
				}
			}
		}
		if deserted == "" {
			t.Errorf("seed %d: no service lost all agents", seed)
		}
		for _, r := range w.State().Services {
			if r.Channel != Call {
				continue
			}
			if r.Code == rushed && r.Calls.QueuedCalls > most/2 {
				t.Errorf("seed %d: %d of %d callers still wait after the rush", seed, r.Calls.QueuedCalls, most)
			}
			if r.Code == deserted && (r.Users.LoggedUsers.Count == 0 || r.Calls.QueuedCalls > 1) {
				t.Errorf("seed %d: %d agents, and %d callers wait at the service without agents", seed, r.Users.LoggedUsers.Count, r.Calls.QueuedCalls)
			}
		}
	}
}

func TestChangesEverySecond(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 1})
	w.TakeChanges()
	still, updates := 0, 0
	for range 120 {
		w.Step(time.Second)
		c := w.TakeChanges()
		n := len(c.Services) + len(c.Groups) + len(c.UserStats) + len(c.Campaigns)
		updates += n
		if n == 0 {
			still++
		}
	}
	if still > 6 || updates < 120*3 {
		t.Errorf("%d of 120 seconds without a change, %d updates", still, updates)
	}
}

func TestForceUpdate(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 2, Agents: 200})
	if n := w.ForceUpdate(1000); n != 200 {
		t.Fatalf("moved %d of 200 agents", n)
	}
	if n := len(w.State().Users); n != 204 {
		t.Fatalf("%d users are logged in, want 200 agents and 4 operators", n)
	}
	for i := range 300 {
		n := 1 + i%200
		w.Step(100 * time.Millisecond)
		w.TakeChanges()
		here := 0
		for _, u := range w.agents {
			if u.isLoggedIn {
				here++
			}
		}
		n = min(n, here)
		if got := w.ForceUpdate(n); got != n {
			t.Fatalf("round %d: moved %d, want %d", i, got, n)
		}
		c := w.TakeChanges()
		eq(t, "user stats", len(c.UserStats), n)
		eq(t, "profile stats", len(c.UserProfileStats), n)
		for _, x := range c.UserStats {
			if x.Old == nil || x.New == nil || figuresEqual(x.Old.Figures, x.New.Figures) {
				t.Fatalf("round %d: a move without a change: %+v", i, x.New)
			}
		}
	}
	checkState(t, w)
}

// figuresEqual compares the fields that a move changes.
func figuresEqual(a, b Figures) bool {
	return a.Status == b.Status && a.ActivityCode == b.ActivityCode && a.ActivityCode2 == b.ActivityCode2
}

func TestNamesAndCodes(t *testing.T) {
	t.Parallel()
	w := New(Options{Seed: 4, Services: 200, Groups: 50, Agents: 500, Campaigns: 20, Start: time.Date(2026, 5, 4, 1, 0, 0, 0, time.UTC)})
	services, groups, campaigns := w.Codes()
	eq(t, "services", len(services), 200)
	eq(t, "groups", len(groups), 50)
	eq(t, "campaigns", len(campaigns), 20)
	names := map[string]bool{}
	unique := func(kind, name string) {
		t.Helper()
		if name == "" || names[kind+name] {
			t.Errorf("%s name %q is empty or taken", kind, name)
		}
		names[kind+name] = true
	}
	for _, c := range services {
		unique("service", w.ServiceName(c))
	}
	for _, c := range groups {
		unique("group", w.GroupName(c))
	}
	for _, c := range campaigns {
		unique("campaign", w.Dialer().CampaignName(c))
	}
	for _, u := range slices.Concat(w.agents, w.operators) {
		unique("user", u.username)
		eq(t, "site", w.ProfileSite(u.profileID), u.site)
		if len(u.channels) < 1 || len(u.channels) > 3 || len(u.skillsets) > 3 {
			t.Errorf("%s has %d channels and %d skillsets", u.username, len(u.channels), len(u.skillsets))
		}
	}
	eq(t, "no service", w.ServiceName("x")+w.GroupName("x")+w.Dialer().CampaignName(-1), "")
	eq(t, "no profile", w.ProfileSite(-1), 0)
}

func TestOpeningTime(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("CET", 3600)
	w := New(Options{Seed: 1, Agents: 5, Start: OpeningTime(time.Date(2026, 7, 9, 23, 59, 0, 0, zone))})
	if got, want := w.Now(), time.Date(2026, 7, 9, 14, 30, 0, 0, zone); !got.Equal(want) {
		t.Errorf("opens at %v, want %v", got, want)
	}
	w.Step(1500 * time.Millisecond)
	if got, want := w.Now(), time.Date(2026, 7, 9, 14, 30, 1, 5e8, zone); !got.Equal(want) {
		t.Errorf("is at %v, want %v", got, want)
	}
}

func BenchmarkStep(b *testing.B) {
	sizes := map[string]Options{
		"60agents":    {Seed: 1},
		"10000agents": {Seed: 1, Services: 200, Groups: 50, Agents: 10_000, Operators: 50},
	}
	for name, o := range sizes {
		b.Run(name, func(b *testing.B) {
			w := New(o)
			w.TakeChanges()
			b.ResetTimer()
			records := 0
			for b.Loop() {
				w.Step(100 * time.Millisecond)
				c := w.TakeChanges()
				records += len(c.Services) + len(c.Groups) + len(c.Users) + len(c.UserStats) + len(c.UserProfileStats)
			}
			b.ReportMetric(float64(records)/float64(b.N), "records/op")
		})
	}
}

func BenchmarkForceUpdate(b *testing.B) {
	w := New(Options{Seed: 1, Services: 200, Groups: 50, Agents: 10_000})
	w.ForceUpdate(10_000)
	w.TakeChanges()
	for b.Loop() {
		w.ForceUpdate(1000)
		w.TakeChanges()
	}
}

func TestOddShapes(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{
		{Agents: -1, Operators: -1, Campaigns: -1, Drama: true},
		{Agents: 1, Groups: 20, Services: 3, Drama: true},
		{Agents: 1, Groups: 3, Services: 20},
		{Agents: 3, Groups: 1, Services: 1, Drama: true},
	} {
		w := New(o)
		w.Step(time.Hour)
		w.ForceUpdate(5)
		checkState(t, w)
		w.Step(15 * time.Hour) // past midnight
		checkState(t, w)
	}
}

func TestClockAndPace(t *testing.T) {
	t.Parallel()
	evening := time.Date(2026, time.March, 4, 21, 15, 0, 0, time.UTC)
	w := New(Options{Seed: 3, Pace: 10, Clock: evening})
	if got := w.Now(); !got.Equal(evening) {
		t.Errorf("opens at %v, want %v", got, evening)
	}
	w.Step(10 * time.Minute)
	if got := w.Now(); !got.Equal(evening.Add(time.Minute)) {
		t.Errorf("after ten simulated minutes the clock shows %v", got)
	}
	began := 0
	for _, r := range w.State().UserStats {
		if r.TimeInState.After(w.Now()) {
			t.Errorf("%s is in their state since %v, in the future", r.Username, r.TimeInState)
		}
		if r.TimeInState.After(evening) {
			began++
		}
	}
	if began == 0 {
		t.Error("no state began within a minute of the clock")
	}
}

// The documentation calls Anna Rossi, who must be logged in at the opening, with a
// telephone, and free if any agent is.
func TestRossiCanBeCalled(t *testing.T) {
	t.Parallel()
	for seed := range int64(4) {
		for _, start := range []time.Time{{}, OpeningTime(time.Now()), time.Date(2026, 5, 4, 14, 0, 0, 0, time.UTC)} {
			w := New(Options{Seed: seed, Start: start, Drama: seed%2 == 0, Agents: 3 + 40*int(seed)})
			u := w.userByName["anna.rossi"]
			if u == nil || u.userRecord() == nil || u.userRecord().Surname != "Rossi" {
				t.Errorf("seed %d at %v: not logged in", seed, start)
				continue
			}
			free := slices.ContainsFunc(w.agents, func(u *user) bool { return u.isLoggedIn && !u.isBusy && u.canDial() })
			_, err := w.phones.Dial("anna.rossi", DialParams{Number: "0212345678", Service: "SRV01"})
			if err != nil && (free || !errors.Is(err, ErrBusy)) {
				t.Errorf("seed %d at %v: %v", seed, start, err)
			}
			for name, u := range w.userByName {
				if name != u.username {
					t.Errorf("seed %d: %s is found as %s", seed, u.username, name)
				}
			}
		}
	}
}

// The simulated history of a world must lead to the same state with steps of any
// size.
func TestLiveSteps(t *testing.T) {
	t.Parallel()
	o := Options{Seed: 5, Pace: 3} // the drama begins at the opening
	want := New(o)
	for _, every := range []time.Duration{10 * time.Second, 7 * time.Minute} {
		w := NewAtDayStart(o)
		var last time.Time
		stops, changes := 0, 0
		for at := range w.RunToOpening(every) {
			if step := at.Sub(last); stops > 0 && (step <= 0 || step > every+time.Millisecond) {
				t.Fatalf("a step of %v", step)
			}
			last = at
			stops++
			changes += len(w.TakeChanges().UserStats)
		}
		if !last.Equal(want.Now()) || stops < int(time.Hour/every) || changes < 300 {
			t.Errorf("%d steps until %v, want %v; %d changes", stops, last, want.Now(), changes)
		}
		if got, want := w.State(), want.State(); !reflect.DeepEqual(got, want) {
			t.Errorf("steps of %v lead to a different world", every)
		}
	}
}
