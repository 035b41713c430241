package handover_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/record/analysis"
	"wallboard/internal/report/handover"
	"wallboard/model"
)

// TestEffects checks that effects follow the actions and acknowledgements, and that no effect is stated if it
// is unknown.
func TestEffects(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 14, 20, 0, 0, time.UTC)
	report := func() handover.Report {
		r := handover.Report{
			At: at.Add(time.Hour), From: at.Add(-time.Hour),
			Actions: []handover.Action{
				{At: at, UserName: "anna", Action: "stop campaign", Target: "Win-back", Outcome: "confirmed", AffectsWaits: true},
				{At: at, UserName: "anna", Action: "hang up", Target: "Ben", Outcome: "confirmed"},
			},
			Alerts: []alert.Alert{
				{ID: "1", Rule: "wait", Key: alert.Key{Scope: alert.Service, Code: "S1", Channel: model.Chat}, Text: "Sales: wait 1:10", Ended: at.Add(time.Minute), Ack: alert.Ack{By: "anna", At: at}},
				{ID: "2", Rule: "break", Key: alert.Key{Scope: alert.User, Code: "ben"}, Text: "Ben: break", Ended: at.Add(time.Minute), Ack: alert.Ack{By: "anna", At: at}},
			},
		}
		for i := range r.Alerts {
			r.Alerts[i].Since, r.Alerts[i].HighestLevel = at.Add(-time.Hour), alert.Critical
		}
		r.PastSituations = situation.SummarizeEndedAlerts(nil, model.Names{}, r.Alerts, nil)
		return r
	}
	r := report()
	var asked []analysis.Action
	err := r.MeasureEffects(t.Context(), func(_ context.Context, deeds []analysis.Action) ([]string, error) {
		asked = deeds
		return []string{"wait went from 1:10 to 0:18 in 6 min", "wait went from 0:40 to 0:40 in 10 min"}, nil
	})
	if err != nil || len(asked) != 2 || asked[0].Description != "stop campaign Win-back" || asked[1].Scope != (analysis.Scope{Channel: model.Chat, Service: "S1"}) {
		t.Fatal(asked, err)
	}
	text := handover.Markdown(r)
	for _, want := range []string{
		"stop campaign Win-back, **confirmed**. Wait went from 1:10 to 0:18 in 6 min",
		"Taken over by anna at 14:20; wait went from 0:40 to 0:40 in 10 min",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Count(text, "ait went") != 2 {
		t.Error(text)
	}
	r = report()
	if err := r.MeasureEffects(t.Context(), nil); err != nil || strings.Contains(handover.Markdown(r), "wait went") {
		t.Error(err, handover.Markdown(r))
	}
	broken := errors.New("the disk is away")
	if err := r.MeasureEffects(t.Context(), func(context.Context, []analysis.Action) ([]string, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}
