package breaks

import (
	"testing"
	"time"

	"wallboard/model"
)

// TestRunningBreakIsPartOfToday checks that a break counts for today before the platform counts it,
// and not twice afterwards.
func TestRunningBreakIsPartOfToday(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ total, length, want float64 }{{53, 2000, 2053}, {2053, 2000, 2053}, {1990, 2000, 1990}, {0, 0, 0}} {
		if got := addCurrentBreak(model.FigureOf(tt.total), time.Duration(tt.length)*time.Second); got != model.FigureOf(tt.want) {
			t.Errorf("total %v, break %v: %v", tt.total, tt.length, got)
		}
	}
	if got := addCurrentBreak(model.Figure{}, time.Minute); got != (model.Figure{}) {
		t.Errorf("an unknown total became %v", got)
	}
}
