package situation

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/phrases"
)

// Find returns the first situation for which matches returns true. It searches the live situations
// first, then the held ones, then those about figures of the day. It returns nil if there is none
// or v is nil.
func (v *View) Find(matches func(*Situation) bool) *Situation {
	if v == nil {
		return nil
	}
	for _, list := range [][]Situation{v.Live, v.Held, v.Today} {
		for i := range list {
			if matches(&list[i]) {
				return &list[i]
			}
		}
	}
	return nil
}

// ByKey returns the situation whose place is a record, or nil. A situation about an agent is found
// by the key of the agent on any channel.
func (v *View) ByKey(k alert.Key) *Situation {
	return v.Find(func(s *Situation) bool {
		at := s.Place.Key
		if k.Scope == alert.User {
			at.Channel = k.Channel
		}
		return at == k
	})
}

// ByID returns the situation with an ID, or nil.
func (v *View) ByID(id string) *Situation {
	return v.Find(func(s *Situation) bool { return s.ID == id })
}

// LiveByID returns the live situation with an ID, or nil.
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

// CauseLines returns the causes of a situation as sentences, largest first. If there are none, it
// returns the reason why the causes are unknown.
func (sit *Situation) CauseLines() []string {
	return causeLines(sit.causesOrReason())
}

// causeLines returns causes as sentences.
func causeLines(causes []diagnosis.Cause) (out []string) {
	for i := range causes {
		out = append(out, phrases.Sentence(causes[i].Text))
	}
	return out
}

// lastCauses returns the causes at the peak of the queue, or those that were known last; see
// [Situation.causesOrReason].
func (sit *Situation) lastCauses() []diagnosis.Cause {
	if len(sit.peak.causes) > 0 {
		return sit.peak.causes
	}
	return sit.causesOrReason()
}

// Brief returns a shorter form of the headline for narrow places.
func (sit *Situation) Brief() string {
	return strings.NewReplacer(", the longest ", ", longest ", " has been ready for ", " ready for ").Replace(sit.Headline)
}

// HelpPhrases returns suggestions as phrases, and a label for them. If there are no suggestions, it
// returns a phrase about when the queue clears.
func (sit *Situation) HelpPhrases() (label string, phrases []string) {
	return sit.HelpPhrasesIn(math.MaxInt)
}

// maxNamed is the maximum number of helpers that are named in a line.
const maxNamed = 2

// HelpPhrasesIn is like [Situation.HelpPhrases], but shortens names so that each phrase has at most
// room characters if possible. The phrase about the number of agents comes first.
func (sit *Situation) HelpPhrasesIn(room int) (label string, phrases []string) {
	h := &sit.Help
	number, alone := h.StaffingText(), h.WithoutHelp()
	if number == "" && len(h.Helpers) == 0 {
		if alone == "" {
			return "", nil
		}
		return "forecast", []string{alone}
	}
	var out []string
	if number != "" {
		out = append(out, number)
	}
	for i := range h.Helpers[:min(len(h.Helpers), maxNamed)] {
		out = append(out, h.Helpers[i].request(room))
	}
	if alone != "" { // after the number of agents, to which it is the alternative, or else at the end
		at := len(out)
		if number != "" {
			at = 1
		}
		out = slices.Insert(out, at, "otherwise "+alone)
	}
	return "what helps", out
}

// StaffingText returns a phrase about the number of extra agents that are needed. It is the number
// that clears the queue soon. If that takes one agent per waiting contact, it is the number that
// keeps up with the arrivals. StaffingText returns "" if no agents are needed, or too many.
func (h *Help) StaffingText() string {
	n := &h.Needed
	switch {
	case h.KeepUpAgents > 0 && (n.OnePerContact || n.More == 0):
		return phrases.Count(h.KeepUpAgents, "more agent keeps", "more agents keep") + " up with the arrivals"
	case n.More == 0:
		return ""
	case n.OnePerContact:
		return "one more agent per waiting contact"
	}
	soon := " it in " + phrases.ApproxDuration(n.ClearsIn)
	switch {
	case n.Least >= n.Most:
		return phrases.Count(n.More, "more agent clears", "more agents clear") + soon
	case n.Least == 0:
		return "up to " + strconv.Itoa(n.Most) + " more agents clear" + soon
	}
	return strconv.Itoa(n.Least) + " to " + strconv.Itoa(n.Most) + " more agents clear" + soon
}

// WithoutHelp returns a phrase about what happens to the queue if no agent helps, or "" if that is
// unknown or changes too often.
func (h *Help) WithoutHelp() string {
	switch {
	case h.outlook.unsteady:
		return ""
	case h.QueuePersists:
		return "the queue stays for more than an hour"
	case !h.ClearsInKnown:
		return ""
	case h.ClearsByHangUps:
		return "most give up within " + phrases.ApproxDuration(h.ClearsIn)
	}
	return "it clears by itself in " + phrases.ApproxDuration(h.ClearsIn)
}

// Description describes the helper in a phrase: where the agent is, why the agent is suggested, and
// what moving the agent costs.
func (h *Helper) Description() string { return h.fitText(math.MaxInt) }

// request says in at most room characters, if possible, what to ask of the helper.
func (h *Helper) request(room int) string {
	before, after := "move ", ""
	switch h.kind {
	case diagnosis.Break, diagnosis.JustLeft:
		before, after = "ask ", " to come back"
	case diagnosis.WrapUp:
		before, after = "ask ", " to finish"
	case diagnosis.LoggedOut:
		before = "call in "
	case diagnosis.ReadySameGroup, diagnosis.ReadyElsewhere:
	}
	return before + h.fitText(room-len(before)-len(after)) + after
}

// fitText describes the helper in at most room characters. To fit, it drops the reason first, then
// the cost, then the end of the name, but never the current state.
func (h *Helper) fitText(room int) string {
	words := func(name string, why ...string) string {
		why = slices.DeleteFunc(why, func(w string) bool { return w == "" })
		if len(why) == 0 {
			return name
		}
		return name + " (" + strings.Join(why, ", ") + ")"
	}
	for _, text := range []string{words(h.Name, h.Where, h.Why, h.Cost), words(h.Name, h.Where, h.Cost), words(h.Name, h.Where)} {
		if utf8.RuneCountInString(text) <= room {
			return text
		}
	}
	text := words(h.Name, h.Where)
	const least = 5 // minimum number of characters of a name
	if over, name := utf8.RuneCountInString(text)-room, []rune(h.Name); over > 0 && len(name) > least {
		text = words(strings.TrimRight(string(name[:max(len(name)-over-1, least-1)]), " ")+"…", h.Where)
	}
	return text
}
