package headless

import (
	"encoding/json"
	"testing"
	"time"

	"wallboard/alert"
	"wallboard/model"
	"wallboard/situation"
	"wallboard/situation/cause"
)

// staged is a situation with all there is to say of one.
func staged() situation.Situation {
	return situation.Situation{
		ID: "x", Place: situation.Place{Key: alert.Key{Scope: alert.Service, Code: "S", Channel: model.Call}, Title: "Contracts PT"},
		Level: alert.Critical, FromStart: true, Headline: "10 callers wait, the longest 1:10.", Hurts: 10, Times: 2, Total: time.Minute,
		Causes: []cause.Cause{{
			Kind: cause.FewerAgents, Text: "4 of 7 agents went to MEETING at 14:00.", Share: model.FigureOf(0.9), Agents: model.FigureOf(4),
			Then: model.FigureOf(7), Now: model.FigureOf(3), Unit: cause.Agents, Basis: "in the 30 min before 14:00", Steps: []string{"7 at work then, 3 now"},
		}, {Kind: cause.CampaignBinds, Text: "It rings 3 contacts and none of its agents is free."}},
		Help: situation.Help{
			Needed: []situation.Staffing{{More: 2, Clear: 3 * time.Minute, Known: true}}, ByItself: 10 * time.Minute, ByItselfKnown: true,
			Who: []situation.Helper{{Username: "anna", Name: "Rossi Anna", Where: "ready for 1:00"}}, Assumptions: []string{"as now"},
		},
		Alerts: []alert.Alert{{ID: "a"}},
	}
}

// TestLineSaysWhyAndWhatHelps names the situation, its largest cause and what helps most.
func TestLineSaysWhyAndWhatHelps(t *testing.T) {
	t.Parallel()
	s := staged()
	const want = "Contracts PT: 10 callers wait, the longest 1:10. Why: 4 of 7 agents went to MEETING at 14:00. What helps: 2 more agents clear it in 3 min."
	if got := told(&s); got != want {
		t.Errorf("%q", got)
	}
	s.Causes, s.Unexplained, s.Help = nil, "The figures do not tell why.", situation.Help{}
	if got := told(&s); got != "Contracts PT: 10 callers wait, the longest 1:10." {
		t.Errorf("without a cause: %q", got)
	}
}

// TestSituationInJSON has the cause with its arithmetic and who could help, and null for
// what is unknown.
func TestSituationInJSON(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(situationsOf(&situation.View{Live: []situation.Situation{staged()}, Today: []situation.Situation{{ID: "y"}}}))
	if err != nil {
		t.Fatal(err)
	}
	var docs []struct {
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
			Who         []struct{ Username, Where string }
			Assumptions []string
		}
		Alerts []string
	}
	if err := json.Unmarshal(b, &docs); err != nil || len(docs) != 2 {
		t.Fatalf("%v: %s", err, b)
	}
	d := docs[0]
	for what, is := range map[string]bool{
		"the head":             d.Severity == "critical" && d.FromStart && len(d.Alerts) == 1 && docs[1].Severity == "today",
		"two causes":           len(d.Causes) == 2,
		"who could help":       len(d.Help.Who) == 1 && d.Help.Who[0].Username == "anna" && len(d.Help.Assumptions) == 1,
		"how many it takes":    len(d.Help.Needed) == 1 && d.Help.Needed[0].MoreAgents == 2 && d.Help.Needed[0].ClearInSeconds == 180,
		"a time nobody knows":  docs[1].Help.ByItself == nil,
		"by itself":            d.Help.ByItself != nil && *d.Help.ByItself == 600,
		"the figures":          equal(d.Causes[0].Share, 0.9) && equal(d.Causes[0].Agents, 4) && equal(d.Causes[0].Then, 7) && equal(d.Causes[0].Now, 3),
		"the words":            d.Causes[0].Kind == "fewer agents" && d.Causes[0].Unit == "agents" && d.Causes[0].Basis != "" && len(d.Causes[0].Steps) == 1,
		"figures that are not": d.Causes[1].Share == nil && d.Causes[1].Agents == nil,
	} {
		if !is {
			t.Errorf("%s: %s", what, b)
		}
	}
}

func equal(v *float64, want float64) bool { return v != nil && *v == want }
