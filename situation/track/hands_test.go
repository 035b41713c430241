package track_test

import (
	"testing"
	"time"

	"wallboard/model"
	"wallboard/situation/track"
)

// TestHandsAreThoseWhoWillTakeOne counts who is at work and who is back soon, and
// shares them with a service that has a queue, too.
func TestHandsAreThoseWhoWillTakeOne(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	store, tr := model.NewStore(), track.New()
	agent := func(name string, state model.UserStatus, with string, ago time.Duration, serves ...string) {
		store.Users.Put(&model.User{Username: model.TextOf(name), Services: serves})
		store.UserStats.Put(&model.UserStat{Username: model.TextOf(name), AgentFigures: model.AgentFigures{
			Channel: model.Call, Status: state, CurrentService: model.TextOf(with), TimeInState: model.InstantOf(now.Add(-ago)),
		}})
	}
	queue := func(code string, n int64) {
		store.Services.Put(&model.Service{
			Code: model.TextOf(code), Channel: model.Call,
			ChannelStats: model.ServiceCalls{QueuedCalls: model.IntOf(n), ReceivedCalls: model.IntOf(0)},
		})
	}
	agent("ready", model.Ready, "", time.Minute, "S")
	agent("rings", model.Booked, "S", time.Second, "S")
	agent("soon", model.Busy, "T", time.Minute, "S", "T")
	agent("long", model.Busy, "T", 10*time.Minute, "S", "T")
	agent("away", model.NotReady, "", time.Minute, "S")
	agent("other", model.Ready, "", time.Minute, "T")
	key := model.ServiceKey{Code: "S", Channel: model.Call}
	for _, c := range []struct {
		queued int64
		want   float64
	}{{0, 3}, {4, 2.5}} {
		queue("S", 2)
		queue("T", c.queued)
		now = now.Add(time.Second)
		tr.Note(store.Publish(now, model.Health{Link: model.Link{State: model.LinkUp}}), now)
		if got := tr.Hands(key, now); got != c.want {
			t.Errorf("with %d who wait for the other service there are %v hands, want %v", c.queued, got, c.want)
		}
	}
	if n := tr.Ringing(key); n != 1 {
		t.Errorf("%d ring", n)
	}
}
