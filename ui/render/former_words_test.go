package render

import (
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
)

// TestFormerWordsOfStates checks that filters with the former words for states still find alerts and
// situations.
func TestFormerWordsOfStates(t *testing.T) {
	t.Parallel()
	ended := alert.Alert{Ended: time.Unix(1, 0)}
	for want, s := range map[string]State{
		"Ended":             alertState(&AlertEntry{Alert: ended}),
		"Watched":           attentionState(situation.AttentionMonitored, Warning),
		"Watched, critical": attentionState(situation.AttentionMonitored, Critical),
		"Recovered":         (&SituationRow{section: sectionRecovered}).state(),
	} {
		if got := s.formerWord(); got != want {
			t.Errorf("%s: got %q, want %q", s.Word.In(nil), got, want)
		}
	}
	if got := (&SituationRow{section: sectionEnded}).state().formerWord(); got != "Ended" {
		t.Errorf("an ended situation: %q", got)
	}
	for _, rule := range []string{alert.RuleServiceLevel, "abandon rate", "dry"} {
		if title := alert.RuleTitle(rule).In(nil); formerTitles[title] == "" || title == rule {
			t.Errorf("%s: %q, now %q", rule, formerTitles[title], title)
		}
	}
	rows := NewAlertRows()
	v := *view("")
	v.Alerts = NewAlerts(nil, []alert.Alert{{ID: "1", Rule: "dry", Ended: time.Unix(1, 0)}}, nil, nil)
	rows.Update(nil, &v)
	if rows.Len() != 1 || !rows.Matches(0, "ended") || !rows.Matches(0, "list empty") || !rows.Matches(0, "resolved") || rows.Matches(0, "recovered") {
		t.Errorf("%d rows, or one that is not found", rows.Len())
	}
}
