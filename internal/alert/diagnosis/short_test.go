package diagnosis_test

import (
	"testing"

	"wallboard/internal/alert/diagnosis"
	"wallboard/model"
)

func TestShortCauses(t *testing.T) {
	t.Parallel()
	of := func(k diagnosis.CauseKind, then, now float64) diagnosis.Cause {
		return diagnosis.Cause{Kind: k, Text: "In full.", Then: model.FigureOf(then), Now: model.FigureOf(now)}
	}
	for want, c := range map[string]diagnosis.Cause{
		"3 agents at work instead of 7":                  of(diagnosis.FewerAgents, 7, 3),
		"conversations take 5:10 instead of 3:00":        of(diagnosis.LongerHandling, 180, 310),
		"after-call work takes 2:00 instead of 0:40":     of(diagnosis.LongerWrapUp, 40, 120),
		"1 agent is busy elsewhere":                      of(diagnosis.BoundElsewhere, 0, 1),
		"nobody is there for it":                         {Kind: diagnosis.SkillMissing},
		"agents are ready and do not get them":           {Kind: diagnosis.Routing},
		"all of its contacts have been called":           {Kind: diagnosis.CampaignOutOfContacts},
		"none of its resources is free":                  {Kind: diagnosis.CampaignNoFreeAgent},
		"The connection to the platform is not up: away": {Kind: diagnosis.FeedStale, Text: "The connection to the platform is not up: away."},
		"In full": {Kind: diagnosis.FewerAgents, Text: "In full."}, // the change is unknown
	} {
		if got := c.Short(); got != want {
			t.Errorf("%s: %q, want %q", c.Kind, got, want)
		}
	}
}
