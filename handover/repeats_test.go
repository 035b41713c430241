package handover

import (
	"strings"
	"testing"
	"time"

	"wallboard/alert"
	"wallboard/model"
)

// TestBusyShiftFitsAPage has sixty services, each in trouble over and over.
func TestBusyShiftFitsAPage(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	r := Report{At: at.Add(8 * time.Hour), From: at, Where: func(k alert.Key) string { return k.Code }}
	open := alert.Alert{
		Rule: "longest wait", Text: "Sales: 4 waiting, longest wait 1:10", Level: alert.Critical, Worst: alert.Critical, Since: at,
		Key: alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call},
	}
	r.Alerts = append(r.Alerts, open)
	for n := range 60 {
		for again := range 6 {
			a := open
			a.Key.Code, a.Since = "S"+string(rune('A'+n)), at.Add(time.Duration(again)*time.Hour)
			a.Ended = a.Since.Add(40 * time.Second)
			r.Alerts = append(r.Alerts, a)
		}
	}
	text := Markdown(r)
	if n := strings.Count(text, "\n"); n > 60 {
		t.Errorf("it has %d lines", n)
	}
	for _, want := range []string{
		"**One thing needs somebody now: Sales: 4 waiting, longest wait 1:10; 60 things came and went.**",
		"critical, 6 times since 09:00, 4:00 in all", "and 48 more that are over",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}
