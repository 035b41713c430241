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

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// stand is a floor with an engine and a watch.
type stand struct {
	t      *testing.T
	store  *model.Store
	engine *alert.Engine
	watch  *situation.Tracker
	now    time.Time
	health model.Health
	view   *situation.View

	lastSnapshot *model.Snapshot
}

func newStand(t *testing.T, rules ...alert.Rule) *stand {
	t.Helper()
	e, err := alert.New(alert.Options{Rules: alert.MergeRules(alert.DefaultRules(), rules), Goal: alert.DefaultGoal()})
	if err != nil {
		t.Fatal(err)
	}
	return &stand{
		t: t, store: model.NewStore(), engine: e, now: noon, health: liveHealth(),
		watch: situation.New(situation.Options{Goal: func(string) alert.Goal { return alert.DefaultGoal() }}),
	}
}

func liveHealth() model.Health {
	h := model.Health{Link: model.Link{State: model.LinkUp}}
	for _, op := range []model.Op{model.OpServices, model.OpGroups, model.OpUsers, model.OpUserStats, model.OpCampaigns} {
		h.Subscriptions = append(h.Subscriptions, model.Subscription{Name: op, State: model.SubLive})
	}
	return h
}

// look advances the time and updates the view.
func (f *stand) look(after time.Duration) *situation.View {
	f.t.Helper()
	f.now = f.now.Add(after)
	s := f.store.Publish(f.now, f.health)
	f.lastSnapshot = s
	changes := f.engine.Evaluate(s, f.now)
	f.view = f.watch.Update(s, f.engine.Active(), changes, f.now)
	return f.view
}

func heads(n int64) model.ProfilesInStatus { return model.ProfilesInStatus{Count: model.IntOf(n)} }

// service adds a service with a queue.
func (f *stand) service(code string, waiting, longest, logged, ready int64) {
	f.store.Services.Put(&model.Service{
		Code: model.TextOf(code), Channel: model.Call,
		ChannelStats: model.ServiceCalls{
			QueuedCalls: model.IntOf(waiting), MaxTimeCallOnQueue: model.IntOf(longest),
			ReceivedCalls: model.IntOf(100), AnsweredCalls: model.IntOf(90), HangupCalls: model.IntOf(2),
			AnsweredCallsUnderSpeedLimit: model.IntOf(88),
		},
		UserStats: model.ServiceUsers{LoggedUsers: heads(logged), ReadyUsers: heads(ready)},
	})
}

func (f *stand) group(code string, waiting, logged, ready int64) {
	f.store.Groups.Put(&model.Group{
		Code: model.TextOf(code), Channel: model.Call,
		ChannelStats: model.GroupCalls{QueuedCalls: model.IntOf(waiting)},
		UserStats:    model.GroupUsers{LoggedUsers: heads(logged), ReadyUsers: heads(ready)},
	})
}

func (f *stand) agent(name string, state model.UserStatus, services, groups []string) {
	f.store.Users.Put(&model.User{Username: model.TextOf(name), Services: services, Skillsets: groups})
	f.store.UserStats.Put(&model.UserStat{
		Username:     model.TextOf(name),
		AgentFigures: model.AgentFigures{Channel: model.Call, Status: state, TimeInState: model.InstantOf(f.now)},
	})
}

func TestOnePlaceIsOneSituation(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.agent("a", model.Busy, []string{"S"}, []string{"G"})
	f.service("S", 0, 0, 1, 1)
	f.group("G", 0, 1, 1)
	if v := f.look(0); len(v.Live) != 0 || !strings.HasPrefix(v.QuietLine, "Service on target · no one waiting") {
		t.Fatalf("unexpected view of a quiet floor: %+v", v)
	}
	f.service("S", 10, 70, 1, 0)
	f.group("G", 10, 1, 0)
	f.look(time.Second)
	f.look(29 * time.Second)
	v := f.look(29 * time.Second)
	if len(v.Live) != 1 {
		t.Fatalf("%d situations of one place: %+v", len(v.Live), v.Live)
	}
	sit := v.Live[0]
	if want := "10 callers waiting, longest 1:10. No one available for 0:58."; sit.Headline != want {
		t.Errorf("headline %q, want %q", sit.Headline, want)
	}
	if sit.Level != alert.Critical || sit.Affected != 10 || len(sit.Alerts) < 3 {
		t.Errorf("level %v, %d people, %d alerts", sit.Level, sit.Affected, len(sit.Alerts))
	}
	f.service("S", 0, 0, 1, 1)
	f.group("G", 0, 1, 1)
	v = f.look(time.Second)
	if len(v.Live) != 0 || len(v.Recovered) != 1 {
		t.Fatalf("it is over: %+v", v)
	}
	f.service("S", 10, 70, 1, 0)
	if v = f.look(2 * time.Minute); len(v.Live) != 1 || v.Live[0].OccurrencesToday != 2 || v.Live[0].ID == sit.ID {
		t.Errorf("again: %+v", v.Live)
	}
	f.service("S", 0, 0, 1, 1)
	f.look(time.Second)
	if v = f.look(5*time.Minute + time.Second); len(v.Recovered) != 0 {
		t.Errorf("still listed after five minutes: %+v", v.Recovered)
	}
}

func TestSameViewAgain(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.service("S", 0, 0, 1, 1)
	v := f.look(0)
	if f.look(10*time.Second) != v {
		t.Error("another view of a floor that has not changed")
	}
}

// TestOtherSnapshotOfTheSameSecond checks that the headline is about the last snapshot, even if it comes
// in the same second as the one before, as in a recording that is paused between two snapshots.
func TestOtherSnapshotOfTheSameSecond(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.service("S", 4, 45, 1, 0)
	f.look(0)
	f.look(time.Minute)
	f.service("S", 3, 33, 1, 0)
	v := f.look(400 * time.Millisecond)
	if len(v.Live) != 1 || !strings.HasPrefix(v.Live[0].Headline, "3 callers waiting, longest 0:33") {
		t.Errorf("the snapshot has 3 callers: %+v", v.Live)
	}
	if f.watch.Update(f.lastSnapshot, f.engine.Active(), nil, f.now) != v {
		t.Error("another view of the same snapshot in the same second")
	}
}

// TestEverybodyLogsOut checks a group whose agents are no longer reported: its alerts
// belong to the service that they served.
func TestEverybodyLogsOut(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	f.passes(2) // nothing is visible at first
	f.agent("a", model.Busy, []string{"S"}, []string{"G"})
	f.service("S", 0, 0, 1, 1)
	f.group("G", 0, 1, 1)
	f.passes(1)
	f.store.Users.Delete("a")
	f.store.UserStats.Delete(model.UserStatKey{Username: "a", Channel: model.Call})
	f.service("S", 3, 40, 0, 0)
	f.group("G", 3, 0, 0)
	f.passes(2)
	if len(f.view.Live) != 1 || f.view.Live[0].Place.Key.Scope != alert.Service {
		t.Errorf("%+v", f.view.Live)
	}
}

// TestNamesakesInHelp checks that two helpers with the same name can be distinguished.
func TestNamesakesInHelp(t *testing.T) {
	t.Parallel()
	f := newStand(t)
	for _, name := range []string{"rossi1", "rossi2", "bianchi"} {
		f.agent(name, model.NotReady, []string{"S"}, nil)
		u := *f.store.Users.Get(name)
		u.Surname, u.Name = model.TextOf("Rossi"), model.TextOf("Anna")
		if name == "bianchi" {
			u.Surname = model.TextOf("Bianchi")
		}
		f.store.Users.Put(&u)
	}
	f.passes(660)
	f.service("S", 4, 70, 3, 0)
	f.passes(1)
	var names []string
	for _, h := range f.view.Live[0].Help.Helpers {
		names = append(names, h.Name)
	}
	slices.Sort(names)
	if want := []string{"Bianchi Anna", "Rossi Anna (rossi1)", "Rossi Anna (rossi2)"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}
