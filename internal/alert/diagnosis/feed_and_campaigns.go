package diagnosis

import (
	"fmt"
	"strings"

	"wallboard/internal/phrases"
	"wallboard/model"
)

// FeedCause returns the reason why the connection or a subscription delivers no current figures.
func FeedCause(h *model.Health) Cause {
	c := Cause{Kind: FeedStale, Share: model.FigureOf(1)}
	if h.Link.State != model.LinkUp {
		c.Text = "The connection to the platform is not up"
		if h.Link.Reason != "" {
			c.Text += ": " + h.Link.Reason
		}
		c.Text = phrases.Sentence(c.Text)
		return c
	}
	var parts []string
	for i := range h.Subscriptions {
		sub := &h.Subscriptions[i]
		if sub.State.IsFresh() || sub.State == model.SubWaiting {
			continue
		}
		text := sub.Name.Noun()
		if sub.Reason != "" {
			text += " (" + sub.Reason + ")"
		}
		parts = append(parts, text)
	}
	if c.Text = "The feed was not live a moment ago."; len(parts) > 0 {
		c.Text = phrases.Sentence("the platform does not send the present figures of " + strings.Join(parts, ", "))
	}
	return c
}

// CampaignCauses returns the reasons why a campaign has no contacts left or calls more contacts
// than its agents can take. If neither is the case, the result is empty.
func CampaignCauses(r *model.Campaign) []Cause {
	todo, knownToDo := r.ToDoContacts.Get()
	total, knownTotal := r.TotalContacts.Get()
	agents, knownAgents := r.AvailableResources.Get()
	ringing, knownRinging := r.RingingContacts.Get()
	free, knownFree := r.FreeResources.Get()
	var out []Cause
	if knownToDo && knownTotal && todo == 0 && total > 0 {
		text := fmt.Sprintf("All of its %d contacts have been called: none is left", total)
		switch {
		case knownFree && free > 0:
			text += fmt.Sprintf(", and %s free", phrases.Count(int(free), "resource is", "resources are"))
		case !knownFree && knownAgents && agents > 0:
			text += fmt.Sprintf("; %s assigned to it", phrases.Count(int(agents), "resource is", "resources are"))
		}
		text += "."
		out = append(out, Cause{Kind: CampaignOutOfContacts, Share: model.FigureOf(1), Now: model.FigureOf(0), Text: text})
	}
	if knownRinging && knownFree && ringing > 0 && free == 0 {
		out = append(out, Cause{
			Kind: CampaignNoFreeAgent, Share: model.Figure{}, Now: model.FigureOf(float64(ringing)),
			Text: fmt.Sprintf("%s ringing, no agent free.", phrases.Count(int(ringing), "contact", "contacts")),
		})
	}
	return out
}
