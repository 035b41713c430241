package situation

import (
	"testing"
	"time"
)

// TestRankFollowsSlowly plays the queue of a situation and checks how often its rank changes: at
// once when the queue fills again or doubles, otherwise once a minute.
func TestRankFollowsSlowly(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	var r rank
	changes := 0
	for second := range 600 { // a queue of 1 that empties every ten seconds, beside one of 3
		next := r.next(second%10 == 0, 1+second%2, began.Add(time.Duration(second)*time.Second))
		if next.queueEmpty != r.queueEmpty || next.affected != r.affected {
			changes++
		}
		r = next
	}
	if changes > 12 {
		t.Errorf("the rank changed %d times in 10 minutes", changes)
	}
	now := began.Add(time.Hour)
	r = rank{}.next(true, 0, now)
	for _, tt := range []struct {
		after    time.Duration
		eased    bool
		affected int
		want     int
	}{
		{time.Second, false, 2, 2},    // the queue fills
		{2 * time.Second, true, 0, 2}, // and empties
		{3 * time.Second, false, 4, 2},
		{4 * time.Second, false, 5, 5}, // more than twice as many
		{30 * time.Second, false, 1, 5},
		{64 * time.Second, false, 1, 1}, // a minute later
	} {
		if r = r.next(tt.eased, tt.affected, now.Add(tt.after)); r.affected != tt.want || r.queueEmpty {
			t.Errorf("after %v: %+v, want %d affected", tt.after, r, tt.want)
		}
	}
}
