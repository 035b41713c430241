package headless

import (
	"encoding/json"
	"testing"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/alert/situation"
	"wallboard/model"
)

// staged is a complete situation.
func staged() situation.Situation {
	return situation.Situation{
		ID: "x", Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call}, Title: "Contracts PT"},
		Level: alert.Critical, FromStart: true, Headline: "10 callers waiting, longest 1:10.", Affected: 10, OccurrencesToday: 2, TotalToday: time.Minute,
		Causes: []diagnosis.Cause{{
			Kind: diagnosis.FewerAgents, Text: "4 of 7 agents went to MEETING at 14:00.", Share: model.FigureOf(0.9), Agents: model.FigureOf(4),
			Before: model.FigureOf(7), Now: model.FigureOf(3), Unit: diagnosis.UnitAgents, Basis: "in the 30 min before 14:00", Steps: []string{"7 at work then, 3 now"},
		}, {Kind: diagnosis.CampaignNoFreeAgent, Text: "3 contacts ringing, no agent free."}},
		Help: situation.Help{
			Needed: situation.Staffing{MoreAgents: 2, ClearTime: 3 * time.Minute}, Estimate: situation.ClearEstimate{Duration: 10 * time.Minute, IsUpperLimit: true},
			Helpers: []situation.Helper{{Username: "anna", Name: "Rossi Anna", StateText: "ready for 1:00"}}, Assumptions: []string{"as now"},
		},
		Alerts: []alert.Alert{{ID: "a"}},
	}
}

// TestLineSaysWhyAndWhatHelps checks the status line: headline, main cause and best remedy.
func TestLineSaysWhyAndWhatHelps(t *testing.T) {
	t.Parallel()
	s := staged()
	const want = "Contracts PT: 10 callers waiting, longest 1:10. Why: 4 of 7 agents went to MEETING at 14:00. What helps: add 2 agents: clear in 3 min."
	if got := s.SummaryLine(); got != want {
		t.Errorf("%q", got)
	}
	s.Causes, s.UnexplainedReason, s.Help = nil, "The figures do not tell why.", situation.Help{}
	if got := s.SummaryLine(); got != "Contracts PT: 10 callers waiting, longest 1:10." {
		t.Errorf("without a cause: %q", got)
	}
}

// TestSituationInJSON checks causes and helpers in JSON, and null for unknown values.
func TestSituationInJSON(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(newSituationDocs(&situation.View{Live: []situation.Situation{staged()}, Today: []situation.Situation{{ID: "y"}}}))
	if err != nil {
		t.Fatal(err)
	}
	var docs []readSituation
	if err := json.Unmarshal(b, &docs); err != nil || len(docs) != 2 {
		t.Fatalf("%v: %s", err, b)
	}
	first, second := &docs[0], &docs[1]
	for _, found := range []map[string]bool{
		{
			"the head":            first.Severity == "critical" && first.FromStart && len(first.Alerts) == 1 && second.Severity == "today",
			"a time nobody knows": second.Help.ByItself == nil,
		},
		first.causes(), first.help(),
	} {
		for what, is := range found {
			if !is {
				t.Errorf("%s: %s", what, b)
			}
		}
	}
}

// readSituation is a situation as a program reads it from JSON.
type readSituation struct {
	Severity  string
	FromStart bool
	Causes    []struct {
		Kind, Unit, Basis        string
		Share, Agents, Then, Now *float64
		Steps                    []string
	}
	Help struct {
		Needed []struct {
			MoreAgents     int
			ClearInSeconds float64
		}
		ByItself    *float64 `json:"clearsByItselfInSeconds"`
		Within      bool     `json:"clearsByItselfWithin"`
		Who         []struct{ Username, Where string }
		Assumptions []string
	}
	Alerts []string
}

func (d *readSituation) causes() map[string]bool {
	if len(d.Causes) != 2 {
		return map[string]bool{"two causes": false}
	}
	c := &d.Causes[0]
	return map[string]bool{
		"the figures":          equal(c.Share, 0.9) && equal(c.Agents, 4) && equal(c.Then, 7) && equal(c.Now, 3),
		"the words":            c.Kind == "fewer agents" && c.Unit == "agents" && c.Basis != "" && len(c.Steps) == 1,
		"figures that are not": d.Causes[1].Share == nil && d.Causes[1].Agents == nil,
	}
}

func (d *readSituation) help() map[string]bool {
	h := &d.Help
	return map[string]bool{
		"who could help":    len(h.Who) == 1 && h.Who[0].Username == "anna" && len(h.Assumptions) == 1,
		"how many it takes": len(h.Needed) == 1 && h.Needed[0].MoreAgents == 2 && h.Needed[0].ClearInSeconds == 180,
		"by itself":         h.ByItself != nil && *h.ByItself == 600 && h.Within,
	}
}

func equal(v *float64, want float64) bool { return v != nil && *v == want }
