package diagnosis

import (
	"strings"

	"wallboard/internal/phrases"
)

// ShortText returns the cause in as few words as possible, for screens that are read from a
// distance.
func (c *Cause) ShortText() string {
	then, was := c.Then.Get()
	now, is := c.Now.Get()
	known := was && is
	switch {
	case c.Brief != "":
		return c.Brief
	case c.Kind == FewerAgents && known:
		return phrases.Agents(int(now+0.5)) + " at work, down from " + phrases.Number(then)
	case c.Kind == LongerHandling && known:
		return "talk time " + phrases.Seconds(now) + ", up from " + phrases.Seconds(then)
	case c.Kind == LongerWrapUp && known:
		return "after-call work " + phrases.Seconds(now) + ", up from " + phrases.Seconds(then)
	case c.Kind == BoundElsewhere && is:
		return phrases.Agents(int(now+0.5)) + " busy elsewhere"
	case c.Kind == SkillMissing:
		return "no agent has the skill"
	case c.Kind == Routing:
		return "agents available but not getting them"
	case c.Kind == CampaignOutOfContacts:
		return "out of contacts"
	case c.Kind == CampaignNoFreeAgent:
		return "no agent free"
	}
	return strings.TrimSuffix(c.Text, ".")
}
