package diagnosis_test

import (
	"testing"
	"time"

	"wallboard/internal/alert/diagnosis"
	"wallboard/model"
)

// TestOfDay distinguishes past from continuing problems of the day, or says why it
// cannot.
func TestOfDay(t *testing.T) {
	t.Parallel()
	level, giveUp := model.FloatOf(0.8), model.FloatOf(0.05)
	const few = "Not monitored for long enough to say when it happened."
	for name, tt := range map[string]struct {
		minutes              int64
		came, inTime, gaveUp int64 // per minute
		unknown              bool  // calls answered in time are unknown
		level, giveUp        model.Float
		kind                 diagnosis.CauseKind
		text, lacks          string
	}{
		"well since":        {90, 10, 10, 0, false, level, giveUp, diagnosis.BeganEarlier, "That was before 12:30; since then 610 of 610 calls answered in time, none abandoned.", ""},
		"answered too late": {20, 10, 5, 0, false, level, model.Float{}, diagnosis.StillOngoing, "It continues: since 12:00, 100 of 200 calls answered in time.", ""},
		"they give up":      {20, 10, 8, 1, false, model.Float{}, giveUp, diagnosis.StillOngoing, "It continues: since 12:00, 20 of 200 calls abandoned.", ""},
		"nobody calls":      {20, 0, 0, 0, false, level, giveUp, diagnosis.BeganEarlier, "That was before 12:00; no calls since.", ""},
		"just opened":       {5, 10, 5, 0, false, level, giveUp, "", "", few},
		"not told":          {20, 10, 5, 0, true, level, giveUp, "", "", "The figures do not show when it happened."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, tr, now := model.NewStore(), diagnosis.NewHistory(), trouble
			for m := range tt.minutes + 1 {
				now = trouble.Add(time.Duration(m) * time.Minute)
				calls := model.ServiceCalls{
					ReceivedCalls: model.IntOf(500 + m*tt.came), AnsweredCalls: model.IntOf(400 + m*(tt.came-tt.gaveUp)),
					HangupCalls: model.IntOf(100 + m*tt.gaveUp), QueuedCalls: model.IntOf(0),
				}
				if !tt.unknown {
					calls.AnsweredCallsUnderSpeedLimit = model.IntOf(100 + m*tt.inTime)
				}
				store.Services.Put(&model.Service{Code: model.TextOf("S"), Channel: model.Call, ChannelStats: calls})
				snap := store.Publish(now, model.Health{Link: model.Link{State: model.LinkUp}})
				for s := range 3 { // often enough that there is no gap of half a minute
					tr.Update(snap, now.Add(time.Duration(s)*20*time.Second))
				}
			}
			c, lacks := diagnosis.DayCause(tr, diagnosis.DayInput{
				Key: model.ServiceKey{Code: "S", Channel: model.Call}, Now: now, Formula: model.SLAllAbandons, TargetLevel: tt.level, TargetAbandonRate: tt.giveUp,
			})
			if c.Kind != tt.kind || c.Text != tt.text || lacks.In(nil) != tt.lacks {
				t.Errorf("%s %q, %q", c.Kind, c.Text, lacks.In(nil))
			}
		})
	}
}
