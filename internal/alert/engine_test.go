package alert

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"wallboard/model"
)

// waitRule warns from 30 s, is critical from 60 s and ends at 20 s.
func waitRule() Rule {
	return Rule{Name: "wait", Scope: Service, KPI: "longestWait", Thresholds: thresholds(30, 60, 20)}
}

func rules(rs ...Rule) Options { return Options{Rules: rs} }

func TestLevels(t *testing.T) {
	t.Parallel()
	f := newFloor(t, rules(waitRule()))
	for _, step := range []struct {
		wait int64
		want string
	}{
		{29, ""},
		{30, "wait raised warning"},
		{59, ""},
		{60, "wait escalated critical"},
		{51, ""},
		{50, "wait eased warning"},
		{21, ""},
		{20, "wait cleared warning"},
		{60, "wait raised critical"},
		{0, "wait cleared critical"},
	} {
		f.queue(1, step.wait)
		f.want(f.after(time.Second), step.want)
	}
	h := f.engine.History()
	if len(h) != 2 || h[0].HighestLevel != Critical || h[1].HighestLevel != Critical || h[0].Ended.Before(h[1].Ended) {
		t.Errorf("history is %+v", h)
	}
}

func TestConditionWithRecovery(t *testing.T) {
	t.Parallel()
	f := newFloor(t, rules(Rule{
		Name: "many", Scope: Service, When: "queuedCalls >= 5", Recover: "queuedCalls <= 2", Severity: Warning,
		For: 10 * time.Second, Message: "{title} {{{code}}}: {queuedCalls}", Bell: true, Notify: []string{"ops"},
	}))
	f.queue(5, 0)
	f.want(f.after(0), "")
	f.want(f.after(9*time.Second), "")
	f.want(f.after(time.Second), "many raised warning")
	f.queue(3, 0)
	f.want(f.after(time.Second), "")
	a := f.engine.Active()[0]
	if a.Text != "S {S}: 3" || !a.Bell || !slices.Equal(a.Notify, []string{"ops"}) || !a.Since.Equal(noon()) {
		t.Errorf("the alert is %+v", a)
	}
	f.queue(2, 0)
	f.want(f.after(time.Second), "many cleared warning")
}

// TestMarkGoes checks that the unverified mark is removed when data are live again,
// even if they are unchanged.
func TestMarkGoes(t *testing.T) {
	t.Parallel()
	f := newFloor(t, rules(waitRule()))
	f.queue(1, 40)
	f.after(time.Second)
	knew := f.now
	f.health.Link.State = model.LinkBackoff
	f.want(f.after(time.Second), "")
	f.want(f.after(time.Second), "")
	if a := f.engine.Active()[0]; !a.UnverifiedSince.Equal(knew) {
		t.Errorf("unverified since %v, want %v", a.UnverifiedSince, knew)
	}
	f.health.Link.State = model.LinkUp
	f.want(f.after(time.Second), "")
	if a := f.engine.Active()[0]; !a.UnverifiedSince.IsZero() {
		t.Errorf("unverified since %v, want verified", a.UnverifiedSince)
	}
}

func TestNAClears(t *testing.T) {
	t.Parallel()
	f := newFloor(t, rules(Rule{Name: "abandon", Scope: Service, KPI: "abandonRate", Thresholds: thresholds(.05, .1, .04)}))
	f.service(func(r *model.Service) {
		r.ChannelStats.ReceivedCalls, r.ChannelStats.HangupCalls = model.IntOf(100), model.IntOf(7)
	})
	f.want(f.after(time.Second), "abandon raised warning")
	f.service(func(r *model.Service) { // at midnight, the counters restart
		r.ChannelStats.ReceivedCalls, r.ChannelStats.HangupCalls = model.IntOf(0), model.IntOf(0)
	})
	f.want(f.after(time.Second), "abandon cleared warning")
}

func TestAcknowledgeErrors(t *testing.T) {
	t.Parallel()
	f := newFloor(t, rules(waitRule()))
	f.queue(1, 40)
	f.after(time.Second)
	if _, err := f.engine.Acknowledge("nothing", "anna", "", f.now); !errors.Is(err, ErrNotActive) {
		t.Errorf("error is %v, want ErrNotActive", err)
	}
	if _, err := f.engine.Acknowledge(f.engine.Active()[0].ID, "", "", f.now); !errors.Is(err, ErrNoName) {
		t.Errorf("error is %v, want ErrNobody", err)
	}
}

func TestVanished(t *testing.T) {
	t.Parallel()
	f := newFloor(t, rules(waitRule()))
	f.queue(1, 60)
	f.after(time.Second)
	f.store.Services.Delete(model.ServiceKey{Code: "S", Channel: model.Call})
	f.health.Link.State = model.LinkBackoff
	f.want(f.after(time.Second), "") // without a connection it is unknown whether the record exists
	f.health.Link.State = model.LinkUp
	f.want(f.after(time.Second), "wait vanished critical")
	if h := f.engine.History(); len(h) != 1 || !h[0].Vanished {
		t.Errorf("history is %+v", h)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	t.Parallel()
	o := rules(waitRule())
	o.MaxEnded = 3
	f := newFloor(t, o)
	for range 10 {
		f.queue(1, 60)
		f.after(time.Second)
		f.queue(0, 0)
		f.after(time.Second)
	}
	if h := f.engine.History(); len(h) != 3 || !h[0].Ended.Equal(f.now) {
		t.Errorf("history has %d alerts", len(h))
	}
}

// TestRulesByCode checks that a rule which lists the service takes precedence.
func TestRulesByCode(t *testing.T) {
	t.Parallel()
	vip := waitRule()
	vip.Codes, vip.Thresholds = []string{"VIP"}, thresholds(5, 10, 5)
	f := newFloor(t, rules(waitRule(), vip))
	for _, code := range []string{"S", "VIP"} {
		f.store.Services.Put(&model.Service{
			Code: model.TextOf(code), Channel: model.Call,
			ChannelStats: model.ServiceCalls{QueuedCalls: model.IntOf(1), MaxTimeCallOnQueue: model.IntOf(12)},
		})
	}
	f.want(f.after(time.Second), "wait raised critical")
	if a := f.engine.Active()[0]; a.Key.Code != "VIP" {
		t.Errorf("the alert is about %s", a.Key)
	}
}

// TestTimeAloneRaises checks that an unchanged record is judged when it is due.
func TestTimeAloneRaises(t *testing.T) {
	t.Parallel()
	f := newFloor(t, rules(
		Rule{Name: "many", Scope: Service, When: "queuedCalls > 1", Severity: Warning, For: 1500 * time.Millisecond},
		Rule{Name: "wrap-up", Scope: User, KPI: `status == "WNR" ? timeInState : 0`, Thresholds: thresholds(120, 300, 120)},
	))
	f.queue(2, 0)
	f.agent("anna", func(r *model.UserStat) { r.Status, r.TimeInState = model.WNR, model.InstantOf(f.now) })
	s := f.store.Publish(f.now, f.health)
	for _, step := range []struct {
		at   time.Duration
		want string
	}{
		{0, ""},
		{1400 * time.Millisecond, ""},
		{1500 * time.Millisecond, "many raised warning"},
		{25 * time.Second, ""},
		{50 * time.Second, ""},
		{119 * time.Second, ""},
		{120 * time.Second, "wrap-up raised warning"},
		{299 * time.Second, ""},
		{300 * time.Second, "wrap-up escalated critical"},
	} {
		f.now = noon().Add(step.at)
		f.want(f.engine.Evaluate(s, f.now), step.want)
	}
	if a := f.engine.AlertsOf(Key{Scope: User, Code: "anna", Channel: model.Call}); len(a) != 1 || a[0].Text != "anna: wrap-up 5:00" {
		t.Errorf("alerts are %+v", a)
	}
}

func TestManyAlertsAreInOrder(t *testing.T) {
	t.Parallel()
	f := newFloor(t, rules(waitRule()))
	for i := range 20 {
		f.store.Services.Put(&model.Service{
			Code: model.TextOf(fmt.Sprintf("S%02d", i)), Channel: model.Call,
			ChannelStats: model.ServiceCalls{QueuedCalls: model.IntOf(1), MaxTimeCallOnQueue: model.IntOf(int64(31 + i%2*60))},
		})
	}
	got := f.after(time.Second)
	inOrder := slices.IsSortedFunc(got, func(a, b Change) int { return int(b.Alert.Level) - int(a.Alert.Level) })
	if len(got) != 20 || !inOrder {
		t.Errorf("changes are %s", kinds(got))
	}
}
