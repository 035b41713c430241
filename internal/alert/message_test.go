package alert

import (
	"testing"
	"time"

	"wallboard/model"
)

// TestMessageInWords checks messages for reading aloud.
func TestMessageInWords(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{SpellOut: true, Rules: []Rule{{
		Name: "wait", Scope: Service, KPI: "longestWait", Thresholds: thresholds(30, 60, 15),
		Message: "{queuedCalls} waiting for {value}",
	}}})
	f.queue(3, 65)
	f.after(time.Second)
	if got := f.engine.Active(); len(got) != 1 || got[0].Text != "3 waiting for 1 minute 5 seconds" {
		t.Errorf("the alerts are %+v", got)
	}
}

// TestPresumedUnit marks the times whose unit is presumed, until it is known, although no
// record changes then.
func TestPresumedUnit(t *testing.T) {
	t.Parallel()
	for words, want := range map[bool][2]string{
		false: {"3 waiting for 1:05?", "3 waiting for 1:05"},
		true:  {"3 waiting for 1 minute 5 seconds (presumed)", "3 waiting for 1 minute 5 seconds"},
	} {
		f := newFloor(t, Options{SpellOut: words, Rules: []Rule{{
			Name: "wait", Scope: Service, KPI: "longestWait", Thresholds: thresholds(30, 60, 15),
			Message: "{queuedCalls} waiting for {value}",
		}}})
		f.queue(3, 65)
		for i, presumed := range []model.Presumed{model.PresumedLongest, model.PresumedAverage} {
			f.health.Presumed = presumed
			f.after(time.Second)
			if got := f.engine.Active(); len(got) != 1 || got[0].Text != want[i] {
				t.Errorf("the alerts are %+v, want %q", got, want[i])
			}
			if v := f.engine.Value("longestWait", serviceS()); v.IsUnitPresumed() != (i == 0) {
				t.Errorf("longestWait is %+v", v)
			}
		}
	}
}
