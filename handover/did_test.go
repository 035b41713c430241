package handover_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"wallboard/handover"
	"wallboard/recount"
)

// TestDeedsOfAnotherClock hands over a shift on a platform whose clock is ten minutes ahead, or
// behind: what was done is asked for from the beginning of the shift on our clock, and is told,
// and measured, on the platform's.
func TestDeedsOfAnotherClock(t *testing.T) {
	t.Parallel()
	ours := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	for _, ahead := range []time.Duration{-10 * time.Minute, 0, 10 * time.Minute} {
		r := handover.Report{From: ours.Add(-8 * time.Hour).Add(ahead), At: ours.Add(ahead)}
		r.Health.ClockOffset = ahead
		did := []handover.Deed{{At: ours.Add(-20 * time.Minute), Who: "anna", Action: "stop campaign", Target: "Win-back", Outcome: "confirmed", Moves: true}}
		var since time.Time
		if err := r.Did(func(from time.Time) ([]handover.Deed, error) { since = from; return did, nil }); err != nil {
			t.Fatal(err)
		}
		if want := ours.Add(-8 * time.Hour); !since.Equal(want) {
			t.Errorf("%v ahead: asked for what was done since %v, want %v", ahead, since, want)
		}
		at := ours.Add(-20 * time.Minute).Add(ahead)
		err := r.Measure(t.Context(), func(_ context.Context, deeds []recount.Deed) ([]string, error) {
			if len(deeds) != 1 || !deeds[0].At.Equal(at) {
				t.Errorf("%v ahead: measured at %v, want %v", ahead, deeds, at)
			}
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if text := handover.Markdown(r); !strings.Contains(text, "- "+at.Format("15:04")+" anna: stop campaign") {
			t.Errorf("%v ahead:\n%s", ahead, text)
		}
		if !did[0].At.Equal(ours.Add(-20 * time.Minute)) {
			t.Error("what was read is changed")
		}
	}
}
