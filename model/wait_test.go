package model_test

import (
	"testing"

	"wallboard/model"
)

func daily(queued, maximum, estimate, least, most int64) model.ServiceCalls {
	return model.ServiceCalls{
		QueuedCalls: n(queued), MaxTimeCallOnQueue: n(maximum),
		Wait: model.Wait{Meaning: model.WaitDaily, For: n(estimate), AtLeast: n(least), AtMost: n(most)},
	}
}

// TestLongestWaitOfADailyMaximum uses a platform that sends the longest wait of the day:
// neither a service nor the floor takes it for the current wait.
func TestLongestWaitOfADailyMaximum(t *testing.T) {
	t.Parallel()
	empty := model.ServiceCalls{QueuedCalls: n(0), MaxTimeCallOnQueue: n(2120), Wait: model.Wait{Meaning: model.WaitDaily}}
	for _, c := range []struct {
		name                       string
		services                   []model.ServiceCalls
		longest, sure, atMost, day string
		estimated                  bool
	}{
		{"no one waiting", []model.ServiceCalls{empty}, "0.0000", "0.0000", "unknown", "2120.0000", false},
		{"one service", []model.ServiceCalls{daily(2, 171, 5, 3, 9)}, "5.0000", "3.0000", "9.0000", "171.0000", true},
		{"several", []model.ServiceCalls{empty, daily(2, 171, 5, 3, 9), daily(1, 60, 8, 1, 8)}, "8.0000", "3.0000", "9.0000", "2120.0000", true},
		{"another one is current", []model.ServiceCalls{daily(2, 171, 5, 3, 9), {QueuedCalls: n(1), MaxTimeCallOnQueue: n(7)}}, "7.0000", "7.0000", "9.0000", "171.0000", true},
		{"current ones only", []model.ServiceCalls{{QueuedCalls: n(0), MaxTimeCallOnQueue: n(600)}, {QueuedCalls: n(1), MaxTimeCallOnQueue: n(7)}}, "7.0000", "7.0000", "unknown", "unknown", false},
	} {
		for _, turned := range []bool{false, true} {
			s := model.NewStore()
			for i := range c.services {
				at := i
				if turned {
					at = len(c.services) - 1 - i
				}
				s.Services.Put(&model.Service{Code: model.TextOf(string(rune('A' + at))), Channel: model.Call, ChannelStats: c.services[at]})
			}
			calls := model.FloorOf(s.Publish(noon, model.Health{}), model.Call, nil, nil).Calls
			got := [...]string{figure(calls.LongestWait()), figure(calls.CertainWait()), figure(calls.MaxWait()), figure(calls.LongestToday())}
			if want := [...]string{c.longest, c.sure, c.atMost, c.day}; got != want || calls.LongestWait().IsEstimated() != c.estimated {
				t.Errorf("%s: %v, estimated %v, want %v", c.name, got, calls.LongestWait().IsEstimated(), want)
			}
		}
	}
}

// TestAmendedIsNotChanged amends a record with a derived value: the version changes, but
// the record does not count as changed by the server.
func TestAmendedIsNotChanged(t *testing.T) {
	t.Parallel()
	s := model.NewStore()
	put := func(queued int64) *model.Service {
		return &model.Service{Code: model.TextOf("A"), Channel: model.Call, ChannelStats: model.ServiceCalls{QueuedCalls: n(queued)}}
	}
	s.Services.Put(put(1))
	version := s.Version()
	for range 2 {
		s.Services.Amend(put(1))
	}
	r := s.Services.Get(model.ServiceKey{Code: "A", Channel: model.Call})
	if r.Version == version || s.Services.ChangedSince(r, version) || !s.Services.ChangedSince(r, version-1) {
		t.Errorf("version %d after %d", r.Version, version)
	}
	s.Services.Put(put(2))
	if !s.Services.ChangedSince(s.Services.Get(r.Key()), version) {
		t.Error("a change is not seen after amendments")
	}
}
