package situation

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"wallboard/situation/staffing"
)

// told are the numbers of agents that are said to help with a load.
func told(l staffing.Load) []int {
	d, known := l.Clears(0)
	var out []int
	for _, n := range needed(l, d, known) {
		out = append(out, n.More)
	}
	return out
}

func TestWhatHelpsIsWhatSomebodyWouldDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		load staffing.Load
		want []int
	}{
		"clears soon by itself": {staffing.Load{Waiting: 3, PerSecond: 0.01, Work: 100, Agents: 5}, nil},
		"one is enough":         {staffing.Load{Waiting: 3, PerSecond: 0.05, Work: 100, Agents: 5}, []int{1}},
		"two steps":             {staffing.Load{Waiting: 12, PerSecond: 0.05, Work: 150, Agents: 7}, []int{3, 5}},
		"more than there are":   {staffing.Load{Waiting: 90, PerSecond: 1, Work: 200, Agents: 4}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := told(c.load); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// TestWhatHelpsIsInSteps holds what is said against any load: few numbers, each more
// than the one before and sooner clear, none too slow, none that nobody has.
func TestWhatHelpsIsInSteps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := staffing.Load{
			Waiting: float64(rapid.IntRange(0, 200).Draw(t, "waiting")), PerSecond: rapid.Float64Range(0, 3).Draw(t, "come"),
			Work: rapid.Float64Range(1, 2000).Draw(t, "work"), Agents: float64(rapid.IntRange(0, 100).Draw(t, "agents")),
			Patience: rapid.Float64Range(0, 600).Draw(t, "patience"),
		}
		d, known := l.Clears(0)
		steps := needed(l, d, known)
		if len(steps) > 2 {
			t.Fatalf("%d steps", len(steps))
		}
		last, before := 0, time.Hour
		for _, n := range steps {
			if !n.Known || n.More <= last || n.Clear > before || n.Clear > inAWhile || n.More > max(leastMost, int(l.Agents+0.5)) {
				t.Fatalf("%+v of %+v", steps, l)
			}
			last, before = n.More, n.Clear
		}
	})
}
