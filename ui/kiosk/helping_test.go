package kiosk

import (
	"slices"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/ui/style"
)

// TestWallSaysWhatHelps checks that the ticker shows cause and remedy together, or in turn
// if there is no room.
func TestWallSaysWhatHelps(t *testing.T) {
	t.Parallel()
	s := &situation.Situation{Help: situation.Help{
		Needed: situation.Staffing{MoreAgents: 2, ClearTime: 3 * time.Minute}, Helpers: []situation.Helper{{Name: "Rossi Anna", StateText: "ready for 0:44"}},
	}}
	helps := remedyTexts(&style.Look{}, s, 100)
	if want := []string{"what helps: add 2 agents: clear in 3 min, move Rossi Anna (ready for 0:44)", "what helps: add 2 agents: clear in 3 min"}; !slices.Equal(helps, want) {
		t.Fatalf("%q", helps)
	}
	why := []string{"why: lunch"}
	if got := combineCausesAndRemedies(why, helps); got[1] != "why: lunch · what helps: add 2 agents: clear in 3 min" {
		t.Errorf("%q", got)
	}
	if a, b := alternateTexts(0, why, helps), alternateTexts(1, why, helps); !slices.Equal(a, why) || !slices.Equal(b, helps) {
		t.Errorf("%q, then %q", a, b)
	}
	if got := alternateTexts(0, []string{""}, helps); !slices.Equal(got, helps) {
		t.Errorf("with an unknown cause: %q", got)
	}
	if got := remedyTexts(&style.Look{}, new(situation.Situation), 100); got != nil {
		t.Errorf("%q of nothing", got)
	}
}

// TestLargeTextsOfAnUnstaffedService checks that the ticker says in large letters that no agent is logged
// in, also if there is no room for the number of waiting contacts.
func TestLargeTextsOfAnUnstaffedService(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string][]string{
		alert.RuleUnstaffed:   {"Billing   3 waiting, no agents", "Billing   no agents", "Billing"},
		alert.RuleLongestWait: {"Billing   3 waiting", "Billing"},
	} {
		s := &situation.Situation{Place: situation.Place{Title: "Billing"}, Affected: 3, Alerts: []alert.Alert{{Rule: rule}}}
		if got := largeLetterTexts(&style.Look{}, s); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
}
