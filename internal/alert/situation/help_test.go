package situation

import (
	"testing"

	"pgregory.net/rapid"

	"wallboard/internal/alert/diagnosis"
)

func TestWhatHelpsIsWhatSomebodyWouldDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		load diagnosis.Load
		want int
	}{
		"clears soon by itself": {diagnosis.Load{Waiting: 3, PerSecond: 0.01, SecondsPerContact: 100, Agents: 5}, 0},
		"one is enough":         {diagnosis.Load{Waiting: 3, PerSecond: 0.05, SecondsPerContact: 100, Agents: 5}, 1},
		"soon":                  {diagnosis.Load{Waiting: 12, PerSecond: 0.05, SecondsPerContact: 150, Agents: 7}, 5},
		"in a while at best":    {diagnosis.Load{Waiting: 40, PerSecond: 0.05, SecondsPerContact: 150, Agents: 9}, 5},
		"most would give up":    {diagnosis.Load{Waiting: 2, PerSecond: 0.002, SecondsPerContact: 190, Agents: 0.5, Patience: 130}, 1},
		"more than there are":   {diagnosis.Load{Waiting: 90, PerSecond: 1, SecondsPerContact: 200, Agents: 4}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := neededAgents(c.load); got.MoreAgents != c.want {
				t.Errorf("%+v, want %d", got, c.want)
			}
		})
	}
}

// TestWhatHelpsIsNoIdleTalk checks suggestions for any load: the suggested number is
// fast enough and realistic, and a smaller one would not suffice.
func TestWhatHelpsIsNoIdleTalk(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := diagnosis.Load{
			Waiting: float64(rapid.IntRange(0, 200).Draw(t, "waiting")), PerSecond: rapid.Float64Range(0, 3).Draw(t, "come"),
			SecondsPerContact: rapid.Float64Range(1, 2000).Draw(t, "work"), Agents: float64(rapid.IntRange(0, 100).Draw(t, "agents")),
			Patience: rapid.Float64Range(0, 600).Draw(t, "patience"),
		}
		n := neededAgents(l)
		if n.MoreAgents == 0 {
			return
		}
		d, known := l.TimeToClear(0)
		if known && d <= preferredClearTime && !l.MostlyHangUps() || n.ClearTime > maxClearTime || n.MoreAgents > max(minExtraAgents, int(l.Agents+0.5)) {
			t.Fatalf("%+v of %+v, which clears by itself in %v (%v)", n, l, d, known)
		}
		if fewer, ok := l.AgentsToServe(preferredClearTime); ok && n.ClearTime <= preferredClearTime && fewer < n.MoreAgents {
			t.Fatalf("%+v of %+v: %d do it", n, l, fewer)
		}
	})
}
