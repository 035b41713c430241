package ui

import (
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/alert"
	"wallboard/model"
	"wallboard/ui/uitest"
)

// serviceAlert returns the alert about the service on the floor on the screen, or nil if there is none.
func (th *theatre) serviceAlert() *alert.Alert {
	for _, a := range th.v.shownFloor.scene.Alerts.Active() {
		if a.Key.Scope == alert.Service && !a.Daily {
			return &a
		}
	}
	return nil
}

// TestTakeOversOfThePast replays the time before and after a take-over, which is known from recorded
// marks and from the live board.
func TestTakeOversOfThePast(t *testing.T) {
	t.Parallel()
	for name, live := range map[string]bool{"marked": false, "known": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { takeOversOfThePast(t, live) })
		})
	}
}

func takeOversOfThePast(t *testing.T, live bool) {
	rules := alert.Options{Rules: alert.DefaultRules(), Goal: alert.DefaultGoal()}
	engine := uitest.NewEngine(t, rules)
	th := newTheatre(t, func(o *Options) { o.Alerts = engine })
	now := time.Now()
	rewound := func(ago string) *alert.Alert {
		th.press(":")
		for _, r := range "back " + ago {
			th.press(string(r))
		}
		th.press("enter", "space")
		th.pass(2 * time.Second)
		return th.serviceAlert()
	}
	a := rewound("7m")
	if a == nil || a.Ack != (alert.Ack{}) {
		t.Fatalf("there is no alert, or somebody has taken it over: %+v", a)
	}
	th.press("Z")
	at := now.Add(-6*time.Minute - 30*time.Second)
	if live {
		a.Ack, a.Ended = alert.Ack{By: "Maria", Note: "two more come", At: at}, now.Add(-4*time.Minute)
		th.v.liveFloor.scene.Alerts = uitest.NewEngine(t, rules, func(e *alert.Engine) { e.RestoreActive([]alert.Alert{*a}) })
	} else {
		th.film.marks = []model.Mark{{At: at, Kind: model.MarkNote, Text: "Taken over", Taken: model.TakenAlert{
			Rule: a.Rule, Scope: string(a.Key.Scope), Code: a.Key.Code, Channel: a.Key.Channel, Level: int(alert.Critical), By: "Maria",
		}}}
	}
	if a = rewound("6m"); a == nil || a.Ack.By != "Maria" || !a.Ack.At.Equal(at) || live != (a.Ack.Note != "") {
		t.Fatalf("nobody has taken it over: %+v", a)
	}
	th.press("7")
	th.shows("Maria")
	th.press("<") // to an instant before the take-over
	th.pass(2 * time.Second)
	if a = th.serviceAlert(); a == nil || a.Ack != (alert.Ack{}) {
		t.Fatalf("a later take-over is already shown: %+v", a)
	}
	th.hides("Maria")
	for range 5 {
		th.press(".")
		th.pass(2 * time.Second)
	}
	if a = th.serviceAlert(); a == nil || a.Ack.By != "Maria" {
		t.Errorf("the take-over is missing when the replay continues: %+v", a)
	}
	th.shows("Maria")
}
