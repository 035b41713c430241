package config

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/breaks"
	"wallboard/model"
)

// TestBreakLimits checks that the limits of agents' states follow the warning rules, and that the limits of a
// code follow the block of the code.
func TestBreakLimits(t *testing.T) {
	t.Parallel()
	c := Default()
	c.Breaks = []Break{{Code: "LUNCH", PerTime: 45 * time.Minute}, {Code: "PAUSE", PerDay: time.Hour}, {Code: "P7", Kind: "restroom"}}
	limits := c.BreakLimits()
	for _, tt := range []struct {
		status model.UserStatus
		code   string
		want   time.Duration // 0: none
	}{
		{model.WNR, "", 2 * time.Minute},
		{model.NotReady, "PROJECT", 15 * time.Minute},
		{model.NotReady, "MEETING", 90 * time.Minute},
		{model.NotReady, "P7", 10 * time.Minute},
		{model.NotReadyBusy, "P7", 20 * time.Minute}, // on a call, the break begins after it
		{model.NotReady, "LUNCH", 45 * time.Minute},
		{model.NotReady, "PAUSE", 15 * time.Minute}, // allowed for a day, not at once
		{model.Busy, "LUNCH", 20 * time.Minute},
		{model.Ready, "", 0},
	} {
		a := &model.AgentFigures{Status: tt.status, ActivityCode: model.TextOf(tt.code)}
		if d, ok := limits.LimitFor(a); d != tt.want || ok != (tt.want > 0) {
			t.Errorf("%s with %q may last %v, want %v", tt.status, tt.code, d, tt.want)
		}
	}
	var none breaks.Limits
	if _, ok := none.LimitFor(&model.AgentFigures{Status: model.WNR}); ok {
		t.Error("without limits there is one")
	}
}

// TestNotReadySparesBreaks checks that the rule "not ready" ignores codes with their own
// limit.
func TestNotReadySparesBreaks(t *testing.T) {
	t.Parallel()
	c := Default()
	c.Breaks = []Break{{Code: "LUNCH", PerTime: 45 * time.Minute}}
	e, err := alert.New(c.AlertOptions(c.Names()))
	if err != nil {
		t.Fatal(err)
	}
	store := model.NewStore()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for name, code := range map[string]string{"anna": "LUNCH", "bruno": "PROJECT", "carla": ""} {
		r := &model.UserStat{Username: model.TextOf(name)}
		r.Channel, r.Status, r.TimeInState = model.Call, model.NotReady, model.InstantOf(now.Add(-20*time.Minute))
		if code != "" {
			r.ActivityCode = model.TextOf(code)
		}
		store.UserStats.Put(r)
	}
	e.Evaluate(store.Publish(now, model.Health{
		Link:          model.Link{State: model.LinkUp},
		Subscriptions: []model.Subscription{{Name: model.OpUserStats, State: model.SubLive}},
	}), now)
	got := map[string]bool{}
	for _, a := range e.Active() {
		got[a.Key.Code] = true
	}
	if got["anna"] || !got["bruno"] || !got["carla"] {
		t.Errorf("alerts about %v, want them about all but anna, who is at lunch", got)
	}
}

// TestKeysOfManyPartsAreRefused reads one long dotted key, for which the library would need
// quadratic memory.
func TestKeysOfManyPartsAreRefused(t *testing.T) {
	t.Parallel()
	for _, n := range []int{16 << 10, 64 << 10, 256 << 10} {
		_, err := parse("\nx"+strings.Repeat(".a", n/2)+" = 1", configFile{path: "c.toml"}, Options{})
		if err == nil || !strings.Contains(err.Error(), "c.toml:2") || !strings.Contains(err.Error(), "more than 20 parts") {
			t.Errorf("%d KiB: %v", n>>10, err)
		}
	}
}
