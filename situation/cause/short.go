package cause

import (
	"strings"

	"wallboard/situation/plainly"
)

// Short returns the cause in as few words as possible, for screens that are read from a
// distance.
func (c *Cause) Short() string {
	then, was := c.Then.Get()
	now, is := c.Now.Get()
	known := was && is
	switch {
	case c.Brief != "":
		return c.Brief
	case c.Kind == FewerAgents && known:
		return plainly.Agents(int(now+0.5)) + " at work instead of " + plainly.Number(then)
	case c.Kind == LongerHandling && known:
		return "conversations take " + plainly.Seconds(now) + " instead of " + plainly.Seconds(then)
	case c.Kind == LongerWrapUp && known:
		return "after-call work takes " + plainly.Seconds(now) + " instead of " + plainly.Seconds(then)
	case c.Kind == BoundElsewhere && is:
		return plainly.Count(int(now+0.5), "agent is", "agents are") + " busy elsewhere"
	case c.Kind == SkillMissing:
		return "nobody is there for it"
	case c.Kind == Routing:
		return "agents are ready and do not get them"
	case c.Kind == CampaignOutOfContacts:
		return "all of its contacts have been called"
	case c.Kind == CampaignNoFreeAgent:
		return "none of its agents is free"
	}
	return strings.TrimSuffix(c.Text, ".")
}
