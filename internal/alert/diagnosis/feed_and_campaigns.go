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
	seen := make(map[string]bool)
	for i := range h.Subscriptions {
		sub := &h.Subscriptions[i]
		if sub.State.IsFresh() || sub.State == model.SubWaiting {
			continue
		}
		part := words.RecordNouns(sub.Name)
		if sub.Reason != "" {
			part = words.CauseFeedPart(words.RecordNouns(sub.Name), sub.Reason)
		}
		if key := part.In(nil); !seen[key] { // several subscriptions have the same noun
			parts, seen[key] = append(parts, part), true
		}
	}
	if len(parts) > 0 {
		text = words.CauseFeedStale(parts)
	}
	return feedCause(text)
}

func feedCause(text words.Text) Cause {
	return setEnglishTexts(Cause{Kind: FeedStale, Share: model.FigureOf(1), Messages: CauseMessages{Text: text}})[0]
}

// CampaignCauses returns the cause of a campaign's problem: the campaign has no contacts left, or
// contacts are ringing and no agent is free. If neither is known, the result is nil.
func CampaignCauses(r *model.Campaign) []Cause {
	todo, knownToDo := r.ToDoContacts.Get()
	total, knownTotal := r.TotalContacts.Get()
	ringing, knownRinging := r.RingingContacts.Get()
	free, knownFree := r.FreeResources.Get()
	if knownToDo && knownTotal && todo == 0 && total > 0 {
		// Neither the free nor the ringing lines are causes: they change every few seconds.
		return setEnglishTexts(Cause{
			Kind: CampaignOutOfContacts, Share: model.FigureOf(1), Now: model.FigureOf(0),
			Messages: CauseMessages{Text: words.CauseCampaignEmpty(int(total))},
		})
	}
	if knownRinging && knownFree && ringing > 0 && free == 0 {
		return setEnglishTexts(Cause{
			Kind: CampaignNoFreeAgent, Share: model.Figure{}, Now: model.FigureOf(float64(ringing)),
			Messages: CauseMessages{Text: words.CauseCampaignNoAgent(words.CountContacts(int(ringing)))},
		})
	}
	return nil
}
