package dialect_test

import (
	"math"
	"os"
	"strconv"
	"testing"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// hours returns the length of the simulated days: LONGESTWAIT_HOURS, for
// example 8.
func hours(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("LONGESTWAIT_HOURS")
	if text == "" {
		return 10 * time.Minute
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return time.Duration(n * float64(time.Hour))
}

// recordOf converts a service of the simulated platform to a record.
func recordOf(s *world.ServiceStat) *model.Service {
	r := &model.Service{Code: model.TextOf(s.Code), Channel: model.Channel(s.Channel), ChannelStats: model.ServiceCalls{
		QueuedCalls: model.IntOf(s.Calls.QueuedCalls), ReceivedCalls: model.IntOf(s.Calls.ReceivedCalls),
		AnsweredCalls: model.IntOf(s.Calls.AnsweredCalls), HangupCalls: model.IntOf(s.Calls.HangupCalls),
		ClosedCalls: model.IntOf(s.Calls.ClosedCalls), MaxTimeCallOnQueue: model.IntOf(s.Calls.MaxTimeCallOnQueue),
		AverageTimeOnQueue: model.FloatOf(s.Calls.AverageTimeOnQueue),
	}}
	r.UserStats.ReadyUsers.Count = model.IntOf(s.Users.ReadyUsers.Count)
	return r
}

// tracked is a service in a test.
type tracked struct {
	record  *model.Service
	truth   int64
	began   time.Duration // when the service was first seen
	emptied time.Duration
	told    bool // the queue was once empty
}

// outcome is the result of a day.
type outcome struct {
	seconds, close int     // seconds with callers waiting, and those with a close estimate
	within         float64 // what counts as close, in seconds
	wrong          int     // seconds with a false critical alert
	above          int     // seconds above the time since the queue was empty
	bounds         int     // seconds with too low a bound
	worst          float64
}

// TestDays simulates floors on which callers give up, agents do not answer, and
// calls need different skills, for every meaning of the field.
func TestDays(t *testing.T) {
	t.Parallel()
	for _, meaning := range world.LongestWaits() {
		for _, seed := range []int64{1, 2} {
			t.Run(string(meaning)+" "+strconv.FormatInt(seed, 10), func(t *testing.T) {
				t.Parallel()
				isDaily := meaning == world.LongestToday || meaning == world.LongestAnswered
				o := outcome{within: 3}
				if isDaily {
					o.within = 10
				}
				tracker := dialect.NewWaitTracker(model.WaitAsSent)
				o.live(t, tracker, world.Options{Seed: seed, Drama: true, TrafficFactor: 1.2, Services: 6, Groups: 4, Agents: 40, LongestWait: meaning})
				want := model.WaitCurrent
				if isDaily {
					want = model.WaitDaily
				}
				if e := tracker.Evidence(model.Call); e.Meaning != want || e.Presumed {
					t.Errorf("the field is %v, presumed %v", e.Meaning, e.Presumed)
				}
				share := float64(o.close) / float64(o.seconds)
				t.Logf("within %.0f s in %.2f %% of %d s, worst %.0f s; the bound was too low for %d s", o.within, 100*share, o.seconds, o.worst, o.bounds)
				least := 0.9
				if !isDaily {
					least = 1
				}
				if share < least {
					t.Errorf("within %.0f s in %.2f %% of the seconds only", o.within, 100*share)
				}
				if o.wrong > 0 || o.above > 0 {
					t.Errorf("falsely critical for %d s; above the time since the queue was empty for %d s", o.wrong, o.above)
				}
			})
		}
	}
}

// live runs a floor and processes its figures ten times a second, like a feed.
func (o *outcome) live(t *testing.T, tracker *dialect.WaitTracker, options world.Options) {
	t.Helper()
	const look = 100 * time.Millisecond
	w := world.New(options)
	services := make(map[model.ServiceKey]*tracked)
	take := func(s *world.ServiceStat, at time.Duration) {
		r := recordOf(s)
		k := services[r.Key()]
		if k == nil {
			k = &tracked{began: at}
			services[r.Key()] = k
		}
		k.record, k.truth = r, s.CurrentWait
		if s.Calls.QueuedCalls == 0 {
			k.emptied, k.told = at, true
		}
	}
	for _, s := range w.State().Services {
		take(s, 0)
	}
	w.TakeChanges()
	for at := time.Duration(0); at < hours(t); at += look {
		if at > 0 {
			w.Step(look)
			for _, c := range w.TakeChanges().Services {
				take(c.New, at)
				tracker.Observe(services[recordOf(c.New).Key()].record, w.Now())
			}
		}
		if at%time.Second == 0 {
			for _, s := range services {
				tracker.Observe(s.record, w.Now())
			}
			for k, s := range services {
				c := &s.record.ChannelStats
				c.Wait = tracker.Wait(k, tracker.Evidence(k.Channel), w.Now())
				if c.QueuedCalls.Or(0) > 0 {
					o.weigh(s, at)
				}
			}
		}
	}
}

func (o *outcome) weigh(s *tracked, at time.Duration) {
	const critical = 60
	c := &s.record.ChannelStats
	wait, known := c.LongestWait().Get()
	if sure, _ := c.CertainWait().Get(); sure >= critical+1 && s.truth < critical {
		o.wrong++
	}
	if !s.told { // the callers arrived before the first look
		return
	}
	if wait > (at-s.emptied).Seconds()+1 {
		o.above++
	}
	if most, bounded := c.MaxWait().Get(); bounded && most+2 < float64(s.truth) {
		o.bounds++
	}
	o.seconds++
	apart := math.Abs(wait - float64(s.truth))
	o.worst = max(o.worst, apart)
	if known && apart <= o.within {
		o.close++
	}
}
