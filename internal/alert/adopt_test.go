package alert

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wallboard/model"
)

// reconfigure replaces the rules of the floor.
func (f *floor) reconfigure(o Options) []Change {
	f.t.Helper()
	o.Goal = DefaultGoal()
	next, err := New(o)
	if err != nil {
		f.t.Fatal(err)
	}
	changes := next.AdoptState(f.engine)
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

	other := KPI{Name: "early", Scope: Service, Expr: "answeredCalls"} // this KPI shifts the positions of the others
	f.want(f.reconfigure(Options{KPIs: []KPI{other, grown}, Rules: []Rule{waitRule(), many}}), "")
	if now, ok := f.engine.Value("grown", serviceS()).Get(); !ok || now != before-30 {
		t.Errorf("grown is %v after %v", now, before)
	}
	f.want(f.every(10*time.Second, 20*time.Second), "")
	f.want(f.after(20*time.Second), "many raised critical")
}

// TestAdoptProvesAnotherConditionAnew checks that the duration of a condition does not
// carry over to another one of the same name.
func TestAdoptProvesAnotherConditionAnew(t *testing.T) {
	t.Parallel()
	many := func(when string) Options {
		return Options{
			KPIs:  []KPI{{Name: "load", Scope: Service, Expr: when}},
			Rules: []Rule{{Name: "many", Scope: Service, When: "load > 4", Severity: Critical, For: time.Minute}},
		}
	}
	f := newFloor(t, many("queuedCalls * 5"))
	f.queue(5, 1)
	f.want(f.every(10*time.Second, time.Minute), "")
	f.want(f.reconfigure(many("queuedCalls")), "")
	f.want(f.every(10*time.Second, time.Minute), "")
	f.want(f.after(10*time.Second), "many raised critical")
}

// TestAdoptDropsSamplesOfAnotherFigure checks that samples of a changed figure are
// dropped and others are kept.
func TestAdoptDropsSamplesOfAnotherFigure(t *testing.T) {
	t.Parallel()
	load := func(expr string, target float64) Options {
		goal := DefaultGoal()
		goal.ServiceLevel = model.FloatOf(target)
		return Options{
			KPIs: []KPI{
				{Name: "load", Scope: Service, Expr: expr},
				{Name: "twice", Scope: Service, Expr: "load * 2"},
				{Name: "worst", Scope: Service, Expr: `max(twice, "15m")`},
			},
			Goals: map[string]Goal{"S": goal},
		}
	}
	f := newFloor(t, load("queuedCalls * 10", 0.8))
	f.service(func(r *model.Service) {
		r.ChannelStats.AnsweredCalls, r.ChannelStats.AnsweredCallsUnderSpeedLimit = model.IntOf(9), model.IntOf(8)
		r.ChannelStats.HangupCalls, r.ChannelStats.QueuedCalls = model.IntOf(1), model.IntOf(3)
		r.ChannelStats.ReceivedCalls = model.IntOf(10)
	})
	f.every(10*time.Second, 20*time.Minute)
	past := func(name string) (known int) {
		for _, v := range f.engine.Trend(nil, name, serviceS(), 15*time.Minute).Samples {
			if !math.IsNaN(v) {
				known++
			}
		}
		return known
	}
	all := []string{"load", "twice", "worst", "queuedCalls", "serviceLevel", "missesLeft", "abandonRate"}
	for _, c := range []struct {
		o     Options
		loses []string
	}{
		{load("queuedCalls * 10", 0.8), nil},
		{load("queuedCalls", 0.8), []string{"load", "twice", "worst"}},
		{load("queuedCalls", 0.9), []string{"serviceLevel", "missesLeft"}},
	} {
		f.reconfigure(c.o)
		for _, name := range all {
			if got, lost := past(name), slices.Contains(c.loses, name); lost != (got == 0) {
				t.Errorf("%d samples of %s are left, lost is to be %v", got, name, lost)
			}
		}
		f.every(10*time.Second, 20*time.Minute)
	}
}

// ledger tracks acknowledgements of open alerts and the number of ended alerts from
// changes.
type ledger struct {
	*floor
	taken map[string]Ack // by ID
	ended map[string]int
}

// follow processes changes and compares the open alerts.
func (l *ledger) follow(changes []Change) {
	l.t.Helper()
	for _, c := range changes {
		switch c.Kind {
		case ChangeRaised, ChangeEscalated:
			delete(l.taken, c.Alert.ID)
		case ChangeCleared, ChangeVanished:
			if c.Alert.Ack != l.taken[c.Alert.ID] {
				l.t.Fatalf("it ended as that of %q, and was that of %q", c.Alert.Ack.By, l.taken[c.Alert.ID].By)
			}
			delete(l.taken, c.Alert.ID)
			l.ended[c.Alert.ID]++
		case ChangeEased, ChangeResumed:
		}
	}
	open := l.engine.Active()
	if len(open) > 1 {
		l.t.Fatalf("there are %d alerts about one thing", len(open))
	}
	for i := range open {
		if a := &open[i]; a.Ack != l.taken[a.ID] || l.ended[a.ID] > 0 {
			l.t.Fatalf("%s is that of %q, want %q; it ended %d times", a.ID, a.Ack.By, l.taken[a.ID].By, l.ended[a.ID])
		}
	}
	for id := range l.taken {
		if len(open) == 0 || open[0].ID != id {
			l.t.Fatalf("%s is lost", id)
		}
	}
}

// takeOver acknowledges the open alert, if there is one.
func (l *ledger) takeOver(by string) {
	l.t.Helper()
	for _, a := range l.engine.Active() {
		a, err := l.engine.Acknowledge(a.ID, by, "", l.now)
		if err != nil {
			l.t.Fatal(err)
		}
		l.taken[a.ID] = a.Ack
	}
}

// TestAcknowledgementSurvivesAdopt checks that acknowledgements survive any number of
// configuration changes until the alert ends or becomes critical, and that no alert is
// duplicated or lost.
func TestAcknowledgementSurvivesAdopt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := &ledger{newFloor(t, rules(waitRule())), make(map[string]Ack), make(map[string]int)}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				l.takeOver(rapid.SampledFrom([]string{"anna", "bob"}).Draw(t, "who"))
			case 1:
				now := waitRule()
				low := rapid.Float64Range(20, 60).Draw(t, "warning")
				now.Thresholds = thresholds(low, low+rapid.Float64Range(0, 40).Draw(t, "more"), low-rapid.Float64Range(0, 20).Draw(t, "less"))
				o := rules(now)
				if rapid.IntRange(0, 4).Draw(t, "gone") == 0 {
					o = rules()
				}
				l.follow(l.reconfigure(o))
			default:
				l.queue(1, rapid.Int64Range(10, 90).Draw(t, "wait"))
				l.follow(l.after(time.Duration(rapid.IntRange(1, 40).Draw(t, "seconds")) * time.Second))
			}
		}
		past := make(map[string]int)
		for _, a := range l.engine.History() {
			past[a.ID]++
		}
		if diff := cmp.Diff(l.ended, past); diff != "" {
			t.Fatalf("history differs from the ended alerts:\n%s", diff)
		}
		for id, n := range past {
			if n != 1 {
				t.Fatalf("%s ended %d times", id, n)
			}
		}
	})
}
