package situation

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
)

// Find returns the first situation for which matches returns true, or nil. It searches the live
// situations first, then the situations that are held back, then those about figures of the day. v
// may be nil.
func (v *View) Find(matches func(*Situation) bool) *Situation {
	if v == nil {
		return nil
	}
	for _, list := range [][]Situation{v.Live, v.HeldBack, v.Today} {
		for i := range list {
			if matches(&list[i]) {
				return &list[i]
			}
		}
	}
	return nil
}

// ByKey returns the situation whose place is the record k, or nil. For a group, it may return the
// situation of a service that includes an alert about the group. For a situation about an agent, the
// channel in k does not matter.
func (v *View) ByKey(k alert.Key) *Situation {
	found := v.Find(func(s *Situation) bool {
		at := s.Place.Key
		if k.Scope == alert.User {
			at.Channel = k.Channel
		}
		return at == k
	})
	if found == nil && k.Scope == alert.Group {
		found = v.Find(func(s *Situation) bool {
			return slices.ContainsFunc(s.Alerts, func(a alert.Alert) bool { return a.Key == k })
		})
	}
	return found
}

// ByID returns the situation with the given ID, or nil.
func (v *View) ByID(id string) *Situation {
	return v.Find(func(s *Situation) bool { return s.ID == id })
}

// LiveByID returns the live situation with the given ID, or nil.
func (v *View) LiveByID(id string) *Situation {
	if v == nil {
		return nil
	}
	for i := range v.Live {
		if v.Live[i].ID == id {
			return &v.Live[i]
		}
	}
	return nil
}

// listedByID returns the listed situation with an ID, live or about figures of the day. It returns
// nil if there is none.
func (v *View) listedByID(id string) *Situation {
	if sit := v.LiveByID(id); sit != nil {
		return sit
	}
	for i := range v.Today {
		if v.Today[i].ID == id {
			return &v.Today[i]
		}
	}
	return nil
}

// CauseLines returns the causes of a situation as sentences, the largest first. If the causes are
// unknown, it returns the reason.
func (sit *Situation) CauseLines() []string {
	return causeLines(sit.causesOrReason())
}

func causeLines(causes []diagnosis.Cause) (out []string) {
	for i := range causes {
		out = append(out, textformat.Sentence(causes[i].Text))
	}
	return out
}

// lastCauses returns the causes at the peak of the queue or, if there are none, the current causes;
// see [Situation.causesOrReason].
func (sit *Situation) lastCauses() []diagnosis.Cause {
	if len(sit.peak.causes) > 0 {
		return sit.peak.causes
	}
	return sit.causesOrReason()
}

// ShortHeadline returns the first sentence of the headline, for the narrowest screens. It shortens a
// sentence about a queue to "6 waiting, 0:28".
func (sit *Situation) ShortHeadline() string {
	if short := sit.messages.queueSize.text(); !short.IsZero() {
		return short.In(sit.messages.words)
	}
	first, _, _ := strings.Cut(sit.Headline, ". ")
	return first
}

// HelpPhrases returns the suggestions as phrases, and a label for them. Without suggestions, it
// returns a phrase about when the queue clears. If that is also unknown, phrases is nil.
func (sit *Situation) HelpPhrases() (label string, phrases []string) {
	return sit.HelpPhrasesIn(math.MaxInt)
}

// maxNamedHelpers limits the number of helpers that [Situation.HelpPhrasesIn] names.
const maxNamedHelpers = 2

// HelpPhrasesIn is like [Situation.HelpPhrases] but shortens names so that each phrase fits into
// room characters if possible. A phrase about the number of needed agents comes first.
func (sit *Situation) HelpPhrasesIn(room int) (label string, phrases []string) {
	h, l := &sit.Help, sit.Help.words
	number, alone := h.StaffingText(), h.Estimate.Text()
	if number == "" && len(h.Helpers) == 0 {
		if alone.IsZero() {
			return "", nil
		}
		return words.HelpForecast().In(l), []string{words.HelpIt(alone).In(l)}
	}
	var out []string
	if number != "" {
		out = append(out, number)
	}
	for i := range h.Helpers[:min(len(h.Helpers), maxNamedHelpers)] {
		out = append(out, h.Helpers[i].request(room, l))
	}
	if !alone.IsZero() { // the estimate is the alternative to the number of agents and comes second; without a number it comes last
		at := len(out)
		if number != "" {
			at = 1
		}
		out = slices.Insert(out, at, words.HelpOtherwise(alone).In(l))
	}
	return words.HelpLabel().In(l), out
}

// StaffingText returns a phrase about the number of extra agents that clears the queue soon. If one
// agent per waiting contact would be needed, the phrase may be about the number that keeps up with
// the arrivals. StaffingText returns "" if no agents or too many are needed.
func (h *Help) StaffingText() string { return h.staffingMessage().In(h.words) }

func (h *Help) staffingMessage() words.Text {
	n := &h.Needed
	switch {
	case h.KeepUpAgents > 0 && (n.OnePerContact || n.MoreAgents == 0):
		return words.HelpKeepUp(h.KeepUpAgents)
	case n.MoreAgents == 0 && n.MaxMoreAgents > 0:
		return words.HelpMayNeed(n.MaxMoreAgents)
	case n.MoreAgents == 0:
		return words.Text{}
	case n.OnePerContact:
		return words.HelpOneEach()
	}
	period := words.ApproxDuration(n.ClearTime)
	switch {
	case n.MinMoreAgents >= n.MaxMoreAgents:
		return words.HelpAdd(words.CountAgents(n.MoreAgents), period)
	case n.MinMoreAgents == 0:
		return words.HelpAddUpTo(words.CountAgents(n.MaxMoreAgents), period)
	}
	return words.HelpAddBetween(n.MinMoreAgents, words.CountAgents(n.MaxMoreAgents), period)
}

// Description returns the helper's name with the current state, the reason for the suggestion, and
// the cost of moving the agent.
func (h *Helper) Description() string { return h.fitText(math.MaxInt) }

// request returns a phrase that says what the supervisor should ask the helper. If possible, the
// phrase fits into room characters.
func (h *Helper) request(room int, l *words.Language) string {
	ask := words.HelpMove
	switch h.kind {
	case diagnosis.HelpBreak, diagnosis.HelpShortBreak:
		ask = words.HelpAskBack
	case diagnosis.HelpWrapUp:
		ask = words.HelpAskFinish
	case diagnosis.HelpLoggedOut:
		ask = words.HelpCallIn
	case diagnosis.HelpReadyGroup, diagnosis.HelpReadyElsewhere:
	}
	return ask(h.fitText(room - utf8.RuneCountInString(ask("").In(l)))).In(l)
}

// fitText describes the helper, if possible in at most room characters. If the description is too
// long, fitText drops the reason, then the cost, then the end of the name, but never the current
// state.
func (h *Helper) fitText(room int) string {
	described := func(name string, why ...string) string {
		why = slices.DeleteFunc(why, func(w string) bool { return w == "" })
		if len(why) == 0 {
			return name
		}
		return name + " (" + strings.Join(why, ", ") + ")"
	}
	for _, text := range []string{described(h.Name, h.StateText, h.Reason, h.Cost), described(h.Name, h.StateText, h.Cost), described(h.Name, h.StateText)} {
		if utf8.RuneCountInString(text) <= room {
			return text
		}
	}
	text := described(h.Name, h.StateText)
	const least = 5 // minimum number of characters of the name
	if over, name := utf8.RuneCountInString(text)-room, []rune(h.Name); over > 0 && len(name) > least {
		text = described(strings.TrimRight(string(name[:max(len(name)-over-1, least-1)]), " ")+"…", h.StateText)
	}
	return text
}
