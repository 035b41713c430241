package diagnosis

import "testing"

// TestRequired compares with the textbook values of Erlang C.
func TestRequired(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		perHour, work, share float64
		want                 int
	}{
		{200, 180, 0.8, 14}, // 10 erlang: 13 agents answer 76.6 % within 20 s, 14 answer 88.8 %
		{200, 180, 0.7, 13},
		{20, 180, 0.8, 3},
		{0, 180, 0.8, 0},
		{200, 0, 0.8, 0},
		{200, 180, 1, 0},
	} {
		crew := Crew{SecondsPerContact: c.work}
		if got := crew.RequiredAgents(c.perHour/3600, c.share); got != c.want {
			t.Errorf("%v contacts an hour of %v s: %d agents for %v, want %d", c.perHour, c.work, got, c.share, c.want)
		}
	}
}
