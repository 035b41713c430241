package diagnosis_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"wallboard/internal/alert/diagnosis"
	"wallboard/model"
)

// play simulates a queue with additional agents many times and returns the mean time
// until it is empty.
func play(l diagnosis.Load, more int, plays int) time.Duration {
	r := rand.New(rand.NewPCG(1, 2))
	total := 0.0
	for range plays {
		left, at := int(l.Waiting)-more, 0.0
		for left > 0 && at < 7200 {
			served := (l.Agents + float64(more)) / l.SecondsPerContact
			gives := 0.0
			if l.Patience > 0 {
				gives = float64(left) / l.Patience
			}
			all := l.PerSecond + served + gives
			if at += r.ExpFloat64() / all; r.Float64()*all < l.PerSecond {
				left++
			} else {
				left--
			}
		}
		total += at
	}
	return time.Duration(total / float64(plays) * float64(time.Second))
}

func TestClearsAsPlayed(t *testing.T) {
	t.Parallel()
	for _, l := range []diagnosis.Load{
		{Waiting: 10, PerSecond: 0.1, SecondsPerContact: 120, Agents: 14, Patience: 180},
		{Waiting: 30, PerSecond: 0.2, SecondsPerContact: 100, Agents: 22, Patience: 0},
		{Waiting: 4, PerSecond: 0.05, SecondsPerContact: 200, Agents: 9, Patience: 90},
	} {
		for more := range 4 {
			t.Run(fmt.Sprintf("%v/%d", l, more), func(t *testing.T) {
				t.Parallel()
				want := play(l, more, 4000)
				got, ok := l.TimeToClear(more)
				if !ok {
					t.Fatal("it never clears")
				}
				if off := (got - want).Abs(); off > 2*time.Second+want/8 {
					t.Errorf("%v as a mean, played %v", got, want)
				}
			})
		}
	}
}

func TestMoreAgentsNeverTakeLonger(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := diagnosis.Load{
			Waiting: float64(rapid.IntRange(0, 200).Draw(t, "waiting")), PerSecond: rapid.Float64Range(0, 3).Draw(t, "come"),
			SecondsPerContact: rapid.Float64Range(1, 2000).Draw(t, "work"), Agents: float64(rapid.IntRange(0, 100).Draw(t, "agents")),
			Patience: rapid.Float64Range(0, 600).Draw(t, "patience"),
		}
		last, known := time.Hour, false
		for more := range 20 {
			d, ok := l.TimeToClear(more)
			if known && !ok {
				t.Fatalf("%+v: not clear with %d more", l, more)
			}
			if ok && d > last {
				t.Fatalf("%+v: %v with %d more, %v with one less", l, d, more, last)
			}
			if ok {
				last, known = d, true
			}
		}
		if n, ok := l.AgentsToClear(5 * time.Minute); ok {
			if d, _ := l.TimeToClear(n); d > 5*time.Minute {
				t.Fatalf("%d are said to do it in 5 min: %v", n, d)
			}
		}
	})
}

func TestNeverClears(t *testing.T) {
	t.Parallel()
	for _, l := range []diagnosis.Load{
		{Waiting: 5, PerSecond: 1, SecondsPerContact: 100, Agents: 50},
		{Waiting: 5, PerSecond: 0.1, SecondsPerContact: 100},
		{Waiting: 5, PerSecond: 0.1, Agents: 3},
	} {
		if d, ok := l.TimeToClear(0); ok {
			t.Errorf("%+v clears in %v", l, d)
		}
	}
}

// floorOf returns a snapshot of agents with their states and services.
func floorOf(agents map[string][]string, states map[string]model.UserStatus) *model.Snapshot {
	s := model.NewStore()
	for name, services := range agents {
		state := states[name]
		if state == "" {
			state = model.Ready
		}
		s.Users.Put(&model.User{Username: model.TextOf(name), Services: services, Skillsets: []string{"G"}})
		s.UserStats.Put(&model.UserStat{Username: model.TextOf(name), AgentFigures: model.AgentFigures{Channel: model.Call, Status: state}})
	}
	return s.Publish(time.Unix(0, 0), model.Health{})
}

func TestThin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		agents      map[string][]string
		free, ready int
	}{
		"nobody":         {nil, 0, 0},
		"alone":          {map[string][]string{"a": {"S"}}, 1, 1},
		"shared with T":  {map[string][]string{"a": {"S", "T"}}, 0, 1},
		"T has another":  {map[string][]string{"a": {"S", "T"}, "b": {"T"}}, 1, 1},
		"a chain":        {map[string][]string{"a": {"S", "T"}, "b": {"T", "U"}, "c": {"U"}}, 1, 1},
		"a chain, short": {map[string][]string{"a": {"S", "T"}, "b": {"T", "U"}}, 0, 1},
		"two of three":   {map[string][]string{"a": {"S", "T"}, "b": {"S", "T"}, "c": {"S"}}, 2, 3},
		"listed twice":   {map[string][]string{"a": {"S", "S"}}, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := diagnosis.ComputeFloorSpare(floorOf(c.agents, nil), model.Call, "S").Services["S"]
			if got.Free != c.free || got.Ready != c.ready {
				t.Errorf("%d free of %d ready, want %d of %d", got.Free, got.Ready, c.free, c.ready)
			}
		})
	}
}

// TestThinIsTheMost compares the matching with all possible assignments.
func TestThinIsTheMost(t *testing.T) {
	t.Parallel()
	codes := []string{"S", "T", "U", "V"}
	rapid.Check(t, func(t *rapid.T) {
		agents := make(map[string][]string)
		var all [][]string
		for i := range rapid.IntRange(0, 6).Draw(t, "agents") {
			services := rapid.SliceOfNDistinct(rapid.SampledFrom(codes), 0, 4, rapid.ID[string]).Draw(t, "services")
			agents[fmt.Sprint("a", i)] = services
			all = append(all, services)
		}
		most := 0 // of all services together
		others := 0
		const manyS, noS, oneS = 100, 0, 1
		var try func(i int, taken map[string]int, ofS int) int
		try = func(i int, taken map[string]int, ofS int) int {
			if i == len(all) {
				return 0
			}
			best := try(i+1, taken, ofS)
			for _, code := range all[i] {
				switch {
				case code == "S" && taken[code] >= ofS, code != "S" && taken[code] > 0:
					continue
				}
				taken[code]++
				best = max(best, 1+try(i+1, taken, ofS))
				taken[code]--
			}
			return best
		}
		others, most = try(0, map[string]int{}, noS), try(0, map[string]int{}, manyS)
		got := diagnosis.ComputeFloorSpare(floorOf(agents, nil), model.Call, "S").Services["S"]
		if got.Free != most-others {
			t.Fatalf("%v: %d free, want %d", all, got.Free, most-others)
		}
		spare := diagnosis.ComputeFloorSpare(floorOf(agents, nil), model.Call)
		if want := len(all) - try(0, map[string]int{}, oneS); spare.Releasable != want || spare.Services["S"].Free != got.Free {
			t.Fatalf("%v: %d releasable and %d free, want %d and %d", all, spare.Releasable, spare.Services["S"].Free, want, got.Free)
		}
	})
}

func TestWhoWaitsGivesUpWhereNobodyServes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		load diagnosis.Load
		want bool
	}{
		"nobody is there":      {diagnosis.Load{Waiting: 2, SecondsPerContact: 120, Agents: 0, Patience: 180}, true},
		"nobody ever gives up": {diagnosis.Load{Waiting: 2, SecondsPerContact: 120, Agents: 0}, false},
		"enough are there":     {diagnosis.Load{Waiting: 2, SecondsPerContact: 120, Agents: 6, Patience: 180}, false},
		"far too few":          {diagnosis.Load{Waiting: 30, SecondsPerContact: 120, Agents: 6, Patience: 180}, true},
	} {
		if got := tt.load.MostlyHangUps(); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestKeepsUp checks the number of agents needed for the arrivals, regardless of the
// queue.
func TestKeepsUp(t *testing.T) {
	t.Parallel()
	for want, l := range map[int]diagnosis.Load{
		0:  {Waiting: 30, PerSecond: 0.05, SecondsPerContact: 100, Agents: 5, RatePeriod: time.Hour},
		1:  {Waiting: 0, PerSecond: 0.055, SecondsPerContact: 100, Agents: 5, RatePeriod: time.Hour},
		16: {Waiting: 5, PerSecond: 6.9 / 60, SecondsPerContact: 177, Agents: 4.4, RatePeriod: 4 * time.Minute},
	} {
		if got := l.AgentsToKeepUp(); got != want {
			t.Errorf("%d of %+v, want %d", got, l, want)
		}
		if l.RatePeriod = time.Minute; l.AgentsToKeepUp() != 0 {
			t.Errorf("KeepsUp = %d for the arrivals of a minute", l.AgentsToKeepUp())
		}
	}
}

// TestWhoHasJustGoneIsNotAskedBack checks which agents can be asked back from a break.
func TestWhoHasJustGoneIsNotAskedBack(t *testing.T) {
	t.Parallel()
	now := time.Unix(100_000, 0)
	s := model.NewStore()
	for name, ago := range map[string]time.Duration{"just": time.Minute, "long": 20 * time.Minute, "longer": 40 * time.Minute} {
		s.Users.Put(&model.User{Username: model.TextOf(name), Services: []string{"S"}})
		s.UserStats.Put(&model.UserStat{Username: model.TextOf(name), AgentFigures: model.AgentFigures{
			Channel: model.Call, Status: model.NotReady, TimeInState: model.InstantOf(now.Add(-ago)),
		}})
	}
	health := model.Health{Link: model.Link{State: model.LinkUp}}
	s.Services.Put(&model.Service{Code: model.TextOf("S"), Channel: model.Call})
	snap := s.Publish(now, health)
	tr := diagnosis.NewHistory()
	tr.Update(snap, now)
	var names []string
	for _, h := range diagnosis.NewAgentIndex(snap).Helpers(tr, model.ServiceKey{Code: "S", Channel: model.Call}, model.Figure{}, now) {
		names = append(names, h.Username)
	}
	if !slices.Equal(names, []string{"longer", "long"}) {
		t.Errorf("%q could help", names)
	}
}

// TestNeighboursAreOfTheGroup names ready agents of a group that mostly serves the
// service, not of one with a single such agent.
func TestNeighboursAreOfTheGroup(t *testing.T) {
	t.Parallel()
	now := time.Unix(100_000, 0)
	s := model.NewStore()
	put := func(name string, status model.UserStatus, services, groups []string) {
		s.Users.Put(&model.User{Username: model.TextOf(name), Services: services, Skillsets: groups})
		s.UserStats.Put(&model.UserStat{Username: model.TextOf(name), AgentFigures: model.AgentFigures{Channel: model.Call, Status: status}})
	}
	put("one", model.Busy, []string{"contracts"}, []string{"C"})
	put("both", model.Busy, []string{"contracts", "billing"}, []string{"C", "B"})
	put("near", model.Ready, []string{"sales"}, []string{"C"})
	put("far", model.Ready, []string{"billing"}, []string{"B"})
	put("farther", model.Ready, []string{"billing"}, []string{"B"})
	s.Services.Put(&model.Service{Code: model.TextOf("contracts"), Channel: model.Call})
	snap := s.Publish(now, model.Health{Link: model.Link{State: model.LinkUp}})
	tr := diagnosis.NewHistory()
	tr.Update(snap, now)
	who := diagnosis.NewAgentIndex(snap).Helpers(tr, model.ServiceKey{Code: "contracts", Channel: model.Call}, model.Figure{}, now)
	if len(who) != 1 || who[0].Username != "near" || who[0].CurrentService != "sales" || who[0].RemainingReady != 0 {
		t.Errorf("%+v could help", who)
	}
}

// TestSpareFloorWithWaitingContacts checks that agents of a queue do not leave, and that they cover
// the other services that they serve.
func TestSpareFloorWithWaitingContacts(t *testing.T) {
	t.Parallel()
	store := model.NewStore()
	for name, services := range map[string][]string{"a": {"S", "T"}, "b": {"T"}, "c": {"U"}, "d": {"U"}, "e": {"S"}, "f": {"S"}} {
		store.Users.Put(&model.User{Username: model.TextOf(name), Services: services})
		store.UserStats.Put(&model.UserStat{Username: model.TextOf(name), AgentFigures: model.AgentFigures{Channel: model.Call, Status: model.Ready}})
	}
	waiting := &model.Service{Code: model.TextOf("S"), Channel: model.Call}
	waiting.ChannelStats.QueuedCalls = model.IntOf(3)
	for _, queue := range []struct {
		waiting int64
		want    int
	}{{0, 3}, {3, 2}} { // with a queue, a, e and f stay; a also covers T, so b, and c or d, can leave
		waiting.ChannelStats.QueuedCalls = model.IntOf(queue.waiting)
		copied := *waiting
		store.Services.Put(&copied)
		got := diagnosis.ComputeFloorSpare(store.Publish(time.Unix(0, 0), model.Health{}), model.Call)
		if got.Releasable != queue.want || got.Ready != 6 {
			t.Errorf("%d waiting: %d of %d can leave, want %d", queue.waiting, got.Releasable, got.Ready, queue.want)
		}
		// a, e and f are ready for S, and two of them can leave. No agent can leave S while calls wait, or a
		// service whose number of calls is unknown.
		if s, u := got.ReleasableFrom("S"), got.ReleasableFrom("U"); (s == 2) != (queue.waiting == 0) || s > 0 && queue.waiting > 0 || u != 0 {
			t.Errorf("%d waiting: %d can leave S, %d U", queue.waiting, s, u)
		}
	}
}
