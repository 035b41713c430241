package alert

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/model"
)

// acknowledged returns a floor whose only alert was acknowledged by Anna.
func acknowledged(t *testing.T) (*floor, Alert) {
	t.Helper()
	f := newFloor(t, rules(waitRule()))
	f.queue(1, 40)
	f.want(f.after(0), "wait raised warning")
	a, err := f.engine.Acknowledge(f.engine.Active()[0].ID, "Anna", "on it", f.now)
	if err != nil {
		t.Fatal(err)
	}
	return f, a
}

func TestRecallGoesOn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		later   time.Duration
		wait    int64
		changes string
		open    int
		taken   bool
	}{
		"still so":        {5 * time.Minute, 45, "", 1, true},
		"within the band": {5 * time.Minute, 25, "", 1, true},
		"over meanwhile":  {5 * time.Minute, 5, "wait cleared warning", 0, false},
		"worse meanwhile": {5 * time.Minute, 90, "wait escalated critical", 1, false},
		"too long ago":    {13 * time.Hour, 45, "wait raised warning", 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, a := acknowledged(t)
			f := newFloor(t, rules(waitRule()))
			f.now = before.now.Add(c.later)
			f.engine.RestoreActive([]Alert{a})
			f.want(f.after(0), "") // the service has not appeared yet
			f.queue(1, c.wait)
			f.want(f.after(time.Second), c.changes)
			open := f.engine.Active()
			if len(open) != c.open {
				t.Fatalf("%d alerts are open, want %d", len(open), c.open)
			}
			if c.taken {
				a.Value, a.Text, a.Message = open[0].Value, open[0].Text, open[0].Message
				if diff := cmp.Diff([]Alert{a}, open, cmp.AllowUnexported(model.Figure{})); diff != "" {
					t.Errorf("the alert is another one:\n%s", diff)
				}
			} else if c.open > 0 && (open[0].Ack != Ack{}) {
				t.Errorf("it is still %s's", open[0].Ack.By)
			}
		})
	}
}

// TestRecallWaitsForTheFigure checks that unknown figures neither end nor confirm a
// recalled alert.
func TestRecallWaitsForTheFigure(t *testing.T) {
	t.Parallel()
	_, a := acknowledged(t)
	f := newFloor(t, rules(waitRule()))
	f.engine.RestoreActive([]Alert{a})
	f.service(func(*model.Service) {})
	f.want(f.every(time.Second, time.Minute), "")
	if open := f.engine.Active(); len(open) != 1 || open[0].Ack != a.Ack || open[0].UnverifiedSince.IsZero() {
		t.Fatalf("open alerts are %+v", open)
	}
}

// TestRecallPending checks that an alert of an earlier engine continues although the new engine has
// not observed its condition for the duration of the rule yet, at the level that the condition has
// now. Without the condition it is not restored.
func TestRecallPending(t *testing.T) {
	t.Parallel()
	r := waitRule()
	r.For = time.Minute
	for name, c := range map[string]struct {
		first, wait int64
		level       Level
		changes     string
	}{
		"still so":        {45, 45, Warning, "wait cleared warning"},
		"worse":           {90, 90, Critical, "wait cleared critical"},
		"worse since":     {45, 90, Warning, "wait cleared warning"},
		"over":            {5, 5, Normal, ""},
		"within the band": {25, 25, Normal, ""},
		"again":           {5, 45, Normal, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFloor(t, rules(r))
			f.queue(1, c.first)
			f.want(f.after(0), "")
			if got := f.engine.LatestPendingTime(f.now.Add(r.For)); got.IsZero() != (c.level == Normal) || !got.IsZero() && !got.Equal(f.now.Add(r.For)) {
				t.Errorf("the rule has to wait until %v", got)
			}
			if got := f.engine.LatestPendingTime(f.now.Add(r.For - time.Second)); !got.IsZero() {
				t.Errorf("the rule counts as decided at %v", got)
			}
			if c.wait != c.first {
				f.queue(1, c.wait)
				f.want(f.after(time.Second), "")
			}
			old := Alert{
				ID: "old", Rule: "wait", Key: serviceS(), Level: Critical, HighestLevel: Critical,
				Since: f.now.Add(-10 * time.Minute), Raised: f.now.Add(-9 * time.Minute),
			}
			f.engine.RestoreActive([]Alert{old})
			f.want(f.after(time.Second), "")
			switch open := f.engine.Active(); {
			case c.level == Normal && len(open) == 0:
			case len(open) != 1 || open[0].Level != c.level || !open[0].Since.Equal(old.Since) || open[0].HighestLevel != Critical:
				t.Errorf("the open alerts are %+v, want the old one with level %v", open, c.level)
			}
			if got := f.engine.LatestPendingTime(f.now.Add(time.Hour)); got.IsZero() != (c.wait == c.first) {
				t.Errorf("the rule has to wait until %v", got)
			}
			f.queue(0, 0)
			f.want(f.after(time.Second), c.changes)
		})
	}
}

func TestRecallHistory(t *testing.T) {
	t.Parallel()
	before, a := acknowledged(t)
	before.queue(1, 0)
	before.after(time.Second)
	ended := before.engine.History()
	older := a
	older.ID, older.Ended = "older", a.Since

	o := rules(waitRule())
	o.MaxEnded = 1
	f := newFloor(t, o)
	f.engine.RestoreActive([]Alert{older, ended[0]})
	if diff := cmp.Diff(ended, f.engine.History(), cmp.AllowUnexported(model.Figure{})); diff != "" {
		t.Errorf("history:\n%s", diff)
	}
	f.want(f.reconfigure(o), "")
	if len(f.engine.History()) != 1 {
		t.Error("another configuration forgets it")
	}
}

// TestForget checks that forgotten records return without history.
func TestForget(t *testing.T) {
	t.Parallel()
	late := Rule{Name: "late", Scope: User, When: `status == "WNR"`, Severity: Warning}
	f := newFloor(t, rules(waitRule(), late))
	old := Alert{ID: "old", Rule: "late", Key: Key{Scope: User, Code: "bob", Channel: model.Call}, Level: Warning, Ended: f.now}
	f.engine.RestoreActive([]Alert{old})
	f.agent("anna", func(r *model.UserStat) { r.Status = model.WNR })
	f.queue(1, 40)
	f.want(f.after(0), "late raised warning, wait raised warning")
	before := f.engine.AlertsOf(Key{Scope: User, Code: "anna", Channel: model.Call})[0].ID
	f.engine.Forget(User)
	if open := f.engine.Active(); len(open) != 1 || open[0].Rule != "wait" || len(f.engine.History()) != 0 {
		t.Errorf("remaining alerts: %+v, %+v", open, f.engine.History())
	}
	f.want(f.after(time.Second), "late raised warning")
	if now := f.engine.AlertsOf(Key{Scope: User, Code: "anna", Channel: model.Call})[0].ID; now == before {
		t.Error("it is the alert of before")
	}
}
