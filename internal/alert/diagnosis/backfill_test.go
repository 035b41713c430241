package diagnosis_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/model"
)

// TestRemember checks that a track with a remembered history equals one that observed
// everything: minutes, including a shared one, departures, and since when no agent is
// ready.
func TestRemember(t *testing.T) {
	t.Parallel()
	f := newFloor()
	all, past := diagnosis.NewHistory(), diagnosis.NewHistory()
	look := func(seconds int) {
		for range seconds {
			f.now = f.now.Add(time.Second)
			s := f.store.Publish(f.now, f.health)
			all.Update(s, f.now)
			f.track.Update(s, f.now)
		}
	}
	f.track = past
	f.service(100, 90, 0)
	f.agent("a", model.Busy)
	f.agent("b", model.Busy)
	f.agent("anna", model.Ready)
	look(90)
	f.service(106, 95, 0)
	f.agent("anna", model.Busy)
	f.agent("a", model.WNR)
	look(50)
	f.store.UserStats.Delete(model.UserStatKey{Username: "b", Channel: model.Call})
	f.store.Users.Delete("b")
	look(10)
	f.track = diagnosis.NewHistory()
	look(20)
	f.service(110, 96, 0)
	look(5)
	f.track.MergeHistory(past, false)
	look(60)
	got, want := f.all(), all.PeriodTotals(s, f.now.Add(-2*time.Hour), f.now)
	if math.Abs(got.Seconds-want.Seconds) > 1.5 || got.Arrived != want.Arrived || got.Answered != want.Answered {
		t.Errorf("%+v, want %+v", got, want)
	}
	if math.Abs(got.TalkSeconds-want.TalkSeconds) > 3 || math.Abs(got.WrapUpSeconds-want.WrapUpSeconds) > 3 {
		t.Errorf("%+v, want %+v", got, want)
	}
	if !f.track.NoneReadySince(s, all.Since()).Equal(all.NoneReadySince(s, all.Since())) || !f.track.Since().Equal(all.Since()) {
		t.Errorf("no agent ready since %v, want %v", f.track.NoneReadySince(s, all.Since()), all.NoneReadySince(s, all.Since()))
	}
	if left := f.track.Departures(s, noon); len(left) != 1 || left[0].Username != "b" {
		t.Errorf("agents who left: %+v", left)
	}
	if got, want := strip(f.track.AgentHour(anna, f.now)), strip(all.AgentHour(anna, f.now)); got != want || !strings.HasPrefix(got, "rrrb") {
		t.Errorf("the hour is %q, want %q", got, want)
	}
}

// TestRememberReadySince checks that a ready agent is ready since before a restart.
func TestRememberReadySince(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.service(100, 90, 1)
	f.agent("anna", model.Ready)
	f.looks(30)
	past, want := f.track, f.track.ReadySince(s)
	f.track = diagnosis.NewHistory()
	f.looks(5)
	f.track.MergeHistory(past, false)
	if got := f.track.ReadySince(s); want.IsZero() || !got.Equal(want) {
		t.Errorf("ready since %v, want %v", got, want)
	}
}

// TestRememberAfterPause checks that agents with other names are not remembered, and
// that conditions are not dated back after a pause.
func TestRememberAfterPause(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.service(100, 90, 0)
	f.agent("a", model.Busy)
	f.agent("b", model.Busy)
	f.looks(30)
	f.store.UserStats.Delete(model.UserStatKey{Username: "b", Channel: model.Call})
	f.store.Users.Delete("b")
	f.looks(30)
	past := f.track
	f.track = diagnosis.NewHistory()
	f.look(10 * time.Minute)
	began := f.now
	f.track.MergeHistory(past, true)
	for from, want := range map[time.Time]time.Time{began: began, f.now: f.now, began.Add(-time.Second): {}} {
		if got := f.track.NoneReadySince(s, from); !got.Equal(want) {
			t.Errorf("no agent ready since %v, want %v", got, want)
		}
	}
	if left := f.track.Departures(s, noon); len(left) > 0 {
		t.Errorf("agents who left: %+v", left)
	}
	if got := f.all(); got.Seconds != 59 {
		t.Errorf("looked for %v s", got.Seconds)
	}
	f.track.MergeHistory(diagnosis.NewHistory(), false) // this history has observed nothing
	if got := f.all(); got.Seconds != 59 {
		t.Errorf("looked for %v s", got.Seconds)
	}
}

// TestHourAfterRestart checks that the hour of an agent includes the earlier states
// after a restart, but not if agents have other names.
func TestHourAfterRestart(t *testing.T) {
	t.Parallel()
	for want, nameless := range map[string]bool{"rr....nn...bbb": false, "bbb": true} {
		f := newFloor()
		f.service(1, 1, 1)
		f.agent("anna", model.Ready)
		f.looks(59)
		f.health.Link.State = model.LinkBackoff
		f.looks(120)
		f.health.Link.State = model.LinkUp
		f.agent("anna", model.NotReady)
		f.looks(60)
		past := f.track
		f.track = diagnosis.NewHistory()
		f.agent("anna", model.Busy)
		f.look(2 * time.Minute)
		f.looks(59)
		f.track.MergeHistory(past, nameless)
		if got := strip(f.track.AgentHour(anna, f.now)); got != want {
			t.Errorf("nameless %v: the hour is %q, want %q", nameless, got, want)
		}
	}
}
