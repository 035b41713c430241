package diagnosis_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/model"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// floor is a store that a track observes.
type floor struct {
	store  *model.Store
	track  *diagnosis.History
	now    time.Time
	health model.Health
}

func newFloor() *floor {
	return &floor{
		store: model.NewStore(), track: diagnosis.NewHistory(), now: noon,
		health: model.Health{Link: model.Link{State: model.LinkUp}, Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive}}},
	}
}

func (f *floor) service(came, answered, ready int64) {
	f.store.Services.Put(&model.Service{
		Code: model.TextOf("S"), Channel: model.Call,
		ChannelStats: model.ServiceCalls{ReceivedCalls: model.IntOf(came), AnsweredCalls: model.IntOf(answered), HangupCalls: model.IntOf(0), QueuedCalls: model.IntOf(0)},
		UserStats:    model.ServiceUsers{ReadyUsers: model.ProfilesInStatus{Count: model.IntOf(ready)}},
	})
}

func (f *floor) agent(name string, state model.UserStatus) {
	f.store.Users.Put(&model.User{Username: model.TextOf(name), Services: []string{"S"}})
	f.store.UserStats.Put(&model.UserStat{
		Username:     model.TextOf(name),
		AgentFigures: model.AgentFigures{Channel: model.Call, Status: state, CurrentService: model.TextOf("S")},
	})
}

func (f *floor) look(after time.Duration) {
	f.now = f.now.Add(after)
	f.track.Update(f.store.Publish(f.now, f.health), f.now)
}

func (f *floor) looks(seconds int) {
	for range seconds {
		f.look(time.Second)
	}
}

func (f *floor) all() diagnosis.PeriodTotals {
	return f.track.PeriodTotals(s, f.now.Add(-2*time.Hour), f.now)
}

var s = model.ServiceKey{Code: "S", Channel: model.Call}

func TestMinutes(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.service(100, 90, 1)
	f.agent("a", model.Busy)
	f.agent("b", model.Ready)
	f.look(0)
	f.looks(60)
	f.service(106, 95, 1)
	f.agent("a", model.WNR)
	f.looks(60)
	f.agent("a", model.NotReady)
	f.look(time.Second)
	got := f.all()
	if got.Arrived != 6 || got.Answered != 5 || got.Talks != 1 || got.WrapUps != 1 {
		t.Errorf("6 came, 5 were answered, a talk and an after-call work ended: %+v", got)
	}
	if got.Seconds != 121 || math.Abs(got.TalkSeconds-61) > 1 || math.Abs(got.WrapUpSeconds-60) > 1 {
		t.Errorf("121 s, of these about 60 each: %+v", got)
	}
	if left := f.track.Departures(s, noon); len(left) != 1 || left[0].Username != "a" || !left[0].At.Equal(f.now) {
		t.Errorf("agents who left: %+v", left)
	}
}

// TestFallingCounters resets the daily counters, as at midnight, after a restart or an
// audit.
func TestFallingCounters(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.service(100, 100, 1)
	f.look(0)
	for _, n := range []int64{97, 0, 4} {
		f.service(n, n, 1)
		f.look(10 * time.Second)
	}
	if got := f.all(); got.Arrived != 4 || got.Answered != 4 {
		t.Errorf("4 came since the counters fell: %+v", got)
	}
}

// TestGapInventsNothing checks that a gap adds neither time nor contacts to any minute.
func TestGapInventsNothing(t *testing.T) {
	t.Parallel()
	for name, stale := range map[string]func(*floor){
		"stale": func(f *floor) {
			f.health.Subscriptions = []model.Subscription{{Name: model.OpServices, State: model.SubStale}}
			f.looks(20)
			f.health.Subscriptions[0].State = model.SubLive
		},
		"asleep":   func(f *floor) { f.now = f.now.Add(10 * time.Minute) },
		"restart":  func(f *floor) { f.health.Restarts++ },
		"set back": func(f *floor) { f.now = f.now.Add(-5 * time.Minute) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFloor()
			f.service(100, 90, 1)
			f.look(0)
			f.looks(10)
			stale(f)
			f.service(180, 170, 1)
			f.look(time.Second)
			f.looks(10)
			if got := f.all(); got.Arrived != 0 || got.Seconds > 21 {
				t.Errorf("the gap counts: %+v", got)
			}
			if p := f.track.NoneReadySince(s, noon); !p.IsZero() {
				t.Errorf("no agent ready since %v", p)
			}
		})
	}
}

// TestHiddenNames changes the names of agents between two snapshots.
func TestHiddenNames(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.service(1, 1, 1)
	f.agent("rossi", model.Ready)
	f.agent("verdi", model.Ready)
	f.look(0)
	f.store.UserStats.Delete(model.UserStatKey{Username: "verdi", Channel: model.Call})
	f.look(time.Second)
	if len(f.track.Departures(s, noon)) != 1 {
		t.Fatal("no agent has logged out")
	}
	f.store.UserStats.Replace(nil)
	f.store.Users.Replace(nil)
	f.agent("Agent 1", model.Ready)
	f.look(time.Second)
	if left := f.track.Departures(s, noon); len(left) != 0 || f.track.NamesVersion() != 1 {
		t.Errorf("%+v is listed although names are hidden now", left)
	}
}

func TestNothingChanged(t *testing.T) {
	f := newFloor()
	f.service(1, 1, 1)
	f.agent("a", model.Ready)
	p := f.store.Publish(noon, f.health)
	f.track.Update(p, noon)
	at := noon
	if n := testing.AllocsPerRun(100, func() {
		at = at.Add(time.Second)
		f.track.Update(p, at)
	}); n != 0 {
		t.Errorf("%v allocations for a picture that has not changed", n)
	}
}

// TestNamesakesLogOut checks that agents with the same name are told apart after they have logged
// out.
func TestNamesakesLogOut(t *testing.T) {
	t.Parallel()
	f := newFloor()
	f.service(1, 1, 1)
	for username, surname := range map[string]string{"aricci": "Ricci", "aricci2": "Ricci", "arossi": "Rossi"} {
		f.agent(username, model.Ready)
		named := *f.store.UserStats.Get(model.UserStatKey{Username: username, Channel: model.Call})
		named.Surname, named.Name = model.TextOf(surname), model.TextOf("Andrea")
		f.store.UserStats.Put(&named)
	}
	f.agent("verdi", model.Ready) // stays, so that not all usernames are new
	f.look(0)
	for _, username := range []string{"aricci", "aricci2", "arossi"} {
		f.store.UserStats.Delete(model.UserStatKey{Username: username, Channel: model.Call})
		f.look(time.Second)
	}
	var got []string
	for _, d := range f.track.Departures(s, noon) {
		got = append(got, d.Name)
	}
	slices.Sort(got)
	if want := []string{"Ricci Andrea (aricci)", "Ricci Andrea (aricci2)", "Rossi Andrea"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
