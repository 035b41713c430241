package render

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/ui/table"
)

// risen is a figure that has been known for as many steps, and rose by one with
// each.
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

// Rows that show samples are drawn anew with every sample, and not in between.
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
		t.Error("another version without another sample")
	}
	if version(now.Add(10*time.Second)) == first {
		t.Error("another sample has the same version")
	}
	if c := rows.Columns()[columnOf(t, rows, "trend")]; !c.NoFlash {
		t.Error("samples flash")
	}
}

// A peak stays where it is on its way to the left.
func TestPeaksDoNotWobble(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	at := time.Unix(1200, 0)
	for _, c := range []struct {
		end  time.Time
		in   []float64
		want []float64
	}{
		{at, []float64{1, 9, 2, 3, nan, nan}, []float64{9, 3, nan}},
		{at.Add(10 * time.Second), []float64{9, 2, 3, nan, nan, 4}, []float64{9, 3, 4}},
		{at, []float64{nan, math.Inf(1), 0}, []float64{nan, nan, 0}},
	} {
		got := peaks(&alert.Trend{Samples: c.in, Step: trendStep, End: c.end}, 3)
		if diff := cmp.Diff(c.want, got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("at %v:\n%s", c.end.Unix(), diff)
		}
	}
}
