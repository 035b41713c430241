package hub

import (
	"context"
	"iter"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/alert"
	"wallboard/model"
)

// remembered is a hub whose floor began a moment ago, and was recorded before: somebody
// has waited for most of the last hour. More is what a test changes.
func remembered(t *testing.T, more func(*Options)) (*Hub, *feed) {
	t.Helper()
	f := newFeed()
	picture := func(st *model.Store, at time.Time, waiting int64) *model.Snapshot {
		for _, code := range []string{"S1", "S2"} {
			s := model.Service{Code: model.TextOf(code), Channel: model.Call}
			s.ChannelStats.QueuedCalls = model.IntOf(waiting)
			st.Services.Put(&s)
		}
		u := model.UserStat{Username: model.TextOf("anna")}
		u.Channel, u.NumberCallIn, u.Status = model.Call, model.IntOf(9), model.Ready
		st.UserStats.Put(&u)
		health := model.Health{Link: model.Link{State: model.LinkUp, Since: at.Add(-time.Hour)}}
		for _, name := range []model.Op{model.OpServices, model.OpUserStats} {
			health.Subscriptions = append(health.Subscriptions, model.Subscription{Name: name, State: model.SubLive, Since: at.Add(-time.Hour), VerifiedAt: at, LastData: at, Records: 2})
		}
		return st.Publish(at, health)
	}
	began := time.Now()
	f.s = picture(f.st, began, 9)
	o := Options{
		Source: f, Salt: "s",
		Engine: func(model.Part) (*alert.Engine, error) {
			return alert.New(alert.Options{Goal: alert.DefaultGoal(), KPIs: []alert.KPI{{Name: "calls", Scope: alert.User, Expr: "numberCallIn"}}, Rules: []alert.Rule{
				{Name: "queue", Scope: alert.Service, When: "queuedCalls > 5", Severity: alert.Critical},
			}})
		},
		Before: Before{Pictures: func(_ context.Context, from, to time.Time, step time.Duration) iter.Seq[*model.Snapshot] {
			return func(yield func(*model.Snapshot) bool) {
				st := model.NewStore()
				for at := from; at.Before(to); at = at.Add(step) {
					waiting := int64(0)
					if began.Sub(at) < 50*time.Minute {
						waiting = 9
					}
					if !yield(picture(st, at, waiting)) {
						return
					}
				}
			}
		}},
	}
	more(&o)
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return h, f
}

// samples is how many there are of a figure over a span.
func samples(v *Viewer, figure string, k alert.Key, span time.Duration) (n int) {
	for _, x := range v.Trend(nil, figure, k, span).Samples {
		if !math.IsNaN(x) {
			n++
		}
	}
	return n
}

// TestHubKnowsTheHoursBefore has charts not begin at nothing, and what has been so from the
// start be so since then, for everybody who looks.
func TestHubKnowsTheHoursBefore(t *testing.T) {
	t.Parallel()
	for name, nameless := range map[string]bool{"full": false, "nameless": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h, _ := remembered(t, func(o *Options) { o.Before.Nameless = nameless })
				ctx, cancel := context.WithCancel(t.Context())
				all := viewer(t, h, model.NamesFull)
				part, err := h.Viewer(Sight{Names: model.NamesHidden, Part: model.Part{Services: []string{"S2"}}}, 0, 0)
				if err != nil {
					t.Fatal(err)
				}
				ended := make(chan struct{})
				go func() { defer close(ended); h.Run(ctx) }()
				<-time.After(5 * time.Second)
				synctest.Wait()
				for who, v := range map[string]*Viewer{"all": all, "part": part} {
					k := alert.Key{Scope: alert.Service, Code: "S2", Channel: model.Call}
					if hour, shift := samples(v, "queuedCalls", k, time.Hour), samples(v, "queuedCalls", k, 8*time.Hour); hour < 355 || shift < 475 {
						t.Errorf("%s: %d samples of an hour, %d of eight", who, hour, shift)
					}
					for _, a := range v.Of(k) {
						if a.FromStart || time.Since(a.Since) < 49*time.Minute {
							t.Errorf("%s: %s since %v, from the start %v", who, a.ID, time.Since(a.Since), a.FromStart)
						}
					}
					if len(v.Of(k)) != 1 || len(v.History()) > 0 {
						t.Errorf("%s: %d alerts, %d over", who, len(v.Of(k)), len(v.History()))
					}
				}
				if n := samples(part, "queuedCalls", alert.Key{Scope: alert.Service, Code: "S1", Channel: model.Call}, time.Hour); n > 0 {
					t.Errorf("%d samples of what is not theirs to see", n)
				}
				known := samples(all, "calls", alert.Key{Scope: alert.User, Code: "anna", Channel: model.Call}, time.Hour) > 30
				if known == nameless {
					t.Errorf("of an agent who may be called otherwise is known: %v", known)
				}
				states := all.Situations().Hour(model.UserStatKey{Username: "anna", Channel: model.Call}, time.Now()).States
				if seen := states[1] == model.Ready; seen == nameless {
					t.Errorf("the hour of an agent who may be called otherwise begins with %q", states[1])
				}
				cancel()
				<-ended
			})
		})
	}
}

// TestHubForgetsTheHoursBefore turns the source to another platform while what was is
// read: nothing of it is known there.
func TestHubForgetsTheHoursBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		read := make(chan struct{})
		var h *Hub
		asked := 0
		h, _ = remembered(t, func(o *Options) {
			pictures := o.Before.Pictures
			o.Before.Pictures = func(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq[*model.Snapshot] {
				asked++
				<-read
				return pictures(ctx, from, to, step)
			}
		})
		v := viewer(t, h, model.NamesFull)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); h.Run(ctx) }()
		<-time.After(3 * time.Second)
		if len(v.Active()) == 0 {
			t.Error("nothing is wrong here")
		}
		if err := h.Follow(Change{Engine: h.o.Engine, Elsewhere: true}); err != nil {
			t.Fatal(err)
		}
		if n := len(v.Active()); n > 0 {
			t.Errorf("%d alerts of the platform before", n)
		}
		close(read)
		<-time.After(3 * time.Second)
		synctest.Wait()
		k := alert.Key{Scope: alert.Service, Code: "S1", Channel: model.Call}
		if n := samples(v, "queuedCalls", k, time.Hour); n > 3 || asked != 1 {
			t.Errorf("%d samples; asked %d times", n, asked)
		}
		if len(v.Of(k)) != 1 {
			t.Errorf("what is wrong there: %+v", v.Of(k))
		}
		cancel()
		<-ended
	})
}
