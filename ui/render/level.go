package render

import "wallboard/themes"

// Level is the urgency of an alert.
type Level uint8

// The levels in ascending order of urgency. Their values are those of the levels in package alert.
const (
	Normal Level = iota
	Warning
	Critical
)

// Token returns the color token of the level. For Normal, it is the token of plain text.
func (l Level) Token() themes.Token {
	switch l {
	case Warning:
		return themes.Warn
	case Critical:
		return themes.Critical
	case Normal:
	}
	return themes.Text
}

// Glyph returns the mark of the level, one cell wide. It returns "" for Normal.
func (l Level) Glyph(ascii bool) string {
	switch {
	case l == Critical && ascii:
		return "!"
	case l == Critical:
		return "▲"
	case l == Warning && ascii:
		return "*"
	case l == Warning:
		return "△"
	}
	return ""
}

// SilencedGlyph is the mark of alerts that are silent because of a snooze or a schedule.
const SilencedGlyph = "z"

// AcknowledgedGlyph returns the mark of alerts that a viewer has taken over. If ascii is true, the
// mark is an ASCII character.
func AcknowledgedGlyph(ascii bool) string {
	if ascii {
		return "/"
	}
	return "▽"
}
