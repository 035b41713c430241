package alert

import (
	"testing"
	"time"

	"wallboard/model"
)

// reconfigure has the floor judged by other rules from now on.
func (f *floor) reconfigure(o Options) []Change {
	f.t.Helper()
	o.Goal = DefaultGoal()
	next, err := New(o)
	if err != nil {
		f.t.Fatal(err)
	}
	changes := next.Adopt(f.engine)
	f.engine = next
	return changes
}

func TestAdoptKeepsWhatIsOpen(t *testing.T) {
	t.Parallel()
	busy := Rule{Name: "busy", Scope: Service, When: "queuedCalls > 1", Severity: Warning}
	f := newFloor(t, rules(waitRule(), busy))
	f.queue(2, 45)
	f.want(f.after(0), "busy raised warning, wait raised warning")
	open := f.engine.Active()
	a := open[0]
	if a.Rule != "wait" {
		a = open[1]
	}
	if _, err := f.engine.Acknowledge(a.ID, "Anna", "on it", f.now); err != nil {
		t.Fatal(err)
	}

	harder := waitRule()
	harder.Thresholds, harder.Notify = thresholds(40, 50, 20), []string{"ops"}
	f.want(f.reconfigure(rules(harder)), "busy vanished warning")
	f.want(f.after(time.Second), "")
	open = f.engine.Active()
	if len(open) != 1 || open[0].ID != a.ID || open[0].Ack.By != "Anna" || open[0].Notify[0] != "ops" {
		t.Fatalf("open alerts are %+v", open)
	}
	if got := f.engine.History(); len(got) != 1 || got[0].Rule != "busy" || !got[0].Vanished {
		t.Errorf("history is %+v", got)
	}
	f.queue(2, 50)
	f.want(f.after(time.Second), "wait escalated critical")
	f.queue(2, 10)
	f.want(f.after(time.Second), "wait cleared critical")
}

func TestAdoptKeepsSamplesAndTime(t *testing.T) {
	t.Parallel()
	grown := KPI{Name: "grown", Scope: Service, Expr: `delta(receivedCalls, "5m")`}
	many := Rule{Name: "many", Scope: Service, When: "queuedCalls > 4", Severity: Critical, For: time.Minute}
	f := newFloor(t, Options{KPIs: []KPI{grown}, Rules: []Rule{many}})
	count := int64(0)
	minutes := func(n int) {
		for range n * 6 {
			count += 10
			f.service(func(r *model.Service) { r.ChannelStats.ReceivedCalls = model.IntOf(count) })
			f.after(10 * time.Second)
		}
	}
	minutes(6)
	before, _ := f.engine.Value("grown", serviceS()).Get()
	f.queue(5, 1)
	f.want(f.every(10*time.Second, 30*time.Second), "")

	other := KPI{Name: "early", Scope: Service, Expr: "answeredCalls"} // the others get other places
	f.want(f.reconfigure(Options{KPIs: []KPI{other, grown}, Rules: []Rule{waitRule(), many}}), "")
	if now, ok := f.engine.Value("grown", serviceS()).Get(); !ok || now != before-30 {
		t.Errorf("grown is %v after %v", now, before)
	}
	f.want(f.every(10*time.Second, 20*time.Second), "")
	f.want(f.after(20*time.Second), "many raised critical")
}
