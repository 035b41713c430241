package diagnosis_test

import (
	"testing"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/model"
)

// TestWhoCouldHelp names agents with the skill in any state.
func TestWhoCouldHelp(t *testing.T) {
	t.Parallel()
	now := time.Unix(100_000, 0)
	stat := func(ch model.Channel, status model.UserStatus, ago time.Duration) *model.UserStat {
		r := &model.UserStat{Username: model.TextOf("ann"), AgentFigures: model.AgentFigures{
			Channel: ch, Status: status, LoggedProfileID: model.IntOf(7),
		}}
		if ago > 0 {
			r.TimeInState = model.InstantOf(now.Add(-ago))
		}
		return r
	}
	serves := []string{"S"}
	for name, c := range map[string]struct {
		services []string
		stats    []*model.UserStat
		gone     bool // has logged out since
		want     diagnosis.HelpKind
	}{
		"ready for chats":                {serves, []*model.UserStat{stat(model.Call, model.NotReady, time.Minute), stat(model.Chat, model.Ready, time.Minute)}, false, diagnosis.HelpReadyElsewhere},
		"ready for chats only":           {serves, []*model.UserStat{stat(model.Chat, model.Ready, time.Minute)}, false, diagnosis.HelpReadyElsewhere},
		"on a break":                     {serves, []*model.UserStat{stat(model.Call, model.NotReady, 11*time.Minute)}, false, diagnosis.HelpBreak},
		"on a break, nobody knows since": {serves, []*model.UserStat{stat(model.Call, model.NotReady, 0)}, false, diagnosis.HelpShortBreak},
		"by the profile":                 {nil, []*model.UserStat{stat(model.Call, model.NotReady, 11*time.Minute)}, false, diagnosis.HelpBreak},
		"logged out":                     {serves, []*model.UserStat{stat(model.Call, model.Ready, time.Minute)}, true, diagnosis.HelpLoggedOut},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := model.NewStore()
			s.Users.Put(&model.User{Username: model.TextOf("ann"), Services: c.services})
			s.Users.Put(&model.User{Username: model.TextOf("bob")})
			bob := stat(model.Call, model.Busy, time.Minute)
			bob.Username, bob.LoggedProfileID = model.TextOf("bob"), model.IntOf(8)
			for _, r := range append(c.stats, bob) {
				s.UserStats.Put(r)
			}
			k := model.ServiceKey{Code: "S", Channel: model.Call}
			s.Services.Put(&model.Service{
				Code: model.TextOf("S"), Channel: model.Call,
				UserStats: model.ServiceUsers{LoggedUsers: model.ProfilesInStatus{Count: model.IntOf(1), ProfileIDs: []int64{7}}},
			})
			tr := diagnosis.NewHistory()
			snap := s.Publish(now, model.Health{Link: model.Link{State: model.LinkUp}})
			tr.Update(snap, now)
			if c.gone {
				s.UserStats.Delete(c.stats[0].Key())
				s.Users.Delete("ann")
				snap = s.Publish(now.Add(time.Second), model.Health{Link: model.Link{State: model.LinkUp}})
				tr.Update(snap, now.Add(time.Second))
			}
			who := diagnosis.NewAgentIndex(snap).Helpers(tr, k, model.Figure{}, now.Add(time.Second))
			if len(who) != 1 || who[0].Username != "ann" || who[0].Kind != c.want {
				t.Errorf("%+v, want ann in way %d", who, c.want)
			}
		})
	}
}

// TestRange checks that the range is wider if less is certain.
func TestRange(t *testing.T) {
	t.Parallel()
	const soon = 5 * time.Minute
	l := diagnosis.Load{Waiting: 10, PerSecond: 0.1, SecondsPerContact: 150, Agents: 12, Patience: 180, RatePeriod: 30 * time.Minute, Talks: 40, HangUps: 20}
	more, _ := l.AgentsToClear(soon)
	least, most := l.AgentRange(more, soon)
	if least > more || most <= more {
		t.Errorf("%d to %d, the estimate is %d", least, most, more)
	}
	for name, less := range map[string]func(*diagnosis.Load){
		"arrivals": func(l *diagnosis.Load) { l.RatePeriod = 3 * time.Minute },
		"work":     func(l *diagnosis.Load) { l.Talks = 0 },
		"patience": func(l *diagnosis.Load) { l.HangUps = 0 },
	} {
		with := l
		less(&with)
		if a, b := with.AgentRange(more, soon); b-a <= most-least {
			t.Errorf("%d to %d, and with less known of %s %d to %d", least, most, name, a, b)
		}
	}
	if a, b := l.AgentRange(more+3, soon); a != least+3 || b != most+3 {
		t.Errorf("%d to %d for three more than %d to %d", a, b, least, most)
	}
	l.Agents = 40
	if a, b := l.AgentRange(0, soon); a != 0 || b != 0 {
		t.Errorf("range %d to %d of a queue that clears at once, want none", a, b)
	}
	for fewer := l; ; { // find the fewest agents with whom the queue clears in time
		fewer.Agents--
		if n, _ := fewer.AgentsToClear(soon); n > 0 {
			break
		}
		l = fewer
	}
	if a, b := l.AgentRange(0, soon); a != 0 || b < 1 {
		t.Errorf("range %d to %d of a queue that clears just in time, want 0 to at least 1", a, b)
	}
}
