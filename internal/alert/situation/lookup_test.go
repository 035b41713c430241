package situation

import (
	"strings"
	"testing"
	"time"

	"wallboard/internal/alert/diagnosis"
)

// TestNamesGiveWayBeforeFigures describes helpers in less and less space.
func TestNamesGiveWayBeforeFigures(t *testing.T) {
	t.Parallel()
	sit := Situation{Help: Help{
		Needed:   Staffing{MoreAgents: 2, ClearTime: 3 * time.Minute},
		Estimate: ClearEstimate{Duration: 18 * time.Minute, IsUpperLimit: true},
		Helpers:  []Helper{{Name: "Featherstonehaugh Bartholomew", StateText: "ready for 12:41", Reason: "same group, not on this service", Cost: "leaves 2 available for Sales"}},
	}}
	for room, want := range map[int]string{
		115: "move Featherstonehaugh Bartholomew (ready for 12:41, same group, not on this service, leaves 2 available for Sales)",
		85:  "move Featherstonehaugh Bartholomew (ready for 12:41, leaves 2 available for Sales)",
		65:  "move Featherstonehaugh Bartholomew (ready for 12:41)",
		45:  "move Featherstonehaugh Bar… (ready for 12:41)",
		15:  "move Feat… (ready for 12:41)",
	} {
		_, got := sit.HelpPhrasesIn(room)
		if len(got) != 3 || got[0] != "add 2 agents: clear in 3 min" || got[1] != "otherwise it should clear on its own within 18 min" || got[2] != want {
			t.Errorf("in %d: %q, want %q last", room, got, want)
		}
	}
}

// TestForecastIsNoHelp checks that the forecast is separate from suggestions.
func TestForecastIsNoHelp(t *testing.T) {
	t.Parallel()
	sit := Situation{Help: Help{Estimate: ClearEstimate{Duration: 2 * time.Minute}}}
	if label, got := sit.HelpPhrases(); label != "forecast" || len(got) != 1 || got[0] != "it should clear on its own in about 2 min" {
		t.Errorf("%s: %q", label, got)
	}
	sit.Help.Helpers = []Helper{{Name: "Rossi Anna"}}
	if label, got := sit.HelpPhrases(); label != "what helps" || len(got) != 2 || got[1] != "otherwise it should clear on its own in about 2 min" {
		t.Errorf("%s: %q", label, got)
	}
	if label, got := new(Situation).HelpPhrases(); label != "" || got != nil {
		t.Errorf("%s: %q of nothing", label, got)
	}
}

// TestCausesAreSentences checks full stops in texts.
func TestCausesAreSentences(t *testing.T) {
	t.Parallel()
	sit := Situation{Causes: []diagnosis.Cause{{Text: "4 of 7 agents went to MEETING at 14:00"}, {Text: "A conversation takes 5:10; it took 3:00 before."}}}
	if got := strings.Join(sit.CauseLines(), " "); got != "4 of 7 agents went to MEETING at 14:00. A conversation takes 5:10; it took 3:00 before." {
		t.Errorf("%q", got)
	}
}

// TestOneNumberIsSaid checks that the number of additional agents is a single number,
// and not one per waiting contact if more arrive than are served.
func TestOneNumberIsSaid(t *testing.T) {
	t.Parallel()
	for want, h := range map[string]Help{
		"":                                    {},
		"add 17 agents: clear in 3 min":       {Needed: Staffing{MoreAgents: 17, ClearTime: 3 * time.Minute}, KeepUpAgents: 16},
		"add 1 agent: clear in 4 min":         {Needed: Staffing{MoreAgents: 1, ClearTime: 4 * time.Minute}, KeepUpAgents: 6},
		"needs one agent per waiting contact": {Needed: Staffing{MoreAgents: 5, OnePerContact: true}},
		"needs 16 more agents to keep up":     {Needed: Staffing{MoreAgents: 5, OnePerContact: true}, KeepUpAgents: 16},
		"needs 1 more agent to keep up":       {KeepUpAgents: 1},
	} {
		if got := h.StaffingText(); got != want {
			t.Errorf("%+v: %q, want %q", h, got, want)
		}
	}
}
