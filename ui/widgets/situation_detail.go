package widgets

import (
	"strings"
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/style"
)

// SituationSentence is a sentence about a situation, with its color token.
type SituationSentence struct {
	Token themes.Token
	Text  string
}

// SituationSentences returns sentences about the state of a situation: how long it has lasted, how
// often it has occurred, doubts about its figures, its snooze and its take-over.
func SituationSentences(lk *style.Look, s *situation.Situation) []SituationSentence {
	clock := func(at time.Time) string { return string(lk.Format.Clock(nil, at)) }
	told := func(token themes.Token, text words.Text) SituationSentence {
		return SituationSentence{token, text.In(lk.Format.Words)}
	}
	since := words.NowSince(clock(s.Since))
	if s.FromStart {
		since = words.NowSinceOrEarlier(clock(s.Since))
	}
	switch {
	case s.OccurrencesToday <= 1:
	case s.TotalToday < time.Second:
		since = words.NowTimes(since, s.OccurrencesToday, clock(s.FirstToday))
	default:
		since = words.NowTimesTotal(since, s.OccurrencesToday, clock(s.FirstToday), s.TotalToday)
	}
	out := []SituationSentence{told(themes.Dim, words.NowSentence(since))}
	if !s.StaleSince.IsZero() {
		out = append(out, told(themes.Warn, words.NowNotVerified(clock(s.StaleSince))))
	}
	if until := s.SilentUntil(); !until.IsZero() {
		out = append(out, told(themes.Accent, words.NowSilent(clock(until))))
	}
	if s.Ack != (alert.Ack{}) {
		out = append(out, SituationSentence{themes.Accent, s.Ack.Text(clock).In(lk.Format.Words)})
	}
	return out
}

// SituationDetail returns the lines about a situation, each exactly w cells wide: its headline, the
// [SituationSentences], its causes, its remedies and its alerts, in this order.
func SituationDetail(lk *style.Look, s *situation.Situation, w int) []string {
	if w <= 0 {
		return nil
	}
	p := paragraphBuilder{look: lk, w: w}
	token, _ := SituationStyle(lk, s)
	if token == themes.Dim {
		token = themes.Text
	}
	p.addText(token, "", s.Text())
	for _, sentence := range SituationSentences(lk, s) {
		p.addText(sentence.Token, "", sentence.Text)
	}
	if reasons := s.CauseLines(); len(reasons) > 0 {
		p.addText(themes.Text, p.translate(words.NowWhy()), strings.Join(reasons, " "))
	}
	if label, help := s.HelpPhrases(); len(help) > 0 {
		p.addText(themes.Text, label, strings.Join(help, " "+lk.Glyphs.Dot+" "))
	}
	label := p.translate(words.NowAlerts())
	for i := range s.Alerts {
		a := &s.Alerts[i]
		p.addText(themes.Dim, label, p.translate(words.NowAlert(alert.RuleTitle(a.Rule), string(lk.Format.Clock(nil, a.Since)), a.TranslatableText())))
		label = " "
	}
	return p.lines
}

// EndedSituationLines returns the lines about a situation that has ended, each exactly w cells
// wide. past holds the details of the situation. If past is nil, only the headline is known.
func EndedSituationLines(lk *style.Look, headline string, past *situation.PastSituation, w int) []string {
	if w <= 0 {
		return nil
	}
	p := paragraphBuilder{look: lk, w: w}
	p.addText(themes.OK, "", p.translate(words.NowIsResolved()))
	p.addText(themes.Text, "", headline)
	if past == nil {
		return p.lines
	}
	clock := func(at time.Time) string { return string(lk.Format.Clock(nil, at)) }
	p.addText(themes.Dim, "", p.translate(words.NowSentence(words.Name(past.Description(clock)))))
	if past.Vanished {
		p.addText(themes.Dim, "", p.translate(words.NowNotSent()))
	}
	if past.Ack.By != "" {
		p.addText(themes.Accent, "", past.Ack.Text(clock).In(lk.Format.Words))
	}
	label := p.translate(words.NowAlerts())
	for i := range past.Alerts[max(len(past.Alerts)-maxPastAlerts, 0):] {
		a := &past.Alerts[max(len(past.Alerts)-maxPastAlerts, 0)+i]
		p.addText(themes.Dim, label, p.translate(words.NowPastAlert(alert.RuleTitle(a.Rule), clock(a.Since), clock(a.Ended), a.TranslatableText())))
		label = " "
	}
	return p.lines
}

// maxPastAlerts is the maximum number of alerts listed for a situation that has ended. Only the
// latest alerts are listed.
const maxPastAlerts = 6

// paragraphBuilder collects wrapped paragraphs, some of them with a label on the left.
type paragraphBuilder struct {
	look  *style.Look
	w     int
	lines []string
}

// translate returns a text in the language of the viewer.
func (p *paragraphBuilder) translate(text words.Text) string { return text.In(p.look.Format.Words) }

func (p *paragraphBuilder) addText(token themes.Token, label, text string) {
	available, beforeText := p.w, labelWidthIn(p.look.Format.Words, labelWidth)
	if label != "" {
		available -= beforeText
	}
	for i, line := range style.WrapText(TerminalText(p.look, text), max(available, 1)) {
		l := style.NewLine(p.w, p.look.Glyphs.Ellipsis)
		if label != "" {
			lineLabel := label
			if i > 0 {
				lineLabel = " "
			}
			l.Add(p.look.Style(themes.Dim), style.Fit(lineLabel, beforeText, p.look.Glyphs.Ellipsis))
		}
		p.lines = append(p.lines, l.Add(p.look.Style(token), line).Finish(themes.Style{}))
	}
}
