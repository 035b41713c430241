package diagnosis_test

import (
	"testing"

	"wallboard/internal/alert/diagnosis"
	"wallboard/model"
)

func TestShortCauses(t *testing.T) {
	t.Parallel()
	of := func(k diagnosis.CauseKind, then, now float64) diagnosis.Cause {
		return diagnosis.Cause{Kind: k, Text: "In full.", Before: model.FigureOf(then), Now: model.FigureOf(now)}
	}
	for want, c := range map[string]diagnosis.Cause{
		"3 agents at work, down from 7":                  of(diagnosis.FewerAgents, 7, 3),
		"talk time 5:10, up from 3:00":                   of(diagnosis.LongerHandling, 180, 310),
		"after-call work 2:00, up from 0:40":             of(diagnosis.LongerWrapUp, 40, 120),
		"1 agent busy elsewhere":                         of(diagnosis.AgentsBusyElsewhere, 0, 1),
		"no agent has the skill":                         {Kind: diagnosis.SkillMissing},
		"agents available but not getting them":          {Kind: diagnosis.Routing},
		"out of contacts":                                {Kind: diagnosis.CampaignOutOfContacts},
		"no agent free":                                  {Kind: diagnosis.CampaignNoFreeAgent},
		"The connection to the platform is not up: away": {Kind: diagnosis.FeedStale, Text: "The connection to the platform is not up: away."},
		"In full": {Kind: diagnosis.FewerAgents, Text: "In full."}, // the change is unknown
	} {
		if got := c.ShortText(); got != want {
			t.Errorf("%s: %q, want %q", c.Kind, got, want)
		}
	}
}
