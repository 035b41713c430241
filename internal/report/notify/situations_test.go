package notify

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
)

// queue returns a situation with the given alerts.
func queue(level alert.Level, alerts ...alert.Alert) *situation.Situation {
	return &situation.Situation{
		ID: "s", Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: "S"}, Title: "Contracts PT"}, Level: level,
		Headline: "10 callers waiting, longest 1:10.", Causes: []diagnosis.Cause{{Text: "4 of 7 agents went to MEETING at 14:00"}},
		Help:   situation.Help{Needed: situation.Staffing{MoreAgents: 2, ClearTime: 3 * time.Minute}},
		Alerts: alerts, Since: time.Now(),
	}
}

func critical(id string, notify ...string) alert.Alert {
	return alert.Alert{ID: id, Rule: id, Level: alert.Critical, Notify: notify}
}

// TestASituationIsToldOnce checks that three alerts of one place lead to one message, with the cause and a
// suggestion, and that its end leads to another one.
func TestASituationIsToldOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPhone(t, func(t *Target) { t.Events = events() })
		defer p.stop()
		sit := queue(alert.Critical, critical("a"), critical("b"))
		p.NotifySituations("", []situation.Change{{Kind: situation.ChangeBegun, Situation: sit, NewAlerts: sit.Alerts}})
		const want = "1 critical: Contracts PT: 10 callers waiting, longest 1:10. Why: 4 of 7 agents went to MEETING at 14:00. What helps: add 2 agents: clear in 3 min"
		if got := p.after(time.Second); got != want {
			t.Errorf("sent %q", got)
		}
		sit.Alerts = append(sit.Alerts, critical("c"))
		p.NotifySituations("", []situation.Change{{Kind: situation.ChangeJoined, Situation: sit, NewAlerts: sit.Alerts[2:]}})
		if got := p.after(time.Second); got != "" {
			t.Errorf("sent %q about an alert that joined a known situation", got)
		}
		p.NotifySituations("", []situation.Change{{Kind: situation.ChangeEnded, Situation: sit, Headline: "At the worst 12 callers waited.", Ended: sit.Since.Add(time.Minute)}})
		if got := p.after(time.Second); got != "1 resolved after 1:00: Contracts PT: At the worst 12 callers waited" {
			t.Errorf("sent %q", got)
		}
	})
}

// TestMomentaryAlertHasNoDuration checks that a duration below a second is omitted.
func TestMomentaryAlertHasNoDuration(t *testing.T) {
	t.Parallel()
	n := pendingMessage{event: EventEnd, alert: critical("a")}
	n.alert.Since = time.Now()
	n.alert.Ended = n.alert.Since.Add(700 * time.Millisecond)
	m := newMessage("floor", n, 0, 0, nil)
	if !strings.HasPrefix(m.Text, "resolved: ") || m.headline() != "Resolved" {
		t.Errorf("%q, headline %q", m.Text, m.headline())
	}
}

// TestASituationIsToldToWhoseItIs checks that a target is told only of its own alerts, also if one of them
// joins the situation later.
func TestASituationIsToldToWhoseItIs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPhone(t, func(t *Target) { t.IsDefault, t.Events = false, events() })
		defer p.stop()
		sit := queue(alert.Critical, critical("a", "boss"))
		p.NotifySituations("", []situation.Change{{Kind: situation.ChangeBegun, Situation: sit, NewAlerts: sit.Alerts}})
		p.NotifySituations("", []situation.Change{{Kind: situation.ChangeEnded, Situation: sit}})
		if got := p.after(time.Second); got != "" {
			t.Errorf("sent %q about an alert for another target", got)
		}
		warning := critical("b", "floor")
		warning.Level = alert.Warning
		sit.Alerts = append(sit.Alerts, warning)
		p.NotifySituations("", []situation.Change{{Kind: situation.ChangeJoined, Situation: sit, NewAlerts: sit.Alerts[1:]}})
		if got := p.after(time.Second); got != "" {
			t.Errorf("sent %q about a warning, want only critical alerts", got)
		}
		silent := critical("c", "floor")
		silent.SilentUntil = time.Now().Add(time.Hour)
		sit.Alerts = append(sit.Alerts, silent)
		p.NotifySituations("", []situation.Change{{Kind: situation.ChangeJoined, Situation: sit, NewAlerts: sit.Alerts[2:]}})
		if got := p.after(time.Second); got != "" {
			t.Errorf("sent %q about a silenced alert", got)
		}
		sit.Alerts = append(sit.Alerts, critical("d", "floor"))
		p.NotifySituations("", []situation.Change{{Kind: situation.ChangeJoined, Situation: sit, NewAlerts: sit.Alerts[3:]}})
		if got := p.after(time.Second); !strings.HasPrefix(got, "1 critical: Contracts PT") {
			t.Errorf("sent %q", got)
		}
	})
}

// TestReasonsInEveryForm checks that a card, a mail and the JSON contain the cause and the suggestion.
func TestReasonsInEveryForm(t *testing.T) {
	t.Parallel()
	w := &worker{target: &Target{Name: "floor", IsDefault: true, MinSeverity: alert.Critical}}
	sit := queue(alert.Critical, critical("a"))
	n, is := w.situationMessage(&situation.Change{Kind: situation.ChangeBegun, Situation: sit, NewAlerts: sit.Alerts})
	if !is {
		t.Fatal("no message")
	}
	m := newMessage("floor", n, 0, 0, nil)
	card, err := (&Target{WebhookFormat: FormTeams}).webhookBody(m)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	mail := (&Mail{To: []string{"a@example.org"}, From: "b@example.org"}).renderMail(m, time.Now())
	for form, text := range map[string]string{"card": string(card), "JSON": string(doc), "mail": string(mail)} {
		for _, want := range []string{"4 of 7 agents went to MEETING at 14:00", "add 2 agents: clear in 3 min", "10 callers wait"} {
			if !strings.Contains(strings.ReplaceAll(text, "=\r\n", ""), want) {
				t.Errorf("%s: no %q in %s", form, want, text)
			}
		}
	}
}

// TestFiguresOfTheDayAreQuiet checks that a target for warnings gets no message about a figure of the day
// unless the rule names the target. Then it gets one message a day, even after a restart.
func TestFiguresOfTheDayAreQuiet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		warning := func(notify ...string) []situation.Change {
			a := alert.Alert{ID: "abandon", Rule: "abandon rate", Level: alert.Warning, Notify: notify}
			sit := queue(alert.Warning, a)
			return []situation.Change{{Kind: situation.ChangeBegun, Situation: sit, Daily: true, NewAlerts: sit.Alerts}}
		}
		ledger := kept{sent: make(map[string][]time.Time), days: make(map[string]map[string]string)}
		start := func() *phone {
			p := newSilentPhone(func(t *Target) { t.MinSeverity = alert.Warning })
			p.workers[0].deliveryStore = ledger
			p.workers[0].loadDeliveries()
			p.begin(t)
			return p
		}
		p := start()
		p.NotifySituations("", warning())
		if got := p.after(time.Second); got != "" {
			t.Errorf("sent %q about a figure of the day", got)
		}
		live := warning()
		live[0].Daily = false
		p.NotifySituations("", live)
		if got := p.after(time.Second); !strings.Contains(got, "warning: Contracts PT") {
			t.Errorf("sent %q about a live situation", got)
		}
		p.NotifySituations("milan", warning("floor"))
		if got := p.after(time.Second); !strings.Contains(got, "warning: milan: Contracts PT") {
			t.Errorf("sent %q about a rule that names the target", got)
		}
		p.stop()
		p = start()
		p.NotifySituations("milan", warning("floor"))
		if got := p.after(time.Second); got != "" {
			t.Errorf("after a new start: %q", got)
		}
		<-time.After(24 * time.Hour)
		p.NotifySituations("milan", warning("floor"))
		if got := p.after(time.Second); !strings.Contains(got, "warning: milan: Contracts PT") {
			t.Errorf("on the next day: %q", got)
		}
		p.stop()
	})
}
