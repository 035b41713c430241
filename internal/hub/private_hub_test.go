package hub

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

func TestWhatATakeOverHoldsFor(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	after := func(d time.Duration) time.Time { return at.Add(d) }
	mark := recordedTakeOver{rule: "wait", level: alert.Warning, ack: alert.Ack{By: "Maria", At: at}}
	known := mark
	known.isLive, known.endedAt = true, after(5*time.Minute)
	of := func(level alert.Level, since time.Duration) alert.Alert {
		return alert.Alert{Rule: "wait", Level: level, Since: after(since)}
	}
	never := -time.Hour
	for name, tt := range map[string]struct {
		by          recordedTakeOver
		a           alert.Alert
		lifted, now time.Duration
		want        bool
	}{
		"of a mark":                     {mark, of(alert.Warning, -time.Minute), never, time.Second, true},
		"seen between two pictures":     {mark, of(alert.Warning, 5*time.Second), never, 5 * time.Second, true},
		"of one that came afterwards":   {mark, of(alert.Warning, time.Minute), never, time.Minute, false},
		"lifted as it became critical":  {mark, of(alert.Critical, -time.Minute), time.Minute, time.Minute, false},
		"critical, and a warning again": {mark, of(alert.Warning, -time.Minute), time.Minute, 2 * time.Minute, false},
		"known":                         {known, of(alert.Warning, 2*time.Minute), never, 3 * time.Minute, true},
		"known to have ended":           {known, of(alert.Warning, -time.Minute), never, 5 * time.Minute, false},
	} {
		if got := tt.by.appliesTo(&tt.a, after(tt.lifted), after(tt.now)); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	other := of(alert.Warning, -time.Minute)
	if other.Rule = "other"; mark.appliesTo(&other, after(never), at) {
		t.Error("an alert of another rule")
	}
}

// TestTakeOversKnownTwice checks that a take-over that is both in a mark and on the live board counts
// once.
func TestTakeOversKnownTwice(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	taken := model.TakenAlert{Rule: "wait", Scope: string(alert.Service), Code: "sales", Channel: model.Call, Level: int(alert.Warning)}
	marks := takeOversOf([]model.Mark{{At: at, Taken: taken}, {At: at, Text: "an action"}, {At: at.Add(time.Minute), Taken: taken}})
	if len(marks) != 2 || marks[0].ack.By != situation.AnonymousName || marks[0].level != alert.Warning {
		t.Fatalf("%+v", marks)
	}
	key := alert.Key{Scope: alert.Service, Code: "sales", Channel: model.Call}
	got := mergeTakeOvers(marks, []alert.Alert{
		{Rule: "wait", Key: key}, {Rule: "wait", Key: key, Ack: alert.Ack{By: "Maria", Note: "two more come", At: at.Add(time.Second)}},
	})
	if len(got) != 2 || got[0].ack.By != "Maria" || !got[0].isLive || got[1].isLive {
		t.Errorf("%+v", got)
	}
}
