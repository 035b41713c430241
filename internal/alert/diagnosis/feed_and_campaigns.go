package diagnosis

import (
	"strings"

	"wallboard/internal/words"
	"wallboard/model"
)

// FeedCause returns the reason why the connection or a subscription delivers no current figures.
func FeedCause(h *model.Health) Cause {
	text := words.CauseFeedNotLive()
	if h.Link.State != model.LinkUp {
		if text = words.CauseLinkDown(); h.Link.Reason != "" {
			text = words.CauseLinkDownBecause(strings.TrimRight(h.Link.Reason, ". "))
		}
		return feedCause(text)
	}
	var parts []words.Text
	for i := range h.Subscriptions {
		sub := &h.Subscriptions[i]
		if sub.State.IsFresh() || sub.State == model.SubWaiting {
			continue
		}
		part := words.RecordNouns(sub.Name)
		if sub.Reason != "" {
			part = words.CauseFeedPart(words.RecordNouns(sub.Name), sub.Reason)
		}
		parts = append(parts, part)
	}
	if len(parts) > 0 {
		text = words.CauseFeedStale(parts)
	}
	return feedCause(text)
}

func feedCause(text words.Text) Cause {
	return inEnglish(Cause{Kind: FeedStale, Share: model.FigureOf(1), Messages: CauseMessages{Text: text}})[0]
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
		text := words.CauseCampaignEmpty(int(total))
		switch {
		case knownFree && free > 0:
			text = words.CauseCampaignEmptyFree(int(total), int(free))
		case !knownFree && knownAgents && agents > 0:
			text = words.CauseCampaignEmptyAssigned(int(total), int(agents))
		}
		out = append(out, Cause{Kind: CampaignOutOfContacts, Share: model.FigureOf(1), Now: model.FigureOf(0), Messages: CauseMessages{Text: text}})
	}
	if knownRinging && knownFree && ringing > 0 && free == 0 {
		out = append(out, Cause{
			Kind: CampaignNoFreeAgent, Share: model.Figure{}, Now: model.FigureOf(float64(ringing)),
			Messages: CauseMessages{Text: words.CauseCampaignNoAgent(words.CountContacts(int(ringing)))},
		})
	}
	return inEnglish(out...)
}
