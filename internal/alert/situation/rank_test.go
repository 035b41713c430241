package situation

import (
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
)

// TestRankFollowsSlowly plays the queue of a situation and checks that its rank ignores short
// changes, and follows a queue that stays clearly longer or shorter.
func TestRankFollowsSlowly(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	var r rank
	for second := range 600 { // a queue of one or two contacts that is empty for a second every ten seconds
		next := r.next(second%10 == 9, 1+second%2, began.Add(time.Duration(second)*time.Second))
		if second > 0 && next.queueEmpty != r.queueEmpty {
			t.Fatalf("after %d s: the rank followed a short change", second)
		}
		r = next
	}
	now := began.Add(time.Hour)
	r = rank{}.next(true, 0, now)
	for _, tt := range []struct {
		after    time.Duration
		eased    bool
		affected int
		want     int
		empty    bool
	}{
		{time.Second, false, 2, 0, true}, // the queue fills
		{3 * time.Second, true, 0, 0, true},
		{4 * time.Second, false, 2, 0, true},
		{9 * time.Second, false, 2, 2, false}, // the queue has had contacts for 5 s
		{10 * time.Second, false, 4, 2, false},
		{20 * time.Second, false, 5, 2, false}, // more than twice as many as the rank says
		{25 * time.Second, false, 5, 5, false}, // more than twice as many for 5 s
		{30 * time.Second, false, 1, 5, false},
		{59 * time.Second, false, 1, 5, false},
		{60 * time.Second, false, 1, 1, false}, // clearly fewer for 30 s
	} {
		if r = r.next(tt.eased, tt.affected, now.Add(tt.after)); r.affected != tt.want || r.queueEmpty != tt.empty {
			t.Errorf("after %v: %d affected, empty %v, want %d, %v", tt.after, r.affected, r.queueEmpty, tt.want, tt.empty)
		}
	}
}

// TestLinesKeepTheirOrder checks which changes of the situations "a" and "b" move their lines.
func TestLinesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	at := func(id string, level alert.Level, affected int) *Situation {
		return &Situation{ID: id, Level: level, displayPriority: displayPriority{rank: rank{affected: affected}}}
	}
	const low, high = alert.Warning, alert.Critical
	for _, tt := range []struct {
		name     string
		previous string
		open     []*Situation
		want     string
	}{
		{"new lines", "", []*Situation{at("a", low, 3), at("b", low, 4), at("c", high, 1)}, "cba"},
		{"one person more", "ab", []*Situation{at("a", low, 3), at("b", low, 4)}, "ab"},
		{"two of many more", "ab", []*Situation{at("a", low, 8), at("b", low, 11)}, "ab"},
		{"clearly more", "ab", []*Situation{at("a", low, 8), at("b", low, 12)}, "ba"},
		{"critical", "ab", []*Situation{at("a", low, 8), at("b", high, 1)}, "ba"},
		{"new line between", "ab", []*Situation{at("a", low, 8), at("b", low, 4), at("c", low, 6)}, "acb"},
		{"first line gone", "abc", []*Situation{at("c", low, 4), at("b", low, 3)}, "bc"},
		{"past two lines", "abc", []*Situation{at("a", low, 3), at("b", low, 4), at("c", high, 1)}, "cab"},
	} {
		var previous []Situation
		for _, id := range strings.Split(tt.previous, "") {
			previous = append(previous, Situation{ID: id})
		}
		for range 2 { // the result does not depend on the order of the argument
			var got strings.Builder
			for _, s := range sortSituations(tt.open, previous) {
				got.WriteString(s.ID)
			}
			if got.String() != tt.want {
				t.Errorf("%s: order %q, want %q", tt.name, got.String(), tt.want)
			}
			slices.Reverse(tt.open)
		}
	}
}
