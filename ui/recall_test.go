package ui

import (
	"context"
	"iter"
	"math"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/alert"
	"wallboard/internal/newest"
	"wallboard/model"
	"wallboard/ui/kiosk"
)

// hoursOf are pictures of some hours up to now, ten seconds apart, in which somebody has
// waited for the last minutes.
func (th *theatre) hoursOf(d, waits time.Duration) []*model.Snapshot {
	var out []*model.Snapshot
	now := time.Now()
	for ago := d; ago > 0; ago -= 10 * time.Second {
		th.floor.at = now.Add(-ago)
		th.floor.health = liveHealth(th.floor.at)
		th.floor.wait(model.Call, int64(max(waits-ago, 0)/time.Second))
		out = append(out, th.floor.publish())
	}
	return out
}

// recalls is a board that gets to know pictures of before it began.
func recalls(t *testing.T, d, waits time.Duration, change ...func(*Options)) (*theatre, *alert.Engine) {
	t.Helper()
	engine := defaultEngine(Options{}.withDefaults())
	var pictures []*model.Snapshot
	began := make(chan struct{})
	th := newTheatre(t, append([]func(*Options){func(o *Options) {
		o.Alerts = engine
		first := quietFloor()
		first.at = time.Now()
		first.health = liveHealth(first.at)
		first.wait(model.Call, int64(waits/time.Second))
		first.publish() // the one before is older
		o.Source.(*newest.Picture).Put(first.publish())
		o.Memory.Before = func(_ context.Context, from, to time.Time, step time.Duration) iter.Seq[*model.Snapshot] {
			<-began
			f := &memoryFilm{pictures: pictures}
			return readable(f.Through(from, to, step))
		}
	}}, change...)...)
	pictures = th.hoursOf(d, waits)
	close(began)
	th.pass(3 * time.Second)
	return th, engine
}

// now shows the live board that somebody has waited for so long.
func (th *theatre) now(waits time.Duration) {
	th.floor.at = time.Now()
	th.floor.health = liveHealth(th.floor.at)
	th.floor.wait(model.Call, int64(waits/time.Second))
	th.live.Put(th.floor.publish())
}

// floorSamples is how many samples an engine has of the floor over a span.
func floorSamples(e Engine, span time.Duration) (n int) {
	for _, v := range e.Trend(nil, "longestWait", alert.Key{Scope: alert.Floor, Channel: model.Call}, span).Samples {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// A board knows of the hours before it began: its charts do not begin at nothing, and
// what was so from the start has been so since then.
func TestBoardKnowsTheHoursBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th, engine := recalls(t, 3*time.Hour, 5*time.Minute)
		if n := floorSamples(engine, time.Hour); n < 355 {
			t.Errorf("%d samples of an hour", n)
		}
		if n := floorSamples(engine, 8*time.Hour); n < 178 || n > 182 {
			t.Errorf("%d samples of eight hours", n)
		}
		for _, a := range engine.Active() {
			if a.Rule == "longest wait" && (a.FromStart || time.Since(a.Since) < 4*time.Minute) {
				t.Errorf("%s since %v, from the start %v", a.ID, time.Since(a.Since), a.FromStart)
			}
		}
		if n := len(engine.History()); n > 0 {
			t.Errorf("%d alerts of a board that nobody had", n)
		}
		th.shows("LIVE")
		th.hides("since the start", "when the board began")
		th.now(0)
		th.pass(2 * time.Second)
		if h := engine.History(); len(h) == 0 || time.Since(h[0].Since) < 4*time.Minute {
			t.Errorf("what is over was not what had been so: %+v", h)
		}
	})
}

// A configuration that changes meanwhile, which says nothing of recordings, has no say in
// where the rest of the hours before is read.
func TestChangeWhileTheHoursBeforeAreRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reloads := make(chan Reload, 1)
		read := make(chan struct{})
		asked := 0
		th := newTheatre(t, func(o *Options) {
			o.Reloads = reloads
			o.Memory.Before = func(context.Context, time.Time, time.Time, time.Duration) iter.Seq[*model.Snapshot] {
				asked++
				return func(func(*model.Snapshot) bool) { <-read }
			}
		})
		o := *th.v.live.scene.Options
		o.Memory = Memory{}
		reloads <- Reload{Options: o}
		th.pass(time.Second)
		close(read)
		th.pass(time.Second)
		if asked != 2 {
			t.Errorf("%d parts of the hours before were asked for, want 2", asked)
		}
	})
}

// Nothing of another platform is known, and of agents who are called otherwise there
// nothing is.
func TestBoardForgetsTheHoursBefore(t *testing.T) {
	t.Parallel()
	t.Run("elsewhere", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			reloads := make(chan Reload, 1)
			read := make(chan struct{})
			th := newTheatre(t, func(o *Options) {
				o.Reloads = reloads
				o.Memory.Before = func(ctx context.Context, _, _ time.Time, _ time.Duration) iter.Seq[*model.Snapshot] {
					return func(func(*model.Snapshot) bool) {
						<-read
						if ctx.Err() == nil {
							t.Error("it goes on reading what was elsewhere")
						}
					}
				}
			})
			o := *th.v.live.scene.Options
			o.Alerts = defaultEngine(o)
			reloads <- Reload{Options: o, Elsewhere: true}
			th.pass(time.Second)
			close(read)
			th.pass(time.Second)
			if n := floorSamples(o.Alerts, time.Hour); n > 1 {
				t.Errorf("%d samples", n)
			}
		})
	})
	for name, change := range map[string]func(*Options){
		"nameless": func(o *Options) { o.Memory.Nameless = true },
		"kiosk":    func(o *Options) { o.Kiosk = &kiosk.Options{Names: model.NamesHidden, Salt: "1"} },
		"full":     func(*Options) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				own := alert.KPI{Name: "calls", Scope: alert.User, Expr: "numberCallFromService"}
				fresh := func() (Engine, error) {
					return alert.New(alert.Options{KPIs: []alert.KPI{own}, Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
				}
				var engine Engine
				th, _ := recalls(t, time.Hour, 0, change, func(o *Options) {
					o.Memory.Engine = fresh
					engine, _ = fresh()
					o.Alerts = engine
				})
				agents := 0
				for u := range th.v.live.scene.floor.Newest.UserStats.All() {
					k := alert.Key{Scope: alert.User, Code: u.Key().Username, Channel: u.Channel}
					known := 0
					for _, v := range engine.Trend(nil, "calls", k, time.Hour).Samples {
						if !math.IsNaN(v) {
							known++
						}
					}
					if (known > 30) != (name == "full") {
						t.Errorf("%d samples of %s", known, k.Code)
					}
					agents++
				}
				if n := floorSamples(engine, time.Hour); n < 355 || agents == 0 {
					t.Errorf("%d samples of the floor, %d agents", n, agents)
				}
			})
		})
	}
}

// The charts of a rewound board have the hours before what it shows, and none of what
// came later.
func TestRewoundChartsHaveTheHoursBefore(t *testing.T) {
	t.Parallel()
	for _, ago := range []string{"30m", "2h"} {
		synctest.Test(t, func(t *testing.T) {
			th := newTheatre(t)
			th.film.pictures = th.hoursOf(4*time.Hour, 0)
			th.press(":")
			for _, r := range "back " + ago {
				th.press(string(r))
			}
			th.press("enter")
			th.pass(3 * time.Second)
			d, err := time.ParseDuration(ago)
			if err != nil {
				t.Fatal(err)
			}
			engine := th.v.past.scene.Alerts
			if n := floorSamples(engine, time.Hour); n < 355 {
				t.Errorf("%s ago: %d samples of an hour", ago, n)
			}
			all := int((4*time.Hour - d) / time.Minute)
			if n := floorSamples(engine, 8*time.Hour); n < all-3 || n > all+3 {
				t.Errorf("%s ago: %d samples of eight hours, there are %d", ago, n, all)
			}
		})
	}
}

// A board that plays a recording knows what was before its first picture.
func TestPlayedBoardKnowsTheHoursBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		th := newTheatre(t)
		film := &memoryFilm{pace: 1, pictures: th.hoursOf(2*time.Hour, 0)}
		film.show(time.Now().Add(-time.Hour))
		o := *th.v.live.scene.Options
		o.Source, o.Now, o.Alerts, o.Memory.Open = film, film.Now, nil, nil
		th.v = NewViewer(o)
		th.start(th.v.Init())
		th.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		th.pass(3 * time.Second)
		if n := floorSamples(th.v.live.scene.Alerts, 8*time.Hour); n < 58 || n > 62 {
			t.Errorf("%d samples of the hour before", n)
		}
	})
}
