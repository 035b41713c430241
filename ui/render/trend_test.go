package render

import (
	"math"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/table"
)

// risen provides the trend of a figure that has been known for this number of steps and rose by one with
// each step.
type risen int

func (n risen) Trend(dst []float64, name string, _ alert.Key, span time.Duration) alert.Trend {
	if name != "queuedCalls" || span != trendSpan {
		return alert.Trend{Samples: dst}
	}
	for i := range int(span / trendStep) {
		v := math.NaN()
		if at := i - int(span/trendStep) + int(n); at >= 0 {
			v = float64(at)
		}
		dst = append(dst, v)
	}
	return alert.Trend{Samples: dst, Step: trendStep, End: now.Truncate(trendStep)}
}

func TestTrendColumn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		trends Trends
		ascii  bool
		want   string
	}{
		"no samples":   {nil, false, ""},
		"all unknown":  {risen(0), false, "–"},
		"begun now":    {risen(13), false, strings.Repeat(" ", 14) + "⣿"},
		"a whole hour": {risen(360), false, "⣤⣤⣤⣤⣤⣤⣤⣶⣶⣶⣶⣶⣿⣿⣿"},
		"in ASCII":     {risen(360), true, "..::---==++**##"},
	} {
		v := view(model.Call)
		v.Trends, v.Options.ASCII = c.trends, c.ascii
		for _, rows := range []Rows{NewServices(), NewGroups()} {
			rows.Update(floor().Publish(now, live()), v)
			cell := table.Cell{Width: trendWidth}
			rows.Cell(0, columnOf(t, rows, "trend"), &cell)
			if got := string(cell.Text); got != c.want {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
	}
}

// TestTrendVersion checks that rows that show samples are drawn again after every new sample, but not in
// between.
func TestTrendVersion(t *testing.T) {
	t.Parallel()
	v, snap := view(model.Call), floor().Publish(now, live())
	rows := NewCampaigns()
	version := func(at time.Time) uint64 {
		v.Now = at
		rows.Update(snap, v)
		return rows.Version(0)
	}
	first := version(now)
	if version(now.Add(9*time.Second)) != first {
		t.Error("the version changes without a new sample")
	}
	if version(now.Add(10*time.Second)) == first {
		t.Error("the version is unchanged after a new sample")
	}
	if c := rows.Columns()[columnOf(t, rows, "trend")]; !c.NoFlash {
		t.Error("samples flash")
	}
}
