package cause_test

import (
	"testing"

	"wallboard/internal/alert/cause"
	"wallboard/model"
)

func TestShortCauses(t *testing.T) {
	t.Parallel()
	of := func(k cause.CauseKind, then, now float64) cause.Cause {
		return cause.Cause{Kind: k, Text: "In full.", Then: model.FigureOf(then), Now: model.FigureOf(now)}
	}
	for want, c := range map[string]cause.Cause{
		"3 agents at work instead of 7":                  of(cause.FewerAgents, 7, 3),
		"conversations take 5:10 instead of 3:00":        of(cause.LongerHandling, 180, 310),
		"after-call work takes 2:00 instead of 0:40":     of(cause.LongerWrapUp, 40, 120),
		"1 agent is busy elsewhere":                      of(cause.BoundElsewhere, 0, 1),
		"nobody is there for it":                         {Kind: cause.SkillMissing},
		"agents are ready and do not get them":           {Kind: cause.Routing},
		"all of its contacts have been called":           {Kind: cause.CampaignOutOfContacts},
		"none of its agents is free":                     {Kind: cause.CampaignNoFreeAgent},
		"The connection to the platform is not up: away": {Kind: cause.FeedStale, Text: "The connection to the platform is not up: away."},
		"In full": {Kind: cause.FewerAgents, Text: "In full."}, // the change is unknown
	} {
		if got := c.Short(); got != want {
			t.Errorf("%s: %q, want %q", c.Kind, got, want)
		}
	}
}
