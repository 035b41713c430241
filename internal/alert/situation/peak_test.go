package situation_test

import (
	"strings"
	"testing"

	"wallboard/internal/alert/diagnosis"
	"wallboard/model"
)

// TestNobodyWaitsAnyMore checks a queue that is empty while its alert lasts: it needs no action, and it
// reports its peak both then and after it has recovered.
func TestNobodyWaitsAnyMore(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.service("S", 2, 70, 3, 0)
	f.service("T", 1, 65, 3, 0)
	f.passes(1)
	f.service("S", 7, 80, 3, 0)
	f.passes(1)
	f.service("S", 4, 95, 3, 0)
	f.passes(1)
	critical, _ := f.view.Counts()
	if critical != 2 || f.view.Live[0].Place.Key.Code != "S" {
		t.Fatalf("%d critical: %+v", critical, f.view.Live)
	}
	f.service("S", 0, 0, 3, 0)
	f.look(0)
	var eased bool
	for range 60 {
		f.passes(1)
		if len(f.view.Live) < 2 {
			break
		}
		eased = true
		last := f.view.Live[1]
		if critical, warning := f.view.Counts(); critical+warning != 1 || !last.QueueEmpty || last.Place.Key.Code != "S" {
			t.Fatalf("%d critical and %d warnings need action: %+v", critical, warning, last)
		}
		if want := "No one waiting now; peak 7 callers, longest wait 1:35."; last.Headline != want {
			t.Errorf("%q, want %q", last.Headline, want)
		}
	}
	if want := "Peak 7 callers, longest wait 1:35."; len(f.view.Recovered) != 1 || f.view.Recovered[0].Headline != want {
		t.Errorf("%+v, want %q (it had been shown as eased: %v)", f.view.Recovered, want, eased)
	}
}

// TestCauseInHindsight checks that the causes of the peak are kept when agents return
// from a break while callers still wait.
func TestCauseInHindsight(t *testing.T) {
	t.Parallel()
	f := held(t)
	f.passes(120)
	f.all6(model.NotReady)
	for s := range 90 {
		f.service("S", int64(1+s/5), int64(s), 6, 0)
		f.passes(1)
	}
	was := f.view.Live[0].Causes
	if len(was) == 0 || was[0].Kind != diagnosis.FewerAgents {
		t.Fatalf("%+v %q", was, f.view.Live[0].UnexplainedReason)
	}
	f.all6(model.Busy)
	for s := range 90 {
		f.service("S", int64(max(18-s/4, 1)), int64(90-s/2), 6, 0)
		f.passes(1)
		if len(f.view.Live) == 0 {
			t.Fatal("it is over too early")
		}
	}
	now := f.view.Live[0].Causes
	if len(now) == 0 || now[0].Kind != diagnosis.FewerAgents || !strings.HasPrefix(now[0].Text, "At the peak, ") {
		t.Errorf("%+v", now)
	}
}
