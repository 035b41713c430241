package alert

import (
	"math"
	"strconv"
	"testing"
	"time"
)

func TestTimeToZero(t *testing.T) {
	t.Parallel()
	falling := func(from, by float64, n int) (out []float64) {
		for i := range n {
			out = append(out, from-by*float64(i))
		}
		return out
	}
	for _, c := range []struct {
		says    string
		samples []float64 // a minute apart
		want    string
	}{
		{"nothing", nil, "unknown"},
		{"too short", falling(100, 1, 10), "unknown"},
		{"one a minute", falling(100, 1, 21), "4800"},
		{"with a gap", append(append(falling(100, 1, 11), math.NaN(), math.NaN()), falling(87, 1, 8)...), "4800"},
		{"after a refill", append(falling(50, 5, 11), falling(100, 2, 11)...), "2400"},
		{"too short after a refill", append(falling(50, 5, 11), falling(100, 2, 3)...), "unknown"},
		{"no pace", falling(100, 0, 30), "n/a"},
		{"four contacts", falling(100, 0.2, 21), "n/a"},
		{"more than a day", falling(100_000, 1, 30), "n/a"},
		{"empty", falling(20, 1, 21), "n/a"},
		{"paused", append(falling(100, 1, 16), falling(85, 0, 5)...), "6800"},
		{"stopped", append(falling(100, 1, 16), falling(85, 0, 6)...), "n/a"},
		{"slow", append(falling(100, 0.25, 21), falling(95, 0, 7)...), "30780"},
	} {
		trend := Trend{Samples: c.samples, Step: time.Minute}
		got := trend.timeToZero()
		text := "unknown"
		if v, ok := got.Get(); ok {
			if text = strconv.Itoa(int(math.Round(v))); !got.IsEstimated() {
				text += " not an estimate"
			}
		} else if got.IsNotApplicable() {
			text = "n/a"
		}
		if text != c.want {
			t.Errorf("%s: %s, want %s", c.says, text, c.want)
		}
	}
}
