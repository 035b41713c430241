package situation_test

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/textformat"
	"wallboard/model"
)

// TestRememberedSituation checks that a watch which starts during a situation learns
// its start and its causes from the history, unless the situation began even earlier.
func TestRememberedSituation(t *testing.T) {
	t.Parallel()
	for name, quiet := range map[string]int{"seen to begin": 300, "so from the start": 0} {
		t.Run(name, func(t *testing.T) { t.Parallel(); remembersSituation(t, quiet) })
	}
}

// remembersSituation checks a situation that begins after some seconds.
func remembersSituation(t *testing.T, quiet int) {
	t.Helper()
	f := newStand(t)
	f.agent("a", model.Busy, []string{"S"}, nil)
	f.service("S", 0, 0, 1, 1)
	f.passes(quiet)
	began := f.now.Add(time.Second)
	f.service("S", 10, 70, 1, 0)
	f.passes(120)
	if v := f.view; len(v.Live) != 1 || !v.Live[0].Since.Equal(began) {
		t.Fatalf("before: %+v", v.Live)
	}
	was := f.view.Live[0]

	before := *f
	live := newStand(t)
	live.store, live.now = f.store, f.now
	live.passes(3)
	sit := live.view.Live[0]
	if !sit.FromStart || !sit.Since.After(began) {
		t.Fatalf("unexpected start: %+v", sit)
	}
	alert.NewBackfill(before.engine).ApplyTo(live.engine)
	live.watch.MergeHistory(before.watch, false)
	live.passes(2)
	if len(live.view.Live) != 1 {
		t.Fatalf("%d situations", len(live.view.Live))
	}
	now := live.view.Live[0]
	if now.FromStart != (quiet == 0) || !now.Since.Equal(began) || now.ID != sit.ID {
		t.Errorf("since %v, want %v; from the start %v, %s", now.Since, began, now.FromStart, now.ID)
	}
	if !strings.Contains(now.Headline, "No one available for 2:0") {
		t.Errorf("headline %q, before %q", now.Headline, was.Headline)
	}
	if n := len(live.view.Recovered); n > 0 {
		t.Errorf("%d are over", n)
	}
}

// TestObserved checks that observed snapshots are remembered but build no view.
func TestObserved(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.service("S", 10, 70, 1, 0)
	past := situation.New(situation.Options{Goal: func(string) alert.Goal { return alert.DefaultGoal() }})
	for range 30 {
		f.now = f.now.Add(10 * time.Second)
		past.Observe(f.store.Publish(f.now, f.health), f.now)
	}
	f.passes(1)
	f.watch.MergeHistory(past, false)
	f.passes(1)
	if v := f.view; len(v.Live) != 1 || len(v.Recovered) > 0 {
		t.Fatalf("%+v", v)
	}
	since := f.watch.History().NoneReadySince(model.ServiceKey{Code: "S", Channel: model.Call}, time.Time{})
	if lasted := f.now.Sub(since); lasted < 4*time.Minute || lasted > 6*time.Minute {
		t.Errorf("nobody has been ready for %v", lasted)
	}
	f.now = f.now.Add(20 * time.Second)
	f.passes(1)
	sit := &f.view.Live[0]
	if want := "No one available for " + textformat.Duration(f.view.At.Sub(sit.Since)) + "."; !strings.Contains(sit.Headline, want) {
		t.Errorf("headline %q, want %q as the situation has lasted", sit.Headline, want)
	}
}
