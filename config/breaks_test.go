package config

import (
	"testing"
	"time"

	"wallboard/alert"
	"wallboard/model"
)

func breakCases() []problemCase {
	const lunch = "[[break]]\ncode = \"LUNCH\"\n"
	return []problemCase{
		{"breaks", rtd + lunch + "per_day = \"10s\"\n" + lunch + "per_day = \"1h\"\n[[break]]\nper_day = \"1h\"\n[[break]]\ncode = \"PAUSE\"\n", `
DIR/config.toml:6: break[0].per_day: 10s is out of range; allowed: 1m0s to 24h0m0s
DIR/config.toml:8: break[1].code: "LUNCH" stands there twice; keep one of them
DIR/config.toml:10: break[2].code: is missing; every [[break]] needs the activity code that it is about
DIR/config.toml:12: break[3]: allows everything; set per_day, per_time or both`},
	}
}

// TestBreaksWarn who is over what a code allows, on it and not afterwards.
func TestBreaksWarn(t *testing.T) {
	t.Parallel()
	c := Default()
	c.Breaks = []Break{{Code: `LUN"CH`, PerDay: 45 * time.Minute, PerTime: 30 * time.Minute}}
	c.RTD.Names = []Name{{Kind: "activity", Code: `LUN"CH`, Name: "Lunch"}}
	e, err := alert.New(c.AlertOptions(c.Names()))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	store := model.NewStore()
	put := func(name string, is model.UserStatus, code string, since time.Duration, used int64) {
		r := &model.UserStat{Username: model.TextOf(name)}
		r.Channel, r.Status, r.ActivityCode, r.TimeInState = model.Call, is, model.TextOf(code), model.InstantOf(now.Add(-since))
		r.TimeInActivityCode = []model.ActivityTime{{ActivityCode: `LUN"CH`, TotalTime: model.IntOf(used)}}
		store.UserStats.Put(r)
	}
	put("long", model.NotReady, `LUN"CH`, 31*time.Minute, 2000)
	put("much", model.NotReadyBusy, `LUN"CH`, 10*time.Minute, 2701)
	put("fine", model.NotReady, `LUN"CH`, 30*time.Minute, 2700)
	put("back", model.Ready, "", time.Minute, 9000)
	put("other", model.NotReady, "MEETING", 29*time.Minute, 9000)
	e.Evaluate(store.Publish(now, model.Health{
		Link:          model.Link{State: model.LinkUp},
		Subscriptions: []model.Subscription{{Name: model.OpUserStats, State: model.SubLive}},
	}), now)
	got := make(map[string]string)
	for _, a := range e.Active() {
		if a.Rule != "not ready" {
			got[a.Rule+" "+a.Key.Code] = a.Level.String() + ": " + a.Text
		}
	}
	want := map[string]string{
		"Lunch too long long": `warning: long: LUN"CH for 31:00, 30:00 allowed`, "Lunch of the day much": `warning: much: LUN"CH today 45:01, 45:00 allowed`,
	}
	for k, text := range want {
		if got[k] != text {
			t.Errorf("%s is %q, want %q", k, got[k], text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("the alerts are %q", got)
	}
}
