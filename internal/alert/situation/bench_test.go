package situation_test

import (
	"fmt"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
)

// trouble returns a floor of services that all have waiting callers and five agents
// each.
func trouble(tb testing.TB, services int) *stand {
	tb.Helper()
	e, err := alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
	if err != nil {
		tb.Fatal(err)
	}
	f := &stand{
		store: model.NewStore(), engine: e, now: noon, health: liveHealth(),
		watch: situation.New(situation.Options{}),
	}
	for i := range services {
		code := fmt.Sprintf("S%03d", i)
		for n := range 5 {
			state := model.Busy
			if n < 2 {
				state = model.Ready
			}
			name := fmt.Sprintf("%s-%d", code, n)
			f.agent(name, state, []string{code}, []string{"G" + code})
			// The records have no durations: otherwise alerts about agents would begin as time passes.
			f.store.UserStats.Put(&model.UserStat{
				Username: model.TextOf(name), AgentFigures: model.AgentFigures{Channel: model.Call, Status: state},
			})
		}
	}
	f.all(services, 0, 0)
	return f
}

// all changes every service.
func (f *stand) all(services int, waiting, came int64) {
	for i := range services {
		f.store.Services.Put(&model.Service{
			Code: model.TextOf(fmt.Sprintf("S%03d", i)), Channel: model.Call,
			ChannelStats: model.ServiceCalls{
				QueuedCalls: model.IntOf(waiting), MaxTimeCallOnQueue: model.IntOf(10 * waiting), ReceivedCalls: model.IntOf(came),
				AnsweredCalls: model.IntOf(came), HangupCalls: model.IntOf(0), AnsweredCallsUnderSpeedLimit: model.IntOf(came),
			},
			UserStats: model.ServiceUsers{LoggedUsers: heads(5), ReadyUsers: heads(max(0, 1-waiting))},
		})
	}
}

// BenchmarkTrouble updates 200 services in trouble: all rules, all causes and all
// suggestions. Either all services have changed, or only the time.
func BenchmarkTrouble(b *testing.B) {
	const services = 200
	f := trouble(b, services)
	for i := range int64(600) {
		f.all(services, 0, i/30)
		f.tick()
	}
	came := int64(1000)
	change := func() {
		came += 3
		f.all(services, 9, came)
	}
	for range 120 { // long enough for each situation to be visible and explained
		change()
		f.tick()
	}
	for _, c := range []struct {
		name   string
		change func()
		passes time.Duration
	}{{"all changed", change, time.Second}, {"a second later", func() {}, time.Second}, {"nothing changed", func() {}, 0}} {
		b.Run(c.name, func(b *testing.B) {
			spent := time.Duration(0)
			for b.Loop() {
				b.StopTimer()
				c.change()
				f.now = f.now.Add(c.passes)
				s := f.store.Publish(f.now, f.health)
				b.StartTimer()
				began := testkit.ProcessCPUTime(b)
				changes := f.engine.Evaluate(s, f.now)
				f.view = f.watch.Update(s, f.engine.Active(), changes, f.now)
				spent += testkit.ProcessCPUTime(b) - began
			}
			b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N), "cpu-ns/op")
		})
	}
	if n := len(f.view.Live); n < services {
		b.Fatalf("%d situations", n)
	}
}

func (f *stand) tick() {
	f.now = f.now.Add(time.Second)
	s := f.store.Publish(f.now, f.health)
	changes := f.engine.Evaluate(s, f.now)
	f.watch.Update(s, f.engine.Active(), changes, f.now)
}

// BenchmarkChanges compares two views with as many situations as a floor of 5,000
// agents in trouble has. One in a hundred has changed.
func BenchmarkChanges(b *testing.B) {
	views := [2]*situation.View{{}, {}}
	for i := range 5000 {
		for n, v := range views {
			s := situation.Situation{ID: fmt.Sprintf("USER:agent%04d@%d", i, 1_780_000_000_000+i), Level: alert.Warning, Since: noon}
			if i%100 == 0 {
				s.Level += alert.Level(n)
			}
			v.Live = append(v.Live, s)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if got := situation.Changes(views[0], views[1]); len(got) != 50 {
			b.Fatal(len(got))
		}
	}
}
