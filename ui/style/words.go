package style

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/textnorm"
	"wallboard/themes"
	"wallboard/ui/render"
)

// WrapText wraps text at w cells and returns its lines. It breaks the text between words if
// possible, but never between a figure and its unit. It returns at least one line.
func WrapText(s string, w int) []string {
	return strings.Split(textnorm.WrapKeepingUnits(s, func(s string) string { return ansi.Wrap(s, max(w, 1), "") }), "\n")
}

// Wrap returns a sentence as lines of at most w cells, in the style of the token t.
func (lk *Look) Wrap(t themes.Token, sentence string, w int) []string {
	lines := WrapText(sentence, w)
	for i := range lines {
		lines[i] = lk.Style(t).Render(lines[i])
	}
	return lines
}

// KeyHint is the name of a key and a description of its action.
type KeyHint struct{ Key, Description string }

// HintLine returns the last line of a dialog: as many of the keys as fit, most important first.
// Callers omit the key esc, because the footer shows it.
func (lk *Look) HintLine(w int, keys ...KeyHint) string {
	l := NewLine(w, lk.Glyphs.Ellipsis)
	for _, k := range keys {
		if l.UsedWidth() > 0 {
			l.Space(themes.Style{}, 2)
		}
		if Width(k.Key)+1+Width(k.Description) > l.RemainingWidth() {
			break
		}
		l.Add(lk.Style(themes.Key), k.Key).Add(lk.Style(themes.KeyText), " "+k.Description)
	}
	return l.Finish(themes.Style{})
}

// AddBarHints appends as many key hints as fit to the line l on the top or bottom bar, most
// important first. It returns l.
func (lk *Look) AddBarHints(l *Line, keys ...KeyHint) *Line {
	bar := lk.Style(themes.StatusBar)
	l.Space(bar, 1)
	for _, k := range keys {
		if Width(k.Key)+1+Width(k.Description) > l.RemainingWidth() {
			break
		}
		l.Add(lk.BarTextStyle(themes.Key), k.Key).Add(lk.BarTextStyle(themes.KeyText), " "+k.Description).Space(bar, 2)
	}
	return l
}

// OneLine returns s without escape sequences and with spaces instead of line breaks.
func OneLine(s string) string { return strings.ReplaceAll(ansi.Strip(s), "\n", " ") }

// WithHelp returns the binding b with another help description.
func WithHelp(b key.Binding, description string) key.Binding {
	b.SetHelp(b.Help().Key, description)
	return b
}

// AttentionCountsText returns the numbers of critical situations and of warnings, such as "▲ 2 △ 1", and the
// highest of their levels.
func (lk *Look) AttentionCountsText(critical, warning int) (text string, worst render.Level) {
	for _, one := range []struct {
		level render.Level
		n     int
	}{{render.Critical, critical}, {render.Warning, warning}} {
		if one.n == 0 {
			continue
		}
		if text != "" {
			text += " "
		}
		text += one.level.Glyph(lk.ASCII) + " " + lk.FormatCount(one.n)
		worst = max(worst, one.level)
	}
	return text, worst
}
