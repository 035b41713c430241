package diagnosis

import (
	"strings"

	"wallboard/internal/textformat"
	"wallboard/internal/words"
)

// ShortText returns the cause in as few words as possible, for screens that are read from a
// distance.
func (c *Cause) ShortText() string {
	if c.Brief != "" {
		return c.Brief
	}
	if brief := c.BriefMessage(); !brief.IsZero() {
		return brief.In(nil)
	}
	return strings.TrimSuffix(c.Text, ".")
}

// BriefMessage returns the message of [Cause.ShortText]. It returns the zero Text if the cause has no text that is
// shorter than Text.
func (c *Cause) BriefMessage() words.Text {
	then, was := c.Before.Get()
	now, is := c.Now.Get()
	known := was && is
	switch {
	case !c.Messages.Brief.IsZero():
		return c.Messages.Brief
	case c.Kind == FewerAgents && known:
		return words.CauseFewerAgentsBrief(words.CountAgents(int(now+0.5)), then)
	case c.Kind == LongerHandling && known:
		return words.CauseTalkBrief(textformat.DurationFromSeconds(now), textformat.DurationFromSeconds(then))
	case c.Kind == LongerWrapUp && known:
		return words.CauseWrapUpBrief(textformat.DurationFromSeconds(now), textformat.DurationFromSeconds(then))
	case c.Kind == AgentsBusyElsewhere && is:
		return words.CauseBusyBrief(words.CountAgents(int(now + 0.5)))
	case c.Kind == SkillMissing:
		return words.CauseNoSkillBrief()
	case c.Kind == Routing:
		return words.CauseRoutingBrief()
	case c.Kind == CampaignOutOfContacts:
		return words.CauseCampaignEmptyBrief()
	case c.Kind == CampaignNoFreeAgent:
		return words.CauseCampaignNoAgentBrief()
	}
	return words.Text{}
}
