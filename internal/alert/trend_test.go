package alert

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestPeaksDoNotWobble checks that peaks keep their shape as time moves on.
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
		got := (&Trend{Samples: c.in, Step: fineStep, End: c.end}).Peaks(3)
		if diff := cmp.Diff(c.want, got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("at %v:\n%s", c.end.Unix(), diff)
		}
	}
}
