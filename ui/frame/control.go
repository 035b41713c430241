package frame

import (
	"strings"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/style"
)

// controlBadges returns a badge that says that the board is read-only, or why no action is possible
// at the moment. It returns nil if actions are possible.
func (m *Frame) controlBadges() []Badge {
	if !m.Control.Configured {
		return []Badge{{Token: themes.StatusBar, Text: m.translate(words.BadgeReadOnly()), dropRank: 15}}
	}
	if m.Control.CanAct {
		return nil
	}
	return []Badge{{Token: themes.StatusBar, Text: cutAtWord(m.translate(words.BadgeControlOff(style.OneLine(m.Control.Text))), m.Width/3, m.Look.Glyphs.Ellipsis), dropRank: 25}}
}

// cutAtWord truncates a sentence between words, to at most width cells including the ellipsis.
func cutAtWord(s string, width int, ellipsis string) string {
	if style.Width(s) <= width {
		return s
	}
	cut := style.Truncate(s, width-style.Width(ellipsis), "")
	if index := strings.LastIndexByte(cut, ' '); index > 0 {
		cut = cut[:index]
	}
	return strings.TrimRight(cut, " ,:;") + ellipsis
}
