package situation

import (
	"slices"
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/diagnosis"
	"wallboard/internal/words"
	"wallboard/model"
)

// messages holds the texts of a situation in the form that can be written in every language. A zero
// text means that the situation keeps the string that it has, which is recorded or the text of an
// alert.
type messages struct {
	headline    words.Text
	queueSize   queueSize
	unexplained words.Text
	words       *words.Language // language of the texts of the situation; nil: English
}

// queueSize is the number of waiting contacts and the longest wait. It is zero if no contact waits
// or the number is unknown.
type queueSize struct {
	waiting     int
	longestWait model.Figure
}

// text returns the size as a short text, or the zero Text.
func (q queueSize) text() words.Text {
	longest, timed := q.longestWait.Seconds()
	switch {
	case q.waiting == 0:
		return words.Text{}
	case timed && longest >= time.Second:
		return words.SituationShortWait(q.waiting, words.WaitText(q.longestWait))
	}
	return words.SituationShort(q.waiting)
}

// In returns the view with its texts in a language; nil means English. Texts of custom rules, the
// platform and viewers remain as they are, and so do recorded texts without a message.
func (v *View) In(l *words.Language) *View {
	if v == nil || v.words == l {
		return v
	}
	out := *v
	out.words = l
	out.Live, out.Today, out.HeldBack = situationsIn(v.Live, l), situationsIn(v.Today, l), situationsIn(v.HeldBack, l)
	out.Recovered, out.ended = endedIn(v.Recovered, l), endedIn(v.ended, l)
	out.Silenced = slices.Clone(v.Silenced)
	for i := range out.Silenced {
		s := &out.Silenced[i]
		s.Place.Title, s.Headline = s.Place.titleIn(l), textInLanguage(s.headline, s.Headline, l)
	}
	out.Unattended = slices.Clone(v.Unattended)
	for i := range out.Unattended {
		out.Unattended[i].Place.Title = out.Unattended[i].Place.titleIn(l)
	}
	out.QuietLine = textInLanguage(v.quietMessage, v.QuietLine, l)
	return &out
}

// In returns the change with its texts in a language; nil means English.
func (c Change) In(l *words.Language) Change {
	if c.Situation.messages.words != l {
		c.Situation = &situationsIn([]Situation{*c.Situation}, l)[0]
	}
	c.Headline = textInLanguage(c.headline, c.Headline, l)
	return c
}

// language returns the language of the texts of the view; nil: English.
func (v *View) language() *words.Language {
	if v == nil {
		return nil
	}
	return v.words
}

func situationsIn(list []Situation, l *words.Language) []Situation {
	out := slices.Clone(list)
	for i := range out {
		s := &out[i]
		s.Place.Title, s.Causes = s.Place.titleIn(l), slices.Clone(s.Causes)
		s.Help.Helpers = slices.Clone(s.Help.Helpers)
		s.setTexts(l)
	}
	return out
}

func endedIn(list []EndedSituation, l *words.Language) []EndedSituation {
	out := slices.Clone(list)
	for i := range out {
		e := &out[i]
		e.Place.Title, e.Headline, e.causes = e.Place.titleIn(l), textInLanguage(e.headline, e.Headline, l), slices.Clone(e.causes)
		setCauseTexts(e.causes, l)
	}
	return out
}

// setTexts sets the texts of the situation in a language.
func (sit *Situation) setTexts(l *words.Language) {
	m := &sit.messages
	m.words = l
	sit.Headline, sit.UnexplainedReason = textInLanguage(m.headline, sit.Headline, l), textInLanguage(m.unexplained, sit.UnexplainedReason, l)
	setCauseTexts(sit.Causes, l)
	sit.Help.setTexts(l)
}

func setCauseTexts(causes []diagnosis.Cause, l *words.Language) {
	for i := range causes {
		causes[i].SetTexts(l)
	}
}

func (h *Help) setTexts(l *words.Language) {
	h.words = l
	if h.assumptions != nil {
		h.Assumptions = make([]string, len(h.assumptions))
		for i := range h.assumptions {
			h.Assumptions[i] = h.assumptions[i].In(l)
		}
	}
	for i := range h.Helpers {
		w := &h.Helpers[i]
		w.StateText, w.Reason, w.Cost = textInLanguage(w.state, w.StateText, l), textInLanguage(w.reason, w.Reason, l), textInLanguage(w.cost, w.Cost, l)
	}
}

// textInLanguage returns a message in a language, or text if there is no message.
func textInLanguage(m words.Text, text string, l *words.Language) string {
	if m.IsZero() {
		return text
	}
	return m.In(l)
}

// channelSeparator separates the name of a place from that of its channel.
const channelSeparator = " · "

// titleIn returns the title of the place in a language.
func (p *Place) titleIn(l *words.Language) string { return p.message().In(l) }

// message returns the title of the place in the form that can be written in every language.
func (p *Place) message() words.Text { return placeMessage(p.Key, p.name()) }

// name returns the title without the channel.
func (p *Place) name() string {
	if isOtherChannel(p.Key) {
		if i := strings.LastIndex(p.Title, channelSeparator); i >= 0 {
			return p.Title[:i]
		}
	}
	return p.Title
}

// placeMessage returns the title of a place. name is the name of its record.
func placeMessage(k alert.Key, name string) words.Text {
	title := words.Name(name)
	switch k.Scope {
	case alert.Feed:
		return words.SituationFeedPlace()
	case alert.Floor:
		title = words.SituationFloorPlace()
	case alert.User, alert.Service, alert.Group, alert.Campaign:
	}
	if isOtherChannel(k) {
		return words.SituationPlaceOn(title, words.ChannelInSentence(k.Channel))
	}
	return title
}

// isOtherChannel reports whether the title of a place names its channel.
func isOtherChannel(k alert.Key) bool {
	return k.Channel != "" && k.Channel != model.Call && k.Scope != alert.User && k.Scope != alert.Feed
}
