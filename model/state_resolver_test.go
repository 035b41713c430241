package model_test

import (
	"testing"
	"time"

	"wallboard/model"
)

// onChannel returns the figures of an agent on a channel.
func onChannel(name string, ch model.Channel, status model.UserStatus, since time.Time) *model.UserStat {
	return &model.UserStat{
		Username:     model.TextOf(name),
		AgentFigures: model.AgentFigures{Channel: ch, Status: status, TimeInState: model.InstantOf(since)},
	}
}

// TestBusyElsewhere checks the derived state of agents who are not ready on a channel.
func TestBusyElsewhere(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	s := model.NewStore()
	publish := func() *model.Snapshot { return s.Publish(at, model.Health{}) }
	put := func(ch model.Channel, status model.UserStatus, minute int) {
		s.UserStats.Put(onChannel("ann", ch, status, at.Add(time.Duration(minute)*time.Minute)))
	}
	expect := func(p *model.Snapshot, ch model.Channel, status model.UserStatus, minute int) {
		t.Helper()
		r := p.UserStats.Get(model.UserStatKey{Username: "ann", Channel: ch})
		since, _ := r.TimeInState.Get()
		if want := at.Add(time.Duration(minute) * time.Minute); r.Status != status || !since.Equal(want) {
			t.Errorf("%s: %s since %v, want %s since %v", ch, r.Status, since, status, want)
		}
	}
	s.UserStats.Put(onChannel("bob", model.Call, model.NotReady, at))
	put(model.Call, model.Booked, 1)
	put(model.Chat, model.NotReady, 0)
	first := publish()
	expect(first, model.Call, model.Booked, 1)
	expect(first, model.Chat, model.BusyElsewhere, 1)
	if bob := first.UserStats.Get(model.UserStatKey{Username: "bob", Channel: model.Call}); bob.Status != model.NotReady {
		t.Errorf("an agent on one channel is %s", bob.Status)
	}
	if again := publish(); again.UserStats != first.UserStats {
		t.Error("nothing has changed, and there is another table")
	}
	s.UserStats.Put(onChannel("bob", model.Call, model.Ready, at))
	second := publish()
	k := model.UserStatKey{Username: "ann", Channel: model.Chat}
	if first.UserStats.Get(k) != second.UserStats.Get(k) {
		t.Error("another agent has changed, and the decided record is another one")
	}
	version := second.UserStats.Get(k).Version
	put(model.Call, model.WNR, 5)
	third := publish()
	expect(third, model.Chat, model.BusyElsewhere, 5)
	if third.UserStats.Get(k).Version <= version {
		t.Error("the decided record has changed under its version")
	}
	// A break after work begins on all channels when the last one becomes not ready.
	put(model.Call, model.NotReady, 7)
	fourth := publish()
	expect(fourth, model.Call, model.NotReady, 7)
	expect(fourth, model.Chat, model.NotReady, 7)
	// An agent who is ready only for calls is not ready for chats, as the platform says.
	put(model.Call, model.Ready, 9)
	expect(publish(), model.Chat, model.NotReady, 0)
	// When an agent is removed, the rows of others move, and each decision stays with its
	// agent.
	put(model.Call, model.Busy, 10)
	before := publish()
	s.UserStats.Delete(model.UserStatKey{Username: "bob", Channel: model.Call})
	after := publish()
	expect(after, model.Chat, model.BusyElsewhere, 10)
	if before.UserStats.Get(k) != after.UserStats.Get(k) {
		t.Error("the removal of an agent replaced the record of another one")
	}
	if live := s.UserStats.Get(k); live.Status != model.NotReady {
		t.Errorf("the record that the platform sent says %s", live.Status)
	}
}

// TestUserStateOn checks the same for the state map of a user.
func TestUserStateOn(t *testing.T) {
	t.Parallel()
	u := &model.User{Statuses: model.ChannelStatuses{Call: model.Busy, Chat: model.NotReady, MailACD: model.Ready}}
	for ch, want := range map[model.Channel]model.UserStatus{
		model.Call: model.Busy, model.Chat: model.BusyElsewhere, model.MailACD: model.Ready, model.Video: "",
	} {
		if got := u.StateOn(ch); got != want {
			t.Errorf("%s: %s, want %s", ch, got, want)
		}
	}
}
