package config

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
)

func breakCases() []problemCase {
	const lunch = "[[break]]\ncode = \"LUNCH\"\n"
	return []problemCase{
		{"breaks", rtd + lunch + "per_day = \"10s\"\n" + lunch + "per_day = \"1h\"\n[[break]]\nper_day = \"1h\"\n[[break]]\ncode = \"PAUSE\"\n" +
			"[[break]]\ncode = \"WC\"\nkind = \"restrom\"\n[[break]]\nkind = \"lunch\"\n[[break]]\nkind = \"other\"\nper_time = \"1h\"\n", `
DIR/config.toml:6: break[0].per_day: 10s is out of range; allowed: 1m0s to 24h0m0s
DIR/config.toml:8: break[1].code: "LUNCH" is set twice; keep one of them
DIR/config.toml:10: break[2].code: is missing; every [[break]] needs an activity code or a kind
DIR/config.toml:12: break[3]: sets no limit; set per_day, per_time or kind
DIR/config.toml:16: break[4].kind: "restrom" is not allowed; did you mean "restroom"? allowed: lunch, restroom, training, coaching, meeting, office work, short break, other
DIR/config.toml:17: break[5]: must set per_time and not per_day, because it has no code; set per_time only, or set code
DIR/config.toml:20: break[6].kind: "other" is not allowed; allowed: lunch, restroom, training, coaching, meeting, office work, short break`},
	}
}

// TestBreaksWarn checks the warning for an agent who exceeds the limit of a code, and its
// end.
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
	put("much", model.NotReady, `LUN"CH`, 10*time.Minute, 2701)
	put("fine", model.NotReady, `LUN"CH`, 30*time.Minute, 2700)
	put("back", model.Ready, "", time.Minute, 9000)
	put("other", model.NotReady, "MEETING", 89*time.Minute, 9000)
	evaluateUsers(e, store, now)
	got := make(map[string]string)
	for _, a := range e.Active() {
		if a.Rule != "not ready" {
			got[a.Rule+" "+a.Key.Code] = a.Level.String() + ": " + a.Text
		}
	}
	want := map[string]string{
		"Lunch too long long": `warning: long: LUN"CH for 31:00, 30:00 allowed (from config.toml)`, "Lunch of the day much": `warning: much: LUN"CH today 45:01, 45:00 allowed (from config.toml)`,
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

// TestKindsWarn checks the warning for a break that exceeds the limit of its kind, with the
// kind and its source, and that "not ready" only applies to breaks without a kind.
func TestKindsWarn(t *testing.T) {
	t.Parallel()
	off := true
	none := []Builtin{{Rule: alert.RuleBreakTooLong, Off: &off}}
	floor := []struct {
		name, code string
		so         time.Duration
	}{
		{"lunch", "LUNCH", 59 * time.Minute},
		{"lunches", "LUNCH", 61 * time.Minute},
		{"p7", "P7", 11 * time.Minute},
		{"named", "P8", 11 * time.Minute},
		{"project", "PROJECT", 16 * time.Minute},
		{"both", "TRAINING LUNCH", 16 * time.Minute},
		{"room", "MEETING ROOM", 16 * time.Minute},
		{"coach", "COACHING", 46 * time.Minute},
		{"none", "", 16 * time.Minute},
	}
	for name, tt := range map[string]struct {
		builtin []Builtin
		want    map[string]string
	}{
		"kinds": {nil, map[string]string{
			"lunches": "break too long: lunches: LUNCH for 1:01:00, 1:00:00 allowed: lunch, assumed from the name",
			"p7":      "break too long: p7: P7 for 11:00, 10:00 allowed: restroom, from config.toml",
			"named":   "break too long: named: P8 for 11:00, 10:00 allowed: restroom, assumed from the name",
			"coach":   "break too long: coach: COACHING for 46:00, 45:00 allowed: coaching, assumed from the name",
			"project": "not ready: project: not ready for 16:00, PROJECT",
			"both":    "not ready: both: not ready for 16:00, TRAINING LUNCH",
			"room":    "not ready: room: not ready for 16:00, MEETING ROOM",
			"none":    "not ready: none: not ready for 16:00",
		}},
		"off": {none, map[string]string{
			"lunch": "not ready: lunch: not ready for 59:00, LUNCH", "lunches": "not ready: lunches: not ready for 1:01:00, LUNCH",
			"project": "not ready: project: not ready for 16:00, PROJECT", "both": "not ready: both: not ready for 16:00, TRAINING LUNCH",
			"room": "not ready: room: not ready for 16:00, MEETING ROOM", "coach": "not ready: coach: not ready for 46:00, COACHING",
			"none": "not ready: none: not ready for 16:00",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := Default()
			c.Builtin = tt.builtin
			c.Breaks = []Break{{Code: "P7", Kind: "restroom"}, {Code: "MEETING ROOM", Kind: "other"}, {Kind: "coaching", PerTime: 45 * time.Minute}}
			c.RTD.Names = []Name{{Kind: "activity", Code: "P8", Name: "Bio break"}}
			e, err := alert.New(c.AlertOptions(c.Names()))
			if err != nil {
				t.Fatal(err)
			}
			now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
			store := model.NewStore()
			for _, a := range floor {
				r := &model.UserStat{Username: model.TextOf(a.name)}
				r.Channel, r.Status, r.TimeInState = model.Call, model.NotReady, model.InstantOf(now.Add(-a.so))
				r.ActivityCode = model.TextOf(a.code)
				store.UserStats.Put(r)
			}
			evaluateUsers(e, store, now)
			got := make(map[string]string)
			for _, a := range e.Active() {
				got[a.Key.Code] = a.Rule + ": " + a.Text
			}
			for who, want := range tt.want {
				if got[who] != want {
					t.Errorf("of %s the alert is %q, want %q", who, got[who], want)
				}
			}
			if len(got) != len(tt.want) {
				t.Errorf("the alerts are %q", got)
			}
		})
	}
}

// evaluateUsers evaluates the users of a store with a live feed.
func evaluateUsers(e *alert.Engine, store *model.Store, now time.Time) {
	e.Evaluate(store.Publish(now, model.Health{
		Link:          model.Link{State: model.LinkUp},
		Subscriptions: []model.Subscription{{Name: model.OpUserStats, State: model.SubLive}},
	}), now)
}
