package alert

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"wallboard/model"
)

// twentyRules returns typical custom rules about services.
func twentyRules() []Rule {
	rules := make([]Rule, 0, 20)
	for i := range 5 {
		rules = append(rules,
			Rule{Name: fmt.Sprint("wait", i), Scope: Service, KPI: "longestWait", Thresholds: thresholds(600, 900, 500)},
			Rule{
				Name: fmt.Sprint("nobody", i), Scope: Service, Severity: Warning, For: time.Minute,
				When: "queuedCalls > 5 and loggedUsers > 0 and readyUsers == 0",
			},
			Rule{
				Name: fmt.Sprint("level", i), Scope: Service, KPI: "serviceLevel", Base: "serviceLevelTarget",
				Direction: HigherIsBetter, Thresholds: thresholds(-0.5, -0.6, -0.4),
			},
			Rule{
				Name: fmt.Sprint("rush", i), Scope: Service, Severity: Critical,
				When: `rate(receivedCalls, "15m") > 1000 and avg(queuedCalls, "5m") > 10`,
			},
		)
	}
	return rules
}

func benchFloor(b *testing.B, services, agents int, o Options) *floor {
	f := newFloor(b, o)
	for i := range services {
		benchService(f, i, 0)
	}
	for i := range agents {
		f.agent(fmt.Sprintf("agent%05d", i), func(r *model.UserStat) {
			r.Status, r.TimeInState = model.Busy, model.InstantOf(f.now)
			r.NumberCallFromService, r.NumberCallFromServiceAnswered = model.IntOf(12), model.IntOf(11)
			r.TimeInStateBusyOnService, r.TimeInStateWNR = model.IntOf(3000), model.IntOf(300)
		})
	}
	f.every(10*time.Second, 20*time.Minute)
	return f
}

func benchService(f *floor, i int, round int64) {
	r := &model.Service{Code: model.TextOf(fmt.Sprintf("S%03d", i)), Channel: model.Call}
	c, u := &r.ChannelStats, &r.UserStats
	c.ReceivedCalls, c.AnsweredCalls = model.IntOf(500+round), model.IntOf(450)
	c.AnsweredCallsUnderSpeedLimit, c.HangupCalls, c.ShortCalls = model.IntOf(400), model.IntOf(20), model.IntOf(2)
	c.QueuedCalls, c.MaxTimeCallOnQueue, c.ConnectedCall = model.IntOf(3), model.IntOf(20), model.IntOf(9)
	c.AverageTimeOnQueue = model.FloatOf(12)
	u.LoggedUsers.Count, u.ReadyUsers.Count, u.NotReadyUsers.Count = model.IntOf(20), model.IntOf(4), model.IntOf(2)
	u.BusyOnServUsers.Count, u.PostCallUsers.Count = model.IntOf(12), model.IntOf(2)
	f.store.Services.Put(r)
}

// BenchmarkEvaluate evaluates 200 services with 20 rules each.
func BenchmarkEvaluate(b *testing.B) {
	run := func(name string, changed int, step time.Duration, agents int, o Options) {
		b.Run(name, func(b *testing.B) {
			f := benchFloor(b, 200, agents, o)
			b.ReportAllocs()
			for round := int64(0); b.Loop(); round++ {
				b.StopTimer()
				for i := range changed {
					benchService(f, i, round)
				}
				f.now = f.now.Add(step)
				s := f.store.Publish(f.now, f.health)
				b.StartTimer()
				f.engine.Evaluate(s, f.now)
			}
		})
	}
	run("changed=all", 200, 100*time.Millisecond, 0, Options{Rules: twentyRules()})
	run("changed=10%", 20, 100*time.Millisecond, 0, Options{Rules: twentyRules()})
	run("changed=all/samples", 200, 10*time.Second, 0, Options{Rules: twentyRules()})
	run("changed=all/agents=5000/built-in", 200, 100*time.Millisecond, 5000, Options{Rules: DefaultRules()})
	run("agents=5000/built-in/second", 0, time.Second, 5000, Options{Rules: DefaultRules()})
}

// BenchmarkNew creates an engine with the built-in rules, as when a configuration is
// read.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(Options{Rules: DefaultRules(), Goal: DefaultGoal()}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMemory reports the memory for the samples of a shift.
func BenchmarkMemory(b *testing.B) {
	ownKPIs := func(s Scope, n int, expr string) []KPI {
		var out []KPI
		for i := range n {
			out = append(out, KPI{Name: fmt.Sprint("own", i), Scope: s, Expr: fmt.Sprintf("%s + %d", expr, i)})
		}
		return out
	}
	run := func(name string, services, agents int, o Options) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				f := benchFloor(b, services, agents, o)
				runtime.GC()
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB")
				runtime.KeepAlive(f)
			}
		})
	}
	run("services=200/kpis=built-in", 200, 0, Options{})
	run("services=200/kpis=built-in+20", 200, 0, Options{KPIs: ownKPIs(Service, 20, "queuedCalls")})
	run("agents=5000/kpis=0", 0, 5000, Options{Rules: DefaultRules()})
	run("agents=5000/kpis=5", 0, 5000, Options{Rules: DefaultRules(), KPIs: ownKPIs(User, 5, "aht")})
}
