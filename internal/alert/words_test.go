package alert

import (
	"testing"
	"time"

	"wallboard/model"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		format Format
		value  model.Figure
		want   string
	}{
		{Number, model.FigureOf(4), "4"},
		{Number, model.FigureOf(4.25), "4.2"},
		{Percent, model.FigureOf(0.874), "87.4 percent"},
		{Percent, model.FigureOf(1), "100 percent"},
		{Duration, model.FigureOf(0), "0 seconds"},
		{Duration, model.FigureOf(1), "1 second"},
		{Duration, model.FigureOf(65), "1 minute 5 seconds"},
		{Duration, model.FigureOf(7199.9), "2 hours"},
		{Duration, model.FigureOf(3661), "1 hour 1 minute"},
		{Duration, model.FigureOf(90000), "1 day 1 hour"},
		{Duration, model.FigureOf(-5), "minus 5 seconds"},
		{Duration, model.NotApplicable(), "not applicable"},
		{Percent, model.Figure{}, "unknown"},
	} {
		if got := tt.format.Spoken(tt.value); got != tt.want {
			t.Errorf("%v as %s: %q, want %q", tt.value, tt.format, got, tt.want)
		}
	}
}

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
			if v := f.engine.Value("longestWait", serviceS()); v.UnitPresumed() != (i == 0) {
				t.Errorf("longestWait is %+v", v)
			}
		}
	}
}
