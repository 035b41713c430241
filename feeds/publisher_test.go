package feeds

import (
	"testing"
	"time"

	"wallboard/feeds/graphql"
	"wallboard/model"
)

// TestPublishesBeforeFrames checks that a feed with a frame interval publishes its first snapshot at
// once, later ones shortly before a frame, and those of a floor on which work is due as soon as
// Publishing.Every allows.
func TestPublishesBeforeFrames(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	f, o := &publisher{}, Publishing{Every: defaultPublishEvery, Frames: time.Second}
	if due := f.nextPublishTime(time.Time{}, o, false); due.After(now) {
		t.Errorf("first snapshot at %v", due)
	}
	f.Put(&model.Snapshot{Seq: 1})
	if due := f.nextPublishTime(now, o, false); !due.Equal(now.Add(defaultPublishEvery)) {
		t.Errorf("before it is live: after %v", due.Sub(now))
	}
	live := &model.Snapshot{Seq: 2}
	live.Health.Link.State, live.Health.Subscriptions = model.LinkUp, []model.Subscription{{State: model.SubLive}}
	f.Put(live)
	for published, want := range map[time.Duration]time.Duration{
		0: 950 * time.Millisecond, 700 * time.Millisecond: 950 * time.Millisecond,
		900 * time.Millisecond: 1950 * time.Millisecond, 950 * time.Millisecond: 1950 * time.Millisecond,
	} {
		if due := f.nextPublishTime(now.Add(published), o, false); !due.Equal(now.Add(want)) {
			t.Errorf("after %v: due after %v, want %v", published, due.Sub(now), want)
		}
	}
	if due := f.nextPublishTime(now, o, true); !due.Equal(now.Add(defaultPublishEvery)) {
		t.Errorf("while work is due: after %v", due.Sub(now))
	}
}

// TestPublishesWhenFrameIsReady checks that the feed publishes the snapshot for the next frame as soon
// as all data for it has arrived, but not earlier than [graphql.ReadLead] before the frame.
func TestPublishesWhenFrameIsReady(t *testing.T) {
	t.Parallel()
	for before, want := range map[time.Duration]bool{graphql.ReadLead - time.Millisecond: true, 300 * time.Millisecond: false} {
		frame := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
		now := frame.Add(-before)
		f, err := New(Options{
			URL: "http://x", WSURL: "ws://x", Auth: AuthToken, Now: func() time.Time { return now },
			Publish: Publishing{Every: defaultPublishEvery, Frames: time.Second},
		})
		if err != nil {
			t.Fatal(err)
		}
		live := &model.Snapshot{Seq: 2}
		live.Health.Link.State, live.Health.Subscriptions = model.LinkUp, []model.Subscription{{State: model.SubLive}}
		f.publisher.Put(live)
		f.sleep.publishedAt, f.sleep.active, f.dirty = frame.Add(-time.Second), true, true
		f.sleep.publishForFrame(now, time.Second)
		if isDue := f.nextRunDelay(now) == 0; isDue != want || len(f.sleep.wake) > 0 != want {
			t.Errorf("%v before the frame: due is %t", before, isDue)
		}
		if f.runDueWork(now); (f.Latest() != live) != want {
			t.Errorf("%v before the frame: published is %t", before, !want)
		}
	}
}
