package situation

import (
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
)

// IncidentSummary is what a review tells about an incident: a situation that is open, or the worst ended one of
// a place.
type IncidentSummary struct {
	Place        Place
	Headline     string
	HighestLevel alert.Level
	Began, Ended time.Time // Ended is zero while the situation is open
	Unfinished   bool      // Ended is when the recording stopped; the situation was still open
	FromStart    bool      // the situation had begun before the board started
	StaleSince   time.Time // time since which the figures of an open situation are unverified; zero: verified
	Causes       []string  // sentences
	Alerts       []alert.Alert

	// MostWaiting is the largest number of contacts that waited at once, LongestWait the longest
	// wait. Both are 0 if they are unknown or if no contact waited.
	MostWaiting int
	LongestWait time.Duration

	words *words.Language // language of the texts; nil: English
}

// IncidentSummary returns the situation as an incident that is open.
func (sit *Situation) IncidentSummary() IncidentSummary {
	return IncidentSummary{
		Place: sit.Place, Headline: sit.Headline, HighestLevel: sit.HighestLevel, Began: sit.Since, FromStart: sit.FromStart, StaleSince: sit.StaleSince,
		Causes: sit.CauseLines(), Alerts: sit.Alerts, words: sit.messages.words,
		MostWaiting: sit.peak.waiting, LongestWait: sit.peak.wait(),
	}
}

// IncidentSummary returns the worst episode of the place as an incident.
func (p *PastSituation) IncidentSummary() IncidentSummary {
	e := &p.WorstEpisode
	return IncidentSummary{
		Place: p.Place, Headline: p.Headline, HighestLevel: e.Level, Began: e.Began, Ended: e.Ended, Unfinished: e.Unfinished,
		FromStart: p.FromStart && p.EpisodeCount == 1, Causes: e.Causes, Alerts: e.Alerts, words: p.words,
		MostWaiting: e.MostWaiting, LongestWait: e.LongestWait,
	}
}

// EndTime returns the end of the incident. If the incident is still open, it returns at.
func (t *IncidentSummary) EndTime(at time.Time) time.Time {
	if t.Ended.IsZero() {
		return at
	}
	return t.Ended
}

// Period says when the incident was and how long it lasted until at: "14:02 to 14:10, 8:00". clock
// formats a time of day.
func (t *IncidentSummary) Period(at time.Time, clock func(time.Time) string) string {
	sit := Situation{Since: t.Began, StaleSince: t.StaleSince}
	lasted := sit.Lasted(t.EndTime(at))
	text := words.SituationPeriod(clock(t.Began), clock(t.Ended), lasted)
	switch {
	case t.Ended.IsZero():
		text = words.SituationPeriodOpen(clock(t.Began), lasted)
	case t.Unfinished:
		text = words.SituationPeriodUnfinished(clock(t.Began), lasted, clock(t.Ended))
	}
	if t.FromStart {
		text = words.SituationMaybeEarlier(text)
	}
	return text.In(t.words)
}

// Text returns the place and the headline, such as "Contracts PT: 9 callers waiting, longest 1:10."
func (sit *Situation) Text() string {
	return sit.Place.TitleWithHeadline(sit.Headline, sit.messages.words)
}

// Message returns [Situation.Text] in the form that can be written in every language. A headline of
// which only the text was recorded is the same in all languages.
func (sit *Situation) Message() words.Text {
	headline := sit.messages.headline
	if headline.IsZero() {
		headline = words.Name(sit.Headline)
	}
	return words.RuleMessage(sit.Place.message(), headline)
}

// TitleWithHeadline returns the title of the place with a headline about it, in a language.
func (p *Place) TitleWithHeadline(headline string, l *words.Language) string {
	return words.RuleMessage(words.Name(p.Title), words.Name(headline)).In(l)
}

// SummaryLine returns [Situation.Text] with the largest known cause and the first suggestion.
func (sit *Situation) SummaryLine() string {
	text := sit.Place.TitleWithHeadline(textformat.Sentence(sit.Headline), sit.messages.words)
	if why := sit.MainCause(); why != "" {
		text += " " + words.SituationWhy(why).In(sit.messages.words)
	}
	if label, helps := sit.HelpPhrases(); len(helps) > 0 {
		text += " " + words.HelpSentence(label, words.Name(helps[0])).In(sit.messages.words)
	}
	return text
}

// Explanation returns [Situation.Text] with all causes.
func (sit *Situation) Explanation() string {
	return strings.Join(append([]string{sit.Text()}, sit.CauseLines()...), " ")
}

// Paragraph returns [Situation.Explanation] with all suggestions.
func (sit *Situation) Paragraph() string {
	text := sit.Explanation()
	if label, helps := sit.HelpPhrases(); len(helps) > 0 {
		text += " " + words.HelpSentence(label, words.JoinClauses(words.NameTexts(helps)...)).In(sit.messages.words)
	}
	return text
}

// MainCause returns the largest cause as a sentence, or "" if no cause is known.
func (sit *Situation) MainCause() string {
	if len(sit.Causes) == 0 {
		return ""
	}
	return sit.CauseLines()[0]
}
