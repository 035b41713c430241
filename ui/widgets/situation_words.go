package widgets

import (
	"slices"
	"strings"

	"wallboard/internal/alert"
	"wallboard/internal/alert/situation"
	"wallboard/internal/textformat"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/kpi"
	"wallboard/themes"
	"wallboard/ui/render"
	"wallboard/ui/style"
	"wallboard/ui/textlayout"
)

// TerminalText returns text with the characters replaced that the terminal cannot show.
func TerminalText(lk *style.Look, text string) string { return textformat.ToASCII(text, lk.ASCII) }

// SituationStyle returns the color token and the glyph of a situation.
func SituationStyle(lk *style.Look, s *situation.Situation) (token themes.Token, glyph string) {
	switch {
	case s.Ack != (alert.Ack{}):
		return themes.Dim, render.AcknowledgedGlyph(lk.ASCII)
	case s.QueueEmpty:
		return themes.OK, lk.Glyphs.Check
	case s.IsDaily():
		return themes.Text, lk.Render.MissedGlyph(kpi.HigherIsBetter)
	case s.Level == alert.Critical:
		return themes.Critical, render.Critical.Glyph(lk.ASCII)
	}
	return themes.Warn, render.Warning.Glyph(lk.ASCII)
}

// CutToSentences returns as many sentences from the start of a text as fit into w cells. If the
// first sentence does not fit, it returns as many words of this sentence as fit.
func CutToSentences(text string, w int, ascii bool) string {
	for style.Width(text) > w {
		i := strings.LastIndex(strings.TrimSuffix(text, "."), ". ")
		if i < 0 {
			return textlayout.TruncateWords(text, w, ascii)
		}
		text = text[:i+1]
	}
	return text
}

// startsWithChannel reports whether a text continues the name of a place with a channel, such as
// "chat: 2 waiting".
func startsWithChannel(text string, l *words.Language) bool {
	channels := model.Channels()
	return slices.ContainsFunc(channels[:], func(ch model.Channel) bool { return strings.HasPrefix(text, words.ChannelInSentence(ch).In(l)+": ") })
}

// CutToPhrases returns as many phrases from the beginning of a text as fit into w cells. If the
// first phrase does not fit, it returns as many words of this phrase as fit. The glyph Dot
// separates the phrases.
func CutToPhrases(text string, w int, lk *style.Look) string {
	dot := " " + lk.Glyphs.Dot + " "
	for style.Width(text) > w {
		i := strings.LastIndex(text, dot)
		if i < 0 || startsWithChannel(text[i+len(dot):], lk.Format.Words) {
			return textlayout.TruncateWords(text, w, lk.ASCII)
		}
		text = text[:i]
	}
	return text
}
