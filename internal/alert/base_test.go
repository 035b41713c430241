package alert

import (
	"time"

	"pgregory.net/rapid"

	"wallboard/model"
)

// noon returns a full minute, so that samples are due at known times.
func noon() time.Time { return time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC) }

// floor is a store that a test changes, with an engine.
type floor struct {
	t      rapid.TB
	store  *model.Store
	health model.Health
	engine *Engine
	now    time.Time
}

func newFloor(t rapid.TB, o Options) *floor {
	t.Helper()
	if !o.Goal.ServiceLevel.Known() {
		o.Goal = DefaultGoal()
	}
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &floor{
		t: t, store: model.NewStore(), engine: e, now: noon(),
		health: model.Health{Link: model.Link{State: model.LinkUp}},
	}
}

// service changes service S on the call channel.
func (f *floor) service(change func(*model.Service)) {
	r := model.Service{Code: model.TextOf("S"), Channel: model.Call}
	if old := f.store.Services.Get(r.Key()); old != nil {
		r = *old
	}
	change(&r)
	f.store.Services.Put(&r)
}

// queue makes n callers wait for service S, the longest for wait seconds.
func (f *floor) queue(n, wait int64) {
	f.service(func(r *model.Service) {
		r.ChannelStats.QueuedCalls, r.ChannelStats.MaxTimeCallOnQueue = model.IntOf(n), model.IntOf(wait)
	})
}

// agent changes a user on the call channel.
func (f *floor) agent(name string, change func(*model.UserStat)) {
	r := model.UserStat{Username: model.TextOf(name)}
	r.Channel = model.Call
	if old := f.store.UserStats.Get(r.Key()); old != nil {
		r = *old
	}
	change(&r)
	f.store.UserStats.Put(&r)
}

// after advances the time and evaluates.
func (f *floor) after(d time.Duration) []Change {
	f.now = f.now.Add(d)
	return f.engine.Evaluate(f.store.Publish(f.now, f.health), f.now)
}

// every evaluates at every step for the duration d.
func (f *floor) every(step, d time.Duration) (all []Change) {
	for range d / step {
		all = append(all, f.after(step)...)
	}
	return all
}

// kinds formats changes for comparison.
func kinds(cs []Change) string {
	s := ""
	for i, c := range cs {
		if i > 0 {
			s += ", "
		}
		s += c.Alert.Rule + " " + string(c.Kind) + " " + c.Alert.Level.String()
	}
	return s
}

func (f *floor) want(got []Change, want string) {
	f.t.Helper()
	if k := kinds(got); k != want {
		f.t.Fatalf("at %s changes are %q, want %q", f.now.Format("15:04:05"), k, want)
	}
}

func serviceS() Key { return Key{Scope: Service, Code: "S", Channel: model.Call} }
