package hub

import (
	"context"
	"iter"
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/forecast"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// pictureOf returns a snapshot with a number of waiting callers for each service.
func pictureOf(st *model.Store, at time.Time, waiting int64) *model.Snapshot {
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

// TestWatchedSinceWithoutRecording checks that a viewer who joins later gets the time since which the hub
// has observed the situations.
func TestWatchedSinceWithoutRecording(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		h, _ := remembered(t, func(o *Options) { o.Recorded.Snapshots = nil })
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		viewer(t, h, model.NamesFull)
		go func() { defer close(ended); h.Run(ctx) }()
		<-time.After(5 * time.Minute)
		if since := viewer(t, h, model.NamesFull).TrackedSince(); since.Before(began) || since.After(began.Add(2*time.Second)) {
			t.Errorf("watched since %v, want %v", since, began)
		}
		cancel()
		<-ended
	})
}

// remembered returns a hub that has just started, with a recording in which callers waited for most of
// the last hour. more, if not nil, changes the options.
func remembered(t *testing.T, more func(*Options)) (*Hub, *feed) {
	t.Helper()
	f := newFeed()
	began := time.Now()
	f.s = pictureOf(f.st, began, 9)
	o := Options{
		Source: f, Salt: "s",
		Engine: func(model.FloorPart) (*alert.Engine, error) {
			return alert.New(alert.Options{Goal: alert.DefaultGoal(), KPIs: []alert.KPI{{Name: "calls", Scope: alert.User, Expr: "numberCallIn"}}, Rules: []alert.Rule{
				{Name: "queue", Scope: alert.Service, When: "queuedCalls > 5", Severity: alert.Critical},
			}})
		},
		Recorded: RecordedData{Snapshots: func(_ context.Context, from, to time.Time, step time.Duration) iter.Seq[*model.Snapshot] {
			return func(yield func(*model.Snapshot) bool) {
				st := model.NewStore()
				for at := from; at.Before(to); at = at.Add(step) {
					waiting := int64(0)
					if began.Sub(at) < 50*time.Minute {
						waiting = 9
					}
					if !yield(pictureOf(st, at, waiting)) {
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

// samples returns the number of samples of a figure over a span.
func samples(v *Viewer, figure string, k alert.Key, span time.Duration) (n int) {
	for _, x := range v.Trend(nil, figure, k, span).Samples {
		if !math.IsNaN(x) {
			n++
		}
	}
	return n
}

// TestHubKnowsTheHoursBefore checks that charts and the start times of situations include
// the recorded time, for all viewers.
func TestHubKnowsTheHoursBefore(t *testing.T) {
	t.Parallel()
	for name, nameless := range map[string]bool{"full": false, "nameless": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h, _ := remembered(t, func(o *Options) { o.Recorded.LacksNames = nameless })
				ctx, cancel := context.WithCancel(t.Context())
				all := viewer(t, h, model.NamesFull)
				part, err := h.NewViewer(Visibility{Names: model.NamesHidden, Part: model.FloorPart{Services: []string{"S2"}}}, 0, 0)
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
					for _, a := range v.AlertsOf(k) {
						if a.FromStart || time.Since(a.Since) < 49*time.Minute {
							t.Errorf("%s: %s since %v, from the start %v", who, a.ID, time.Since(a.Since), a.FromStart)
						}
					}
					if len(v.AlertsOf(k)) != 1 || len(v.History()) > 0 {
						t.Errorf("%s: %d alerts, %d over", who, len(v.AlertsOf(k)), len(v.History()))
					}
				}
				if n := samples(part, "queuedCalls", alert.Key{Scope: alert.Service, Code: "S1", Channel: model.Call}, time.Hour); n > 0 {
					t.Errorf("%d samples that the viewer may not see", n)
				}
				known := samples(all, "calls", alert.Key{Scope: alert.User, Code: "anna", Channel: model.Call}, time.Hour) > 30
				if known == nameless {
					t.Errorf("samples of an agent whose name may have changed: %v", known)
				}
				states := all.Observations().Hour(model.UserStatKey{Username: "anna", Channel: model.Call}, time.Now()).States
				if seen := states[1] == model.Ready; seen == nameless {
					t.Errorf("the hour of an agent whose name may have changed begins with %q", states[1])
				}
				cancel()
				<-ended
			})
		})
	}
}

// TestHubRecallsIncidents checks that a hub shows the situations before its start as they were judged
// then. A viewer of a part, who may not see the marks, does not get them.
func TestHubRecallsIncidents(t *testing.T) {
	t.Parallel()
	for name, unbroken := range map[string]bool{"goes on": true, "was interrupted": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				<-time.After(12 * time.Hour) // so that everything happens on one day
				k := alert.Key{Scope: alert.Service, Code: "S2", Channel: model.Call}
				ago := func(d time.Duration) time.Time { return time.Now().Add(-d) }
				mark := func(id string, began, ended time.Time) model.Mark {
					return model.Mark{At: ended, Incident: &model.Incident{
						ID: id, Scope: "service", Code: "S2", Channel: model.Call, Title: "S2", Level: 2, Began: began, Ended: ended, Headline: "7 waited.",
						Alerts: []model.IncidentAlert{{
							TakenAlert: model.TakenAlert{Rule: "queue", Scope: "service", Code: "S2", Channel: model.Call, Level: 2}, Since: began, Raised: began, Ended: ended,
						}},
					}}
				}
				open := mark("two", ago(20*time.Minute), time.Time{})
				open.At = open.Incident.Began
				marks := []model.Mark{mark("one", ago(2*time.Hour), ago(110*time.Minute)), open}
				h, _ := remembered(t, func(o *Options) {
					o.Recorded.Marks = func(context.Context, time.Time) ([]model.Mark, bool) { return marks, unbroken }
				})
				ctx, cancel := context.WithCancel(t.Context())
				all := viewer(t, h, model.NamesFull)
				part, err := h.NewViewer(Visibility{Names: model.NamesFull, Part: model.FloorPart{Services: []string{"S2"}}}, 0, 0)
				if err != nil {
					t.Fatal(err)
				}
				ended := make(chan struct{})
				go func() { defer close(ended); h.Run(ctx) }()
				<-time.After(5 * time.Second)
				synctest.Wait()
				view, _ := all.Situations()
				past := situation.SummarizeEndedAlerts(nil, model.Names{}, all.History(), view)
				if len(past) != 1 || past[0].TotalDuration != 10*time.Minute || past[0].Headline != "7 waited." || !all.TrackedSince().Equal(marks[0].Incident.Began) {
					t.Errorf("%+v, watched since %v", past, all.TrackedSince())
				}
				if sit := view.ByKey(k); sit == nil || sit.OccurrencesToday != 2 || (sit.ID == "two" && sit.Since.Equal(open.Incident.Began)) != unbroken {
					t.Errorf("%+v", sit)
				}
				if len(part.History()) > 0 || part.TrackedSince().IsZero() || !part.TrackedSince().After(open.Incident.Began) {
					t.Errorf("a part of the floor: %v, watched since %v", part.History(), part.TrackedSince())
				}
				cancel()
				<-ended
			})
		})
	}
}

// TestHubForgetsTheHoursBefore changes the platform while the recording is being read: no part of the
// recording is used.
func TestHubForgetsTheHoursBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		read := make(chan struct{})
		var h *Hub
		asked := 0
		h, _ = remembered(t, func(o *Options) {
			pictures := o.Recorded.Snapshots
			o.Recorded.Snapshots = func(ctx context.Context, from, to time.Time, step time.Duration) iter.Seq[*model.Snapshot] {
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
		if err := h.Reconfigure(ConfigChange{Engine: h.options.Engine, NewPlatform: true}); err != nil {
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
		if len(v.AlertsOf(k)) != 1 {
			t.Errorf("what is wrong there: %+v", v.AlertsOf(k))
		}
		cancel()
		<-ended
	})
}

// TestHubKnowsWhatIsUsual checks baselines of earlier days for viewers with different visibility. They
// are dropped for another platform, and computed again for other rules.
func TestHubKnowsWhatIsUsual(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		h, _ := remembered(t, func(o *Options) {
			o.Recorded.Days = func(_ context.Context, at []time.Time) iter.Seq[*model.Snapshot] {
				asked.Add(1)
				return func(yield func(*model.Snapshot) bool) {
					for _, then := range at {
						if !yield(pictureOf(model.NewStore(), then, int64(then.Day()%3))) {
							return
						}
					}
				}
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		all := viewer(t, h, model.NamesFull)
		part, err := h.NewViewer(Visibility{Names: model.NamesHidden, Part: model.FloorPart{Services: []string{"S2"}}}, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { defer close(ended); h.Run(ctx) }()
		usually := func(v *Viewer, code string) forecast.UsualBand {
			k := alert.Key{Scope: alert.Service, Code: code, Channel: model.Call}
			return v.Baseline("queuedCalls", k, v.Trend(nil, "queuedCalls", k, time.Hour))
		}
		<-time.After(5 * time.Second)
		synctest.Wait()
		if b := usually(all, "S1"); b.Days.IsZero() || b.Low[0] < 0 || b.High[0] > 2 || b.Low[0] > b.High[0] {
			t.Errorf("usual is %v", b)
		}
		if usually(part, "S2").Days.IsZero() || !usually(part, "S1").Days.IsZero() {
			t.Error("a viewer of a part gets baselines of other services, or none of the own service")
		}
		for range 4 { // the next hour is computed at least 15 minutes before it begins
			before := asked.Load()
			<-time.After(time.Hour)
			synctest.Wait()
			if n := asked.Load() - before; n != 2 {
				t.Errorf("in an hour it was asked %d times for two pictures", n)
			}
		}
		change := ConfigChange{Engine: h.options.Engine, Names: h.options.Names}
		if err := h.Reconfigure(change); err != nil {
			t.Fatal(err)
		}
		if !usually(all, "S1").Days.IsZero() {
			t.Error("baselines of the previous rules are used")
		}
		<-time.After(5 * time.Second)
		synctest.Wait()
		if usually(all, "S1").Days.IsZero() {
			t.Error("the baselines were not computed again")
		}
		change.NewPlatform = true
		if err := h.Reconfigure(change); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Hour)
		synctest.Wait()
		if !usually(all, "S1").Days.IsZero() {
			t.Error("baselines of another platform are used")
		}
		cancel()
		<-ended
	})
}

// TestForecastsLearnFromRecordedDays checks that a forecast knows recorded days from the start,
// and that all viewers get the same verdict.
func TestForecastsLearnFromRecordedDays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, _ := remembered(t, func(o *Options) {
			o.IntradayLog = new(forecast.IntradayLog)
			o.Recorded.Days = func(_ context.Context, at []time.Time) iter.Seq[*model.Snapshot] {
				return func(yield func(*model.Snapshot) bool) {
					for _, then := range at {
						store, n := model.NewStore(), int64(then.Local().Hour()*60+then.Local().Minute()) // one call per minute since midnight, one in ten answered late
						store.Services.Put(&model.Service{Code: model.TextOf("S1"), Channel: model.Call, ChannelStats: model.ServiceCalls{
							ReceivedCalls: model.IntOf(n), AnsweredCalls: model.IntOf(n), HangupCalls: model.IntOf(0), AnsweredCallsUnderSpeedLimit: model.IntOf(n * 9 / 10),
						}})
						if !yield(store.Publish(then, model.Health{
							Link: model.Link{State: model.LinkUp}, Subscriptions: []model.Subscription{{Name: model.OpServices, State: model.SubLive}},
						})) {
							return
						}
					}
				}
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		all := viewer(t, h, model.NamesFull)
		part, err := h.NewViewer(Visibility{Part: model.FloorPart{Services: []string{"S1"}}}, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		now := time.Now().Local()
		noon := time.Date(now.Year(), now.Month(), now.Day(), 12, 0, 0, 0, now.Location())
		<-time.After(noon.Sub(now))
		go func() { defer close(ended); h.Run(ctx) }()
		<-time.After(10 * time.Second)
		synctest.Wait()
		in := forecast.Input{
			Now: time.Now(), ClosingTime: noon.Add(12 * time.Hour), Contacts: model.FigureOf(1440),
			InTime: model.FigureOf(1290), Counted: model.FigureOf(1440), Target: model.FloatOf(0.8),
		}
		for name, v := range map[string]*Viewer{"all": all, "part": part} {
			f := v.Observations().Forecast(in, model.ServiceKey{Code: "S1", Channel: model.Call}, []string{"S1"}, true)
			if !f.UsesEarlierDays || !f.IsLevelRangeNarrow() || f.Contacts.Likely < 2700 || f.Contacts.Likely > 2900 || f.Verdict < forecast.VerdictProbable {
				t.Errorf("%s: %+v", name, f)
			}
		}
		cancel()
		<-ended
	})
}
