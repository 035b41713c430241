package feeds

import (
	"testing"
	"time"

	"wallboard/model"
)

// TestPublishesBeforeFrames checks that a feed with a frame interval publishes its first snapshot at
// once, later ones shortly before a frame, and those of a floor on which work is due as soon as
// PublishEvery allows.
func TestPublishesBeforeFrames(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	f, err := New(Options{URL: "http://x", WSURL: "ws://x", Auth: AuthToken, FrameInterval: time.Second, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	f.filterBuilder.staleFilters = staleFilterSet{}
	if due := f.publishDue(time.Time{}, now); due.After(now) {
		t.Errorf("first snapshot at %v", due)
	}
	f.publisher.Put(&model.Snapshot{Seq: 1})
	if due := f.publishDue(now, now); !due.Equal(now.Add(defaultPublishEvery)) {
		t.Errorf("before it is live: after %v", due.Sub(now))
	}
	live := &model.Snapshot{Seq: 2}
	live.Health.Link.State, live.Health.Subscriptions = model.LinkUp, []model.Subscription{{State: model.SubLive}}
	f.publisher.Put(live)
	for published, want := range map[time.Duration]time.Duration{
		0: 950 * time.Millisecond, 700 * time.Millisecond: 950 * time.Millisecond,
		900 * time.Millisecond: 1950 * time.Millisecond, 950 * time.Millisecond: 1950 * time.Millisecond,
	} {
		if due := f.publishDue(now.Add(published), now); !due.Equal(now.Add(want)) {
			t.Errorf("after %v: due after %v, want %v", published, due.Sub(now), want)
		}
	}
	f.filterBuilder.staleFilters.users = true
	if due := f.publishDue(now, now); !due.Equal(now.Add(defaultPublishEvery)) {
		t.Errorf("while work is due: after %v", due.Sub(now))
	}
}
