package situation_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// counters adds a service on a channel with its counters of the day.
func (f *stand) counters(code string, ch model.Channel, waiting, longest, answered, inTime, gaveUp int64) {
	f.store.Services.Put(&model.Service{
		Code: model.TextOf(code), Channel: ch,
		ChannelStats: model.ServiceCalls{
			QueuedCalls: model.IntOf(waiting), MaxTimeCallOnQueue: model.IntOf(longest),
			ReceivedCalls: model.IntOf(answered + gaveUp), AnsweredCalls: model.IntOf(answered), HangupCalls: model.IntOf(gaveUp),
			AnsweredCallsUnderSpeedLimit: model.IntOf(inTime),
		},
		UserStats: model.ServiceUsers{LoggedUsers: heads(3), ReadyUsers: heads(2)},
	})
}

// TestQuietSaysNoMoreThanIsKnown checks the quiet line: it counts services, not
// channels, and reports all on target only if all are.
func TestQuietSaysNoMoreThanIsKnown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		put  func(*stand)
		want string
	}{
		"in target": {func(f *stand) {
			f.counters("A", model.Call, 1, 9, 100, 99, 1)
			f.counters("A", model.Chat, 0, 0, 50, 50, 0)
			f.counters("B", model.Call, 0, 0, 0, 0, 0)
		}, "All 2 services on target · longest wait 0:09"},
		"one of few calls is not": {func(f *stand) {
			f.counters("A", model.Call, 0, 0, 100, 99, 1)
			f.counters("B", model.Call, 0, 0, 3, 1, 0)
		}, "Nothing needs action now · no one waiting"},
		"two of the day, one on two channels": {func(f *stand) {
			f.counters("A", model.Call, 1, 9, 100, 40, 1)
			f.counters("A", model.Chat, 0, 0, 100, 40, 1)
			f.counters("B", model.Call, 0, 0, 100, 40, 1)
			f.counters("C", model.Call, 0, 0, 100, 99, 1)
		}, "Nothing needs action now · longest wait 0:09 · today: 2 services missing target"},
		"one that many gave up": {func(f *stand) {
			f.counters("A", model.Call, 0, 0, 100, 40, 60)
			f.counters("C", model.Call, 0, 0, 100, 99, 1)
		}, "Nothing needs action now · no one waiting · today: A missing target"},
		"one that has no miss left": {func(f *stand) {
			f.counters("A", model.Call, 0, 0, 100, 80, 0)
			f.counters("B", model.Call, 0, 0, 100, 99, 1)
		}, "Nothing needs action now · no one waiting · today: A at risk of missing the target"},
		"one off target and one that has no miss left": {func(f *stand) {
			f.counters("A", model.Call, 0, 0, 100, 80, 0)
			f.counters("B", model.Call, 0, 0, 100, 40, 1)
		}, "Nothing needs action now · no one waiting · today: B missing target"},
		"nothing has come yet": {func(f *stand) { f.counters("A", model.Call, 0, 0, 0, 0, 0) }, "Nothing needs action now · no one waiting"},
		"mail alone":           {func(f *stand) { f.counters("A", model.MailACD, 7, 9000, 100, 100, 0) }, "Service on target"},
		"unknown of one": {func(f *stand) {
			f.counters("A", model.Call, 1, 9, 100, 99, 1)
			f.store.Services.Put(&model.Service{Code: model.TextOf("B"), Channel: model.Call})
		}, "Nothing needs action now · longest wait 0:09 · queue unknown for 1 service"},
		"unknown of all": {func(f *stand) {
			f.store.Services.Put(&model.Service{Code: model.TextOf("B"), Channel: model.Call})
		}, "No alerts, but the queues are unknown"},
		"an estimate of 0": {func(f *stand) {
			f.counters("A", model.Call, 0, 0, 100, 99, 1)
			f.store.Services.Put(&model.Service{Code: model.TextOf("B"), Channel: model.Call, ChannelStats: model.ServiceCalls{
				QueuedCalls: model.IntOf(2), Wait: model.Wait{Meaning: model.WaitDaily, For: model.IntOf(0)},
			}})
		}, "Nothing needs action now · longest wait about 0:00"},
		"no length": {func(f *stand) {
			f.counters("A", model.Call, 1, 9, 100, 99, 1)
			f.store.Services.Put(&model.Service{Code: model.TextOf("A"), Channel: model.Call, ChannelStats: model.ServiceCalls{QueuedCalls: model.IntOf(2)}})
		}, "Nothing needs action now · longest wait unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newStand(t)
			c.put(f)
			v := f.look(0)
			if v.QuietLine != c.want {
				t.Errorf("got %q, want %q", v.QuietLine, c.want)
			}
			unknown := strings.HasPrefix(c.want, "Nothing is known") || strings.HasPrefix(c.want, "No alerts, but") || strings.HasPrefix(c.want, "This login")
			if v.FiguresUnknown != unknown {
				t.Errorf("%q: not known: %v", v.QuietLine, v.FiguresUnknown)
			}
		})
	}
}

// TestQuietWithoutTargets checks that without known targets no service counts as on
// target.
func TestQuietWithoutTargets(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.watch = situation.New(situation.Options{})
	f.counters("A", model.Call, 0, 0, 100, 99, 1)
	if got := f.look(0).QuietLine; strings.Contains(got, "on target") {
		t.Errorf("got %q", got)
	}
}

// TestTodayPlaces checks that the places are as many as the summary counts.
func TestTodayPlaces(t *testing.T) {
	t.Parallel()
	at := func(code, title string, ch model.Channel, atRisk bool) situation.Situation {
		return situation.Situation{Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: code, Channel: ch}, Title: title}, AtRisk: atRisk}
	}
	v := &situation.View{Today: []situation.Situation{
		at("1", "Sales", model.Call, false), at("1", "Sales · chat", model.Chat, false), at("2", "Billing", model.Call, true), at("3", "Orders", model.Call, false),
	}}
	if titles, atRisk := v.TodayPlaces(); atRisk || !slices.Equal(titles, []string{"Sales", "Orders"}) || v.TodaySummary() != "2 services missing target" {
		t.Errorf("%q, at risk %v: %q", titles, atRisk, v.TodaySummary())
	}
	v.Today = v.Today[2:3]
	if titles, atRisk := v.TodayPlaces(); !atRisk || !slices.Equal(titles, []string{"Billing"}) || v.TodaySummary() != "Billing at risk of missing the target" {
		t.Errorf("%q, at risk %v: %q", titles, atRisk, v.TodaySummary())
	}
}

// TestFloorFarBelowTargetIsASituation checks that a floor far below its target needs action, and
// that the cause names the services with the most missed calls.
func TestFloorFarBelowTargetIsASituation(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.agent("anna", model.Ready, []string{"A"}, nil)
	f.counters("A", model.Call, 0, 0, 100, 60, 0)
	f.counters("B", model.Call, 0, 0, 100, 30, 5)
	f.counters("C", model.Call, 0, 0, 20, 20, 0)
	f.counters("D", model.Chat, 0, 0, 100, 0, 0)
	f.look(0)
	f.passes(60)
	v := f.look(time.Second)
	if len(v.Live) != 1 || v.Live[0].Place.Key.Scope != alert.Floor || v.Live[0].Headline != "Service level 48.9 %, target 80.0 %." {
		t.Fatalf("%+v", v.Live)
	}
	if why := v.Live[0].CauseLines(); len(why) != 1 || why[0] != "Most late or lost calls today: B 75 of 105, A 40 of 100." {
		t.Errorf("the cause is %q", why)
	}
}

// TestGroupNamesItsQueues checks that a group's explanation names its services with a queue.
func TestGroupNamesItsQueues(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.agent("anna", model.Busy, []string{"A", "B", "C"}, []string{"G"})
	f.counters("A", model.Call, 1, 5, 100, 99, 0)
	f.counters("B", model.Call, 2, 5, 100, 99, 0)
	f.counters("C", model.Call, 0, 0, 100, 99, 0)
	f.group("G", 3, 0, 0)
	v := f.look(0)
	if len(v.Live) != 1 || v.Live[0].Place.Key.Scope != alert.Group {
		t.Fatalf("%+v", v.Live)
	}
	if why := v.Live[0].CauseLines(); len(why) != 1 || why[0] != "Causes are known per service: B (2 waiting), A (1 waiting)." {
		t.Errorf("the cause is %q", why)
	}
}

// TestNoCalmWithoutAReadyAgent checks what the quiet line says while contacts wait in services
// without a ready agent, although no rule has raised an alert.
func TestNoCalmWithoutAReadyAgent(t *testing.T) {
	t.Parallel()
	mail := func(f *stand) {
		f.counters("M", model.MailACD, 40, 9000, 100, 99, 0)
		r := *f.store.Services.Get(model.ServiceKey{Code: "M", Channel: model.MailACD})
		r.UserStats.ReadyUsers = heads(0)
		f.store.Services.Put(&r)
	}
	for name, c := range map[string]struct {
		put  func(*stand)
		want string
		calm bool
	}{
		"a surge":                {func(f *stand) { f.service("A", 12, 9, 14, 0) }, "A: 12 waiting, no one available · longest wait 0:09", false},
		"one caller, two agents": {func(f *stand) { f.service("A", 1, 9, 2, 0) }, "A: 1 waiting, no one available · longest wait 0:09", false},
		"two services": {func(f *stand) {
			f.service("A", 2, 9, 14, 0)
			f.service("B", 3, 8, 14, 0)
		}, "5 waiting across 2 services, no one available · longest wait 0:09", false},
		"an agent is ready": {func(f *stand) { f.service("A", 12, 9, 14, 1) }, "Service on target · longest wait 0:09", true},
		"no one waiting":    {func(f *stand) { f.service("A", 0, 0, 14, 0) }, "Service on target · no one waiting", true},
		"mail waits":        {mail, "Service on target", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newStand(t)
			c.put(f)
			if v := f.look(0); len(v.Unattended) > 0 {
				t.Errorf("at once: %+v", v.Unattended)
			}
			for range 5 { // the floor does not change
				f.now = f.now.Add(time.Second)
				f.view = f.watch.Update(f.lastSnapshot, f.engine.Active(), f.engine.Evaluate(f.lastSnapshot, f.now), f.now)
			}
			v := f.view
			if len(v.Live) > 0 || v.QuietLine != c.want || v.IsCalm() != c.calm {
				t.Errorf("calm %v, %q, %d situations; want %v, %q", v.IsCalm(), v.QuietLine, len(v.Live), c.calm, c.want)
			}
			text, _, _ := strings.Cut(c.want, " · ")
			if c.calm {
				text = "Nothing needs action"
			}
			if got := v.QuietStatement("Nothing needs action"); got != text {
				t.Errorf("it says %q, want %q", got, text)
			}
			if c.put(f); !c.calm {
				f.service("A", 0, 0, 14, 1)
				f.service("B", 0, 0, 14, 1)
				if v := f.look(time.Second); len(v.Unattended) > 0 {
					t.Errorf("still %+v", v.Unattended)
				}
			}
		})
	}
}
