package breaks

import (
	"testing"
	"time"

	"wallboard/model"
)

// TestLongestWorking checks since when agents have had no break: since the end of the last one or the
// login, if it was observed. Recorded hours that overlap add what was observed before.
func TestLongestWorking(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 2, 10, 0, 0, 0, time.Local)
	store := model.NewStore()
	put := func(name string, status model.UserStatus, code string, since time.Time) {
		r := &model.UserStat{Username: model.TextOf(name), AgentFigures: model.AgentFigures{Channel: model.Call, Status: status, TimeInState: model.InstantOf(since)}}
		if code != "" {
			r.ActivityCode = model.TextOf(code)
		}
		store.UserStats.Put(r)
	}
	var w Tracker
	update := func(w *Tracker, after time.Duration) {
		health := model.Health{Link: model.Link{State: model.LinkUp}, Subscriptions: []model.Subscription{{Name: model.OpUserStats, State: model.SubLive}}}
		w.Update(store.Publish(start.Add(after), health), start.Add(after))
	}
	put("early", model.Ready, "", start.Add(-time.Hour))
	put("away", model.NotReady, "PAUSE", start.Add(-time.Minute))
	update(&w, 0)
	put("late", model.Ready, "", start.Add(10*time.Second))
	update(&w, 10*time.Second)
	put("away", model.Busy, "", start.Add(15*time.Second))
	update(&w, 20*time.Second)
	check := func(w *Tracker, wantUnknown int, want ...WorkingAgent) {
		t.Helper()
		got, unknown := w.LongestWorking(func(string) bool { return true })
		if unknown != wantUnknown || len(got) != len(want) {
			t.Fatalf("%v and %d unknown, want %v and %d", got, unknown, want, wantUnknown)
		}
		for i := range want {
			if got[i].Username != want[i].Username || !got[i].Since.Equal(want[i].Since) {
				t.Errorf("%v, want %v", got[i], want[i])
			}
		}
	}
	late, back := WorkingAgent{"late", start.Add(10 * time.Second)}, WorkingAgent{"away", start.Add(15 * time.Second)}
	check(&w, 1, late, back)
	var next Tracker
	update(&next, 30*time.Second)
	check(&next, 3)
	next.MergeHistory(&w)
	check(&next, 1, late, back)
	put("late", model.NotReady, "PAUSE", start.Add(35*time.Second))
	update(&next, 40*time.Second)
	check(&next, 1, back)
	var much Tracker
	update(&much, time.Hour)
	much.MergeHistory(&w)
	check(&much, 2)
}
