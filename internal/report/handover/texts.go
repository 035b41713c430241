package handover

import (
	"time"

	"wallboard/internal/alert"
	"wallboard/internal/words"
)

// levelText returns the word for a level within a sentence.
func levelText(l alert.Level) words.Text {
	if l == alert.Critical {
		return words.HandoverCritical()
	}
	return words.HandoverWarning()
}

// clockText returns a time of day, with the date if it differs from the date of the report.
func (w *writer) clockText(t time.Time) words.Text {
	if t.IsZero() {
		return words.Name(unknownValue)
	}
	return words.DayClock(t, w.At)
}

// formatTime formats a time of day. It adds the date if it differs from the date of the report.
func (w *writer) formatTime(t time.Time) string { return w.translate(w.clockText(t)) }

// translate returns a text in the language of the report.
func (w *writer) translate(t words.Text) string { return t.In(w.input.Words) }

// escape returns a text in the language of the report, escaped for Markdown.
func (w *writer) escape(t words.Text) string { return escapeText(w.translate(t)) }

// writeText writes a line with a text behind a prefix. Names in the text must be escaped.
func (w *writer) writeText(prefix string, t words.Text) { w.writeLine("%s%s", prefix, w.translate(t)) }

// escaped returns a name, or a text in the language of the report, escaped for Markdown.
func escaped(text string) words.Text { return words.Name(escapeText(text)) }

// bold returns a name in bold letters, escaped for Markdown.
func bold(name string) string { return "**" + escapeText(name) + "**" }

// heads returns the headings of a table in the language of the report.
func heads(l *words.Language, titles ...words.Text) []string {
	out := make([]string, len(titles))
	for i := range titles {
		out[i] = titles[i].In(l)
	}
	return out
}
