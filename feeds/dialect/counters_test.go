package dialect_test

import (
	"strings"
	"testing"
	"time"

	"wallboard/feeds/dialect"
	"wallboard/internal/simulator/world"
	"wallboard/model"
)

// callsRecord converts a service of the simulated platform to a record.
func callsRecord(s *world.ServiceStat) *model.Service {
	c := &s.Calls
	r := &model.Service{Code: model.TextOf(s.Code), Channel: model.Channel(s.Channel), ChannelStats: model.ServiceCalls{
		QueuedCalls: model.IntOf(c.QueuedCalls), ReceivedCalls: model.IntOf(c.ReceivedCalls), AnsweredCalls: model.IntOf(c.AnsweredCalls),
		CurrentCalls: model.IntOf(c.CurrentCalls), ConnectedCall: model.IntOf(c.ConnectedCall), AverageTimeOnQueue: model.FloatOf(c.AverageTimeOnQueue),
	}}
	r.UserStats.LoggedUsers.Count = model.IntOf(s.Users.LoggedUsers.Count)
	return r
}

// TestFindings runs floors for half an hour on platforms whose counters have
// different meanings.
func TestFindings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*model.Service)
		want   []string // fields with their configured meanings
	}{
		{"as assumed", func(*model.Service) {}, nil},
		{"current calls of the day", func(r *model.Service) { r.ChannelStats.CurrentCalls = r.ChannelStats.ReceivedCalls }, []string{"currentCalls daily"}},
		{"connected calls of the day", func(r *model.Service) { r.ChannelStats.ConnectedCall = r.ChannelStats.AnsweredCalls }, []string{"connectedCall daily"}},
		{"current calls without those that wait", func(r *model.Service) { r.ChannelStats.CurrentCalls = r.ChannelStats.ConnectedCall }, []string{"currentCalls "}},
		{
			"average of the calls that wait",
			func(r *model.Service) {
				r.ChannelStats.AverageTimeOnQueue = model.FloatOf(float64(3 * r.ChannelStats.QueuedCalls.Or(0)))
			},
			[]string{"averageTimeOnQueue current"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := world.New(world.Options{Seed: 4, Drama: true, TrafficFactor: 1.3, Services: 5, Groups: 3, Agents: 30})
			var watch dialect.CounterChecker
			for range 30 * 60 {
				w.Step(time.Second)
				var all []*model.Service
				for _, s := range w.State().Services {
					r := callsRecord(s)
					c.change(r)
					all = append(all, r)
				}
				watch.Check(all, w.Now())
			}
			var got []string
			for _, f := range watch.Findings() {
				got = append(got, f.Field+" "+f.Meaning)
			}
			if strings.Join(got, ", ") != strings.Join(c.want, ", ") {
				t.Errorf("%s; want %v", watch.Describe(), c.want)
			}
			w.ResetDailyCounters()
			var all []*model.Service
			for _, s := range w.State().Services {
				all = append(all, callsRecord(s))
			}
			watch.Check(all, w.Now().Add(time.Second))
			if !strings.Contains(watch.Describe(), "were reset at") {
				t.Error("the reset was not seen")
			}
		})
	}
}
