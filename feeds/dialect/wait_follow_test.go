package dialect_test

import (
	"strings"
	"testing"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/model"
)

// TestFollow follows a queue on a platform that sends the longest wait of the
// day, through a lost connection after which the records are replaced and
// stale.
func TestFollow(t *testing.T) {
	t.Parallel()
	s := model.NewStore()
	tracker := dialect.NewWaitTracker(model.WaitAsSent)
	now := time.Unix(1_800_000_000, 0)
	key := model.ServiceKey{Code: "A", Channel: model.Call}
	look := func(queued, received, maximum int64, fresh bool) *model.ServiceCalls {
		s.Services.Put(&model.Service{Code: model.TextOf("A"), Channel: model.Call, ChannelStats: model.ServiceCalls{
			QueuedCalls: model.IntOf(queued), ReceivedCalls: model.IntOf(received), AnsweredCalls: model.IntOf(received - queued),
			MaxTimeCallOnQueue: model.IntOf(maximum), AverageTimeOnQueue: model.FloatOf(20),
		}})
		tracker.UpdateWaits(&s.Services, fresh, now)
		return &s.Services.Get(key).ChannelStats
	}
	if c := look(0, 100, 171, true); c.Wait.Meaning != model.WaitDaily || !c.Wait.Presumed || c.LongestWait() != model.FigureOf(0) {
		t.Errorf("an empty queue at the start: %+v, %v", c.Wait, c.LongestWait())
	}
	var c *model.ServiceCalls
	for range 6 {
		now = now.Add(time.Second)
		c = look(2, 102, 171, true)
	}
	if v, _ := c.LongestWait().Get(); v != 5 || c.MaxWait() != model.FigureOf(6) || !c.LongestWait().IsEstimated() {
		t.Errorf("two callers after 5 s: %v, at most %v", c.LongestWait(), c.MaxWait())
	}
	if c.LongestToday() != model.FigureOf(171) {
		t.Errorf("the longest today is %v", c.LongestToday())
	}
	before := c.Wait
	now = now.Add(time.Minute)
	if c = look(2, 102, 171, false); c.Wait != before {
		t.Errorf("from old records: %+v, want %+v", c.Wait, before)
	}
	for range 2 { // another queue proves the meaning
		for _, queued := range []int64{0, 1, 1, 1, 1, 1, 1} {
			now = now.Add(time.Second)
			c = look(queued, 103, 171, true)
		}
	}
	if c.Wait.Presumed || !strings.HasPrefix(tracker.Describe(), "maxTimeCallOnQueue: the longest wait of the day; ") {
		t.Errorf("%+v: %s", c.Wait, tracker.Describe())
	}
}

// TestPinnedMeaning configures a meaning that the platform contradicts.
func TestPinnedMeaning(t *testing.T) {
	t.Parallel()
	s := model.NewStore()
	tracker := dialect.NewWaitTracker(model.WaitCurrent)
	now := time.Unix(1_800_000_000, 0)
	for i := range 20 {
		now = now.Add(time.Second)
		s.Services.Put(&model.Service{Code: model.TextOf("A"), Channel: model.Call, ChannelStats: model.ServiceCalls{
			QueuedCalls: model.IntOf(min(int64(i%10), 1)), ReceivedCalls: model.IntOf(100), MaxTimeCallOnQueue: model.IntOf(171),
		}})
		tracker.UpdateWaits(&s.Services, true, now)
	}
	c := &s.Services.Get(model.ServiceKey{Code: "A", Channel: model.Call}).ChannelStats
	if c.LongestWait() != model.FigureOf(171) || !strings.Contains(tracker.Describe(), "contradicts") {
		t.Errorf("%v: %s", c.LongestWait(), tracker.Describe())
	}
}
