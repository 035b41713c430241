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

// TestReview writes the review of an ended incident: its timeline in order of time, without events of other
// times and places, the ticked playbook, the cost, and the rules that would have alerted earlier.
func TestReview(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 2, 14, 3, 0, 0, time.UTC)
	at := func(minute int) time.Time { return began.Add(time.Duration(minute) * time.Minute) }
	place := alert.Key{Scope: alert.Service, Code: "A", Channel: model.Call}
	raised := alert.Alert{
		ID: "1", Rule: "nobody ready", Key: place, Level: alert.Critical, HighestLevel: alert.Critical, Since: at(0), Raised: began.Add(30 * time.Second), LevelSince: at(4),
		Ended: at(10), Text: "Sales: nobody ready", Ack: alert.Ack{By: "Anna", Note: "on it", At: at(2)},
	}
	earlier := raised
	earlier.ID, earlier.Since, earlier.Raised, earlier.Ended = "0", at(-60), at(-60), at(-50)
	past := situation.PastSituation{
		Place: situation.Place{Key: place, Title: "Sales"}, Headline: "At the worst 9 callers waited", HighestLevel: alert.Critical, EpisodeCount: 2,
		Began: at(20), Ended: at(22), Alerts: []alert.Alert{earlier, raised},
		WorstEpisode: situation.PastEpisode{Began: at(0), Ended: at(10), Level: alert.Critical, Alerts: []alert.Alert{raised}, Causes: []string{"Two agents left."}},
	}
	item := func(text string) situation.PlaybookItem { return situation.PlaybookItem{Section: "Do", Text: text} }
	note := func(minute int, text string) model.Note {
		return model.Note{ID: text, At: at(minute), Until: at(minute + 60), Text: text, By: "Bob"}
	}
	report := handover.Report{
		Site: "Bolzano", At: at(60),
		Notes: []model.Note{
			situation.NewTick(note(3, "Call back"), place, item("Call back")), note(5, "IVR down"),
			situation.NewTick(note(6, "Elsewhere"), alert.Key{Scope: alert.Service, Code: "B", Channel: model.Call}, item("Call back")), note(40, "Later"),
		},
		Actions: []handover.Action{{At: at(4), UserName: "Anna", Action: "stop campaign", Target: "campaign 302", Outcome: "confirmed", AffectsWaits: true}, {At: at(30), Action: "later action"}},
	}
	review := report.ReviewOf(past.IncidentSummary(), []situation.Playbook{{Rule: "nobody ready", Checks: []string{"IVR"}, Steps: []string{"Call back"}, EndCondition: "no one waiting"}})
	review.Recording = "/home/anna/incident.wbr"
	err := review.Report.MeasureEffects(t.Context(), func(_ context.Context, actions []analysis.Action) ([]string, error) {
		out := make([]string, len(actions))
		for i := range out {
			out[i] = "wait went down"
		}
		return out, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	review.MeasureCost(t.Context(), func(_ context.Context, scope analysis.Scope, from, to time.Time) (analysis.IncidentCost, bool, error) {
		if scope.Service != "A" || !from.Equal(at(0)) || !to.Equal(at(10)) {
			t.Errorf("measured %+v from %v to %v", scope, from, to)
		}
		return analysis.IncidentCost{
			Received: 40, Abandoned: 10, Answered: 30, AnsweredInTime: 12, MostWaiting: 9, LongestWait: 95 * time.Second, WaitingSince: at(-2),
			EarlierReceived: 400, EarlierAbandoned: 20, EarlierAnswered: 380, EarlierInTime: 342,
		}, true, nil
	})
	want := `# Incident review: Sales

Bolzano, Monday, 2 March 2026, 14:03–14:13, 10:00, critical.

At the worst 9 callers waited.

## Timeline
- 14:03:00 began
- 14:03:30 alert “none available”: Sales
- 14:05:00 taken over by Anna: on it
- 14:06:00 done: Call back (Bob)
- 14:07:00 critical: “none available”
- 14:07:00 Anna: stop campaign 302, confirmed
- 14:08:00 note: IVR down, until 15:08 (Bob)
- 14:13:00 resolved

## Cause
- Two agents left.

## Actions and their effect
- Anna: stop campaign 302, confirmed: wait went down
- take-over by Anna: wait went down

## Playbook
- [ ] Check: IVR
- [x] Do: Call back (Bob, 14:06)

Resolved when: no one waiting

## Impact on contacts
- Abandoned: 10 of 40 (25.0 %); earlier that day 5.0 %
- Answered late: 18 of 30 (60.0 %); earlier that day 10.0 %
- Abandoned beyond the earlier rate: 8
- Peak: 9 waiting, longest wait 1:35

## Could a rule have alerted earlier?
- “none available” was true 0:30 before it alerted. On the board, ` + "`:try nobody ready.for=0s` shows what a shorter `for`" + ` would have raised.
- Contacts had been waiting since 14:01:00, 2:30 before the first alert.

## Recording
` + "`wallboard play incident.wbr`\n"
	if got := handover.ReviewMarkdown(review); got != want {
		t.Errorf("got:\n%s", got)
	}
	past.WorstEpisode.Alerts[0].Text, past.Place.Title = "No one can take calls", "Support: Tier 1"
	if got := handover.ReviewMarkdown(report.ReviewOf(past.IncidentSummary(), nil)); !strings.Contains(got, "alert “none available”: Support: Tier 1\n") {
		t.Errorf("got:\n%s", got)
	}
	review.Cost = nil
	review.MeasureCost(t.Context(), func(context.Context, analysis.Scope, time.Time, time.Time) (analysis.IncidentCost, bool, error) {
		return analysis.IncidentCost{}, false, errors.New("the file is damaged")
	})
	if got := handover.ReviewMarkdown(review); !strings.Contains(got, "Unknown: the file is damaged") {
		t.Errorf("got:\n%s", got)
	}
}
