package cli

import (
	"math"
	"strings"
	"testing"
	"time"

	"wallboard/internal/simulator"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// TestLongestWaitOfAnyMeaning uses platforms with different meanings of maxTimeCallOnQueue, which the
// board must detect.
func TestLongestWaitOfAnyMeaning(t *testing.T) {
	t.Parallel()
	for _, meaning := range world.LongestWaits() {
		t.Run(string(meaning), func(t *testing.T) {
			t.Parallel()
			bubble(t, func(t *testing.T) { longestWaitOf(t, meaning) })
		})
	}
}

func longestWaitOf(t *testing.T, meaning world.LongestWait) {
	r := newRig(t, simulator.Options{World: world.Options{
		Seed: 11, Drama: true, TrafficFactor: 1.3, Agents: 30, Services: 4, Groups: 3, Operators: 1, Campaigns: 1, Clock: time.Now(), LongestWait: meaning,
	}}, nil)
	defer r.stop()
	isDaily := meaning == world.LongestToday || meaning == world.LongestAnswered
	within := 3.0
	if isDaily {
		within = 10
	}
	r.live(time.Minute)
	pass(time.Second / 2) // so that measurements lie between two steps of the platform
	emptied := make(map[model.ServiceKey]time.Time)
	seconds, near := 0, 0
	before := make(map[model.ServiceKey]float64) // the actual wait one second earlier, because a snapshot may be one second old
	for range 300 {
		pass(time.Second)
		truth := make(map[model.ServiceKey]*world.ServiceStat)
		r.srv.EachRecord(func(_ string, record any, _ func() []byte) {
			if s, ok := record.(*world.ServiceStat); ok {
				truth[model.ServiceKey{Code: s.Code, Channel: model.Channel(s.Channel)}] = s
			}
		})
		for s := range r.feed.Latest().Services.All() {
			is := truth[s.Key()]
			now, ago := float64(is.CurrentWait), before[s.Key()]
			before[s.Key()] = now
			wait, known := s.ChannelStats.LongestWait().Get()
			switch {
			case is.Calls.QueuedCalls == 0:
				emptied[s.Key()] = time.Now()
				continue
			case !known:
				t.Fatalf("the wait of %v is not known", s.Key())
			}
			if sure, _ := s.ChannelStats.CertainWait().Get(); sure > max(now, ago)+2 {
				t.Errorf("%v: at least %v is certain, it is %d", s.Key(), sure, is.CurrentWait)
			}
			since := emptied[s.Key()]
			if since.IsZero() {
				continue // the callers have waited since before the start of the board
			}
			if wait > time.Since(since).Seconds()+2 {
				t.Errorf("%v: %v, %v after the queue was empty", s.Key(), wait, time.Since(since))
			}
			seconds++
			if min(math.Abs(wait-now), math.Abs(wait-ago)) <= within {
				near++
			}
		}
	}
	share := float64(near) / float64(seconds)
	t.Logf("within %v s in %.1f %% of %d s", within, 100*share, seconds)
	if seconds < 100 || share < 0.9 || !isDaily && share < 1 {
		t.Errorf("within %v s in %.1f %% of %d s only", within, 100*share, seconds)
	}
	want := "the longest current wait"
	if isDaily {
		want = "the longest wait of the day"
	}
	for _, s := range r.feed.Latest().Health.Subscriptions {
		if s.Name == model.OpServices && !strings.Contains(s.Meanings, want) {
			t.Errorf("the Feed page says %q, want %q", s.Meanings, want)
		}
	}
}
