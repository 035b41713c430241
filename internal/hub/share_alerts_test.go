package hub

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"wallboard/internal/alert"
	"wallboard/model"
)

// busyFloor has two services with waiting callers, and agents of both on calls that are too
// long.
func busyFloor(f *feed, waiting int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, code := range []string{"S1", "S2"} {
		s := model.Service{Code: model.TextOf(code), Channel: model.Call}
		s.ChannelStats.QueuedCalls = model.IntOf(waiting)
		f.st.Services.Put(&s)
		who := "agent." + code
		f.st.Users.Put(&model.User{Username: model.TextOf(who), Surname: model.TextOf("Rossi" + code), Services: []string{code}})
		u := model.UserStat{Username: model.TextOf(who), Surname: model.TextOf("Rossi" + code)}
		u.Channel, u.NumberCallIn = model.Call, model.IntOf(waiting)
		f.st.UserStats.Put(&u)
	}
	f.s = f.st.Publish(noon, model.Health{Link: model.Link{State: model.LinkUp}})
	close(f.more)
	f.more = make(chan struct{})
}

// common returns a hub with rules about services, agents and the floor, and a clock.
func common(t *testing.T, f *feed) (h *Hub, now *time.Time, kept *[]alert.Alert, untaken *[]UnclaimedSituation) {
	t.Helper()
	untaken = new([]UnclaimedSituation)
	now, kept = new(time.Time), new([]alert.Alert)
	*now = noon
	rule := func(name string, s alert.Scope, when string) alert.Rule {
		level := map[alert.Scope]alert.Level{alert.Service: alert.Critical, alert.User: alert.Warning, alert.Floor: alert.Warning}[s]
		return alert.Rule{Name: name, Scope: s, When: when, Severity: level}
	}
	h, err := New(Options{
		Source: f, Salt: "s", Now: func() time.Time { return *now }, OnEnded: func(list []alert.Alert) { *kept = append(*kept, list...) },
		UnclaimedAfter: time.Minute, OnUnclaimed: func(u UnclaimedSituation) { *untaken = append(*untaken, u) },
		Engine: func(model.FloorPart) (*alert.Engine, error) {
			return alert.New(alert.Options{Goal: alert.DefaultGoal(), Rules: []alert.Rule{
				rule("queue", alert.Service, "queuedCalls > 5"), rule("calls", alert.User, "numberCallIn > 5"), rule("all", alert.Floor, "queuedCalls > 5"),
			}})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return h, now, kept, untaken
}

// of returns the viewer's alert of a rule about the record with a code.
func of(t *testing.T, v *Viewer, rule, code string) alert.Alert {
	t.Helper()
	all := v.Active()
	i := slices.IndexFunc(all, func(a alert.Alert) bool { return a.Rule == rule && a.Key.Code == code })
	if i < 0 {
		t.Fatalf("no alert %s of %q among %d", rule, code, len(all))
	}
	return all[i]
}

// knowing is a hub with three viewers of a busy floor who have different visibility.
type knowing struct {
	t                   *testing.T
	f                   *feed
	h                   *Hub
	now                 *time.Time
	kept                *[]alert.Alert
	untaken             *[]UnclaimedSituation
	full, hidden, sales *Viewer
}

func newKnowing(t *testing.T) *knowing {
	t.Helper()
	k := &knowing{t: t, f: newFeed()}
	k.h, k.now, k.kept, k.untaken = common(t, k.f)
	k.full, k.hidden = k.sight(Visibility{Names: model.NamesFull}), k.sight(Visibility{Names: model.NamesHidden})
	k.sales = k.sight(Visibility{Names: model.NamesFull, Part: model.FloorPart{Services: []string{"S1"}}})
	busyFloor(k.f, 9)
	k.look()
	return k
}

func (k *knowing) sight(s Visibility) *Viewer {
	k.t.Helper()
	v, err := k.h.NewViewer(s, 0, 0)
	if err != nil {
		k.t.Fatal(err)
	}
	return v
}

// look advances the time by two seconds, so that all views are updated.
func (k *knowing) look() {
	for range 2 {
		*k.now = k.now.Add(time.Second)
		k.h.evaluateAll()
	}
}

func (k *knowing) takes(v *Viewer, rule, code, who, note string) {
	k.t.Helper()
	if _, err := v.Acknowledge(of(k.t, v, rule, code).ID, who, note, *k.now); err != nil {
		k.t.Fatal(err)
	}
}

func (k *knowing) taken(v *Viewer, rule, code, by, note string) {
	k.t.Helper()
	if got := of(k.t, v, rule, code).Ack; got.By != by || got.Note != note {
		k.t.Errorf("%s of %q is taken by %q (%q), want %q (%q)", rule, code, got.By, got.Note, by, note)
	}
}

// agentOf returns the masked name of a service's agent.
func (k *knowing) agentOf(service string) string {
	return k.hidden.currentView().mask.Replacement("agent." + service)
}

// TestOneCommonKnowledge checks that viewers see the take-overs of others with different visibility, with
// masked texts.
func TestOneCommonKnowledge(t *testing.T) {
	t.Parallel()
	k := newKnowing(t)
	if n := len(k.sales.Active()); n != 3 {
		t.Errorf("a viewer of one service has %d alerts, want those of the service, its agent and the floor", n)
	}
	k.takes(k.sales, "queue", "S1", "anna", "I call agent.S1")
	k.taken(k.full, "queue", "S1", "anna", "I call agent.S1") // at once, before the next evaluation
	k.takes(k.hidden, "calls", k.agentOf("S1"), "hall", "")
	k.takes(k.sales, "all", "", "anna", "") // concerns only her part of the floor
	k.look()
	k.taken(k.hidden, "queue", "S1", "anna", "I call ….…")
	k.taken(k.full, "queue", "S2", "", "")
	k.taken(k.full, "calls", "agent.S1", "hall", "")
	k.taken(k.sales, "calls", "agent.S1", "hall", "")
	k.taken(k.full, "all", "", "", "")
	if kept := *k.kept; len(kept) != 2 || kept[0].Key.Code != "S1" || kept[1].Key.Code != "agent.S1" {
		t.Errorf("kept: %+v", kept)
	}
	late := k.sight(Visibility{Names: model.NamesInitials})
	k.look()
	k.taken(late, "queue", "S1", "anna", "I call ….…")

	busyFloor(k.f, 0)
	k.look()
	if n := len(k.full.Active()) + len(k.hidden.Active()) + len(k.sales.Active()); n != 0 || len(k.full.History()) != 5 {
		t.Errorf("%d are left, %d in the history", n, len(k.full.History()))
	}
}

// TestWhoTookOverIsNoName checks that the name of an agent who has taken over an alert is masked.
func TestWhoTookOverIsNoName(t *testing.T) {
	t.Parallel()
	k := newKnowing(t)
	k.takes(k.full, "queue", "S1", "agent.S1", "")
	k.look()
	k.taken(k.hidden, "queue", "S1", "….…", "")
}

// TestSnoozesAreCommon checks that viewers with different visibility see the snoozes of others.
func TestSnoozesAreCommon(t *testing.T) {
	t.Parallel()
	k := newKnowing(t)
	quiet := func(v *Viewer, rule, code string, want bool) {
		t.Helper()
		if got := !of(t, v, rule, code).SilentUntil.IsZero(); got != want {
			t.Errorf("%s of %q is quiet: %v", rule, code, got)
		}
	}
	agents := slices.DeleteFunc(k.hidden.Active(), func(a alert.Alert) bool { return a.Key.Scope != alert.User })
	k.hidden.Silencer().Snooze(alert.NewSnooze(agents, "agents", "hall", time.Hour, *k.now))
	k.full.Silencer().Snooze(alert.NewSnooze([]alert.Alert{of(t, k.full, "queue", "S2")}, "RossiS2", "ben", time.Hour, *k.now))
	k.sales.Silencer().Snooze(alert.NewSnooze(nil, "", "anna", time.Hour, *k.now)) // all alerts that she sees
	k.look()
	quiet(k.full, "calls", "agent.S1", true)
	quiet(k.full, "calls", "agent.S2", true)
	quiet(k.full, "queue", "S2", true)
	quiet(k.full, "queue", "S1", false)
	quiet(k.sales, "queue", "S1", true)
	quiet(k.hidden, "queue", "S2", true)
	for _, q := range k.hidden.Silencer().ActiveSilences() {
		if q.Title == "RossiS2" {
			t.Error("a name is in the title of a snooze")
		}
	}
	if n := len(k.sales.Silencer().ActiveSilences()); n != 2 {
		t.Errorf("a viewer of one service gets %d snoozes", n)
	}
	if n := k.full.Silencer().EndSnoozes(nil, k.now.Add(time.Second)); n != 2 {
		t.Errorf("%d snoozes ended", n)
	}
	k.look()
	quiet(k.hidden, "calls", k.agentOf("S1"), false)
}

// TestPartOfTheFloor checks that nothing that a viewer of one service gets is about other services.
func TestPartOfTheFloor(t *testing.T) {
	t.Parallel()
	f := newFeed()
	h, _, _, _ := common(t, f)
	v, err := h.NewViewer(Visibility{Names: model.NamesInitials, Part: model.FloorPart{Services: []string{"S2"}}}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	busyFloor(f, 9)
	s := v.Latest()
	if s.Services.Len() != 1 || s.Users.Len() != 1 || s.UserStats.Len() != 1 {
		t.Errorf("%d services, %d users", s.Services.Len(), s.Users.Len())
	}
	for u := range s.Users.All() {
		if text := fmt.Sprint(*u); text == "" || u.Surname.String() != "R." {
			t.Error(text)
		}
	}
}

// TestUntaken leaves critical situations unclaimed: each view that shows them reports this once, and
// again when they are claimed or have ended.
func TestUntaken(t *testing.T) {
	t.Parallel()
	k := newKnowing(t)
	told := func(want ...string) {
		t.Helper()
		var got []string
		for _, u := range *k.untaken {
			text := fmt.Sprint(u.Visibility.Names, " ", u.Visibility.Part.Services, " ", u.Situation.Place.Key.Code)
			if u.HasEnded {
				text += " over"
			}
			got = append(got, text)
		}
		*k.untaken = nil
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	k.takes(k.full, "queue", "S2", "ben", "")
	for range 28 {
		k.look()
	}
	told()
	k.look()
	k.look()
	told("full [S1] S1", "full [] S1", "hidden [] S1")
	k.look()
	told()
	k.takes(k.hidden, "queue", "S1", "hall", "")
	k.look()
	told("full [S1] S1 over", "full [] S1 over", "hidden [] S1 over")
	if err := k.h.Reconfigure(ConfigChange{Engine: k.h.options.Engine}); err != nil {
		t.Fatal(err)
	}
	k.look()
	told()
}

// TestEndedAlertHasPeak checks that an alert of a built-in rule about queues is kept and stored with the
// longest queue of its situation when it ends, if it was active at that time. Other alerts keep their
// texts.
func TestEndedAlertHasPeak(t *testing.T) {
	t.Parallel()
	k := newKnowing(t)
	err := k.h.Reconfigure(ConfigChange{Engine: func(model.FloorPart) (*alert.Engine, error) {
		rule := func(name, when string) alert.Rule {
			return alert.Rule{Name: name, Scope: alert.Service, When: when, Severity: alert.Critical, Message: "{title}: full: {queuedCalls}"}
		}
		return alert.New(alert.Options{Goal: alert.DefaultGoal(), Rules: []alert.Rule{
			rule("own", "queuedCalls > 5"), rule(alert.RuleStranded, "queuedCalls > 5"), rule(alert.RuleUnstaffed, "queuedCalls > 5 and queuedCalls < 10"),
		}})
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, waiting := range []int64{12, 8, 1} {
		busyFloor(k.f, waiting)
		k.look()
	}
	for rule, want := range map[string]string{alert.RuleStranded: "S1: peak 12 callers", "own": "S1: full: 8", alert.RuleUnstaffed: "S1: full: 8"} {
		i := slices.IndexFunc(*k.kept, func(a alert.Alert) bool { return a.Rule == rule && a.Key.Code == "S1" })
		if i < 0 || (*k.kept)[i].Text != want {
			t.Errorf("%s: want %q, stored: %+v", rule, want, *k.kept)
		}
		history := k.full.History()
		if i = slices.IndexFunc(history, func(a alert.Alert) bool { return a.Rule == rule && a.Key.Code == "S1" }); i < 0 || history[i].Text != want {
			t.Errorf("%s: want %q, in the history: %+v", rule, want, history)
		}
	}
}
