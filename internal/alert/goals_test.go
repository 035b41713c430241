package alert

import (
	"testing"
	"time"

	"wallboard/model"
)

// TestTolerance checks that a deviation within the tolerance raises no alert, that the latest note
// counts as long as it lasts, and that texts name the agreed target.
func TestTolerance(t *testing.T) {
	t.Parallel()
	f := newFloor(t, Options{Rules: DefaultRules(), Tolerance: Tolerance{Abandon: 0.02}})
	f.staffed(0, 0, 5, 5)
	f.day(1000, 940, 775, 60) // 6 % abandoned
	start := f.now
	agree := func(id string, from, to time.Duration, points float64) model.Note {
		return model.Note{ID: id, At: start.Add(from), Until: start.Add(to), Tolerance: model.AgreedTolerance{Figure: ToleratedServiceLevel, Points: points}}
	}
	notes := []model.Note{agree("1", 0, time.Hour, 3), agree("2", 10*time.Minute, 20*time.Minute, 2)}
	for _, c := range []struct {
		at       time.Duration
		isRaised bool
	}{{time.Minute, false}, {11 * time.Minute, true}, {21 * time.Minute, false}, {time.Hour, true}} {
		f.now = start.Add(c.at)
		f.engine.ApplyNotes(notes, f.now)
		f.after(0)
		var active []Alert
		for _, a := range f.engine.Active() {
			if a.Key.Scope == Service {
				active = append(active, a)
			}
		}
		switch {
		case (len(active) == 1) != c.isRaised || len(active) > 1:
			t.Errorf("after %v: %+v", c.at, active)
		case c.isRaised && active[0].Text != "S: service level 77.5 %, target 80.0 %":
			t.Errorf("after %v: %q", c.at, active[0].Text)
		}
	}
	f.engine.ApplyNotes(notes, start)
	if g := f.engine.Goal("S"); g.ServiceLevel != model.FloatOf(0.8) || g.Judged().ServiceLevel != model.FloatOf(0.77) || g.Judged().Abandon.Or(0) != 0.05+0.02 {
		t.Errorf("the goal is %+v", g)
	}
	x, err := f.engine.ExplainKPI("serviceLevel", Key{Service, "S", model.Call})
	if err != nil || x.Target != model.FloatOf(0.8) {
		t.Errorf("the explained target is %v, %v", x.Target, err)
	}
}
