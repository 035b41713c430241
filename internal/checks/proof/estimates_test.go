package proof_test

import (
	"context"
	"regexp"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/hub"
	"wallboard/internal/simulator/world"
	"wallboard/model"
	"wallboard/ui"
	"wallboard/ui/uitest"
	"wallboard/ui/uitest/boardtest"
	"wallboard/ui/widgets"
)

// steppedSource provides the newest snapshot of a directFeed to a hub.
type steppedSource struct {
	mu     sync.Mutex
	newest *model.Snapshot
}

// publish makes a snapshot the newest one, with live subscriptions.
func (s *steppedSource) publish(newest *model.Snapshot) {
	live := *newest
	for _, name := range []model.Op{model.OpServices, model.OpUserStats} {
		live.Health.Subscriptions = append(live.Health.Subscriptions, model.Subscription{Name: name, State: model.SubLive, VerifiedAt: live.At, LastData: live.At})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest = &live
}

func (s *steppedSource) Latest() *model.Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newest
}

func (*steppedSource) Wait(ctx context.Context, _ uint64) (*model.Snapshot, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestFeedSaysHowOftenQueuesWereRight runs a hub on a floor with incidents: the page Feed then says
// how often the board was right about queues.
func TestFeedSaysHowOftenQueuesWereRight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		<-time.After(57*time.Hour + 30*time.Minute) // the fake clock begins on a Saturday at midnight: now it is Monday, 9:30
		f := newDirectFeed(world.New(world.Options{Seed: 1, Agents: 60, Drama: true, Start: time.Now()}))
		source := new(steppedSource)
		h, err := hub.New(hub.Options{
			Source: source, Engine: func(model.FloorPart) (*alert.Engine, error) {
				return alert.New(alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()})
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		v, err := h.NewViewer(hub.Visibility{Names: model.NamesFull}, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); h.Run(ctx) }()
		outlook := new(widgets.Forecaster)
		outlook.UseObservations(v.Observations())
		queues := regexp.MustCompile(`Since the start, \d+ of \d+ estimates of when a queue clears were right. Since the start, \d+ of \d+ main causes of queues were right`)
		text, seconds := "", 0
		for ; seconds < 2*3600 && !queues.MatchString(text); seconds++ {
			if seconds%1500 == 900 {
				_, _, _ = f.world.StartScenario(world.Scenarios()[seconds/1500%len(world.Scenarios())].Name, 0)
			}
			source.publish(f.runSecond())
			<-time.After(time.Second)
			synctest.Wait()
			text = outlook.AccuracyText(nil)
		}
		for _, size := range [][2]int{{80, 24}, {160, 45}} {
			b := boardtest.NewWithFloor(t, uitest.NewFloor(20), size[0], size[1], func(o *ui.Options) { o.Alerts = v })
			b.Press("9")
			b.CheckShows("main causes of queues were")
		}
		cancel()
		<-ended
		if t.Logf("after %d s: %s", seconds, text); !queues.MatchString(text) {
			t.Errorf("viewers read %q", text)
		}
	})
}
