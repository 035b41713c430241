package themes

import (
	"fmt"
	"image/color"
	"slices"
)

const (
	// minTextContrast is the minimum contrast ratio of text (WCAG 2.2, criterion 1.4.3).
	// minDecorationContrast is that of other visible elements (criterion 1.4.11).
	minTextContrast       = 4.5
	minDecorationContrast = 3
	// minTextDifference is the minimum CIEDE2000 difference of two text colors. minAreaDifference
	// is the minimum for two backgrounds, which is lower because backgrounds are larger. A
	// difference of 1 is only noticeable between adjacent areas.
	minTextDifference = 10
	minAreaDifference = 5
)

// CheckReadability returns the readability problems of the theme: faint text, text with too little contrast on a
// possible background, styles that look alike, perhaps only to a color-blind reader, and tokens that only
// their color distinguishes. CheckReadability ignores the terminal's own colors.
func (t Theme) CheckReadability() []string {
	return slices.Concat(t.lowContrastProblems(minTextContrast), t.lookalikeProblems(), t.colorOnlyProblems())
}

// isDecoration reports whether a token is used only for elements that viewers need not read.
func isDecoration(tok Token) bool {
	switch tok {
	case Faint, Border, BorderFocus, GaugeEmpty:
		return true
	default:
		return false
	}
}

// namedBackground is a possible background of text, with its name for messages.
type namedBackground struct {
	name  string
	color color.Color
}

// possibleBackgrounds returns the possible backgrounds of a token's text. If the token has a
// background, it is the only one. Otherwise they are the theme's background and, except for
// decoration, the backgrounds of selected rows, changed figures and the status bar.
func (t Theme) possibleBackgrounds(tok Token) []namedBackground {
	if bg := t.spec(tok).bg; bg != nil && tok != Text {
		return []namedBackground{{"its own background", bg}}
	}
	all := []namedBackground{{"the background", t.Background()}}
	if isDecoration(tok) {
		return all
	}
	for _, background := range []Token{Selection, SelectionBlurred, Flash, StatusBar} {
		if bg := t.spec(background).bg; bg != nil {
			all = append(all, namedBackground{background.String(), bg})
		}
	}
	return all
}

// lowContrastProblems returns the problems of text whose contrast is below least. For decoration, the limit
// is [minDecorationContrast] if that is lower. Faint text is a problem in any case. For a theme
// without a background, lowContrastProblems returns nil.
func (t Theme) lowContrastProblems(least float64) []string {
	var found []string
	if t.Background() == nil {
		return nil
	}
	for _, tok := range Tokens() {
		s, minimum := t.spec(tok), least
		if isDecoration(tok) {
			minimum = min(least, minDecorationContrast)
		}
		if s.faint {
			found = append(found, fmt.Sprintf("%s is faint: every terminal dims as it likes, name a colour instead", tok))
		}
		fg := s.fg
		if fg == nil {
			fg = t.Foreground()
		}
		for _, g := range t.possibleBackgrounds(tok) {
			if actual := contrast(fg, g.color); actual < minimum {
				found = append(found, fmt.Sprintf("%s is hard to read on %s: its contrast is %.1f, at least %.1f is needed", tok, g.name, actual, minimum))
			}
		}
	}
	return found
}

// tokenFamily is a group of tokens that appear next to each other with different meanings.
type tokenFamily struct {
	name   string
	tokens []Token
}

func tokenFamilies() []tokenFamily {
	return []tokenFamily{
		{"states", []Token{StateReady, StateTalking, StateHold, StateBooked, StateWrapUp, StateNotReady, StateDial, StateOther}},
		{"judgements", []Token{OK, Warn, Critical, Unknown, Stale, Pending}},
		{"rows", []Token{Selection, SelectionBlurred, Flash, Text}},
		{"series", []Token{Series1, Series2, Series3, Series4, Series5, Series6}},
		{"gauges", []Token{Gauge, GaugeWarn, GaugeCritical, GaugeEmpty}},
		{"badges", []Token{Badge, BadgeOK, BadgeWarn, BadgeCritical, BadgeReplay}},
	}
}

// lookalikeProblems returns a problem for each two tokens of a family that cannot be distinguished.
func (t Theme) lookalikeProblems() []string {
	var found []string
	for _, f := range tokenFamilies() {
		for i, a := range f.tokens {
			for _, b := range f.tokens[:i] {
				if name := t.lookalikeVision(t.spec(a), t.spec(b)); name != "" {
					found = append(found, fmt.Sprintf("the %s %s and %s look alike%s", f.name, b, a, name))
				}
			}
		}
	}
	return found
}

// lookalikeVision returns a phrase that names a kind of color vision with which two styles look
// alike. It returns "" if there is none, if the styles differ in bold, faint, reverse or underline,
// or if the theme uses the terminal's background.
func (t Theme) lookalikeVision(a, b spec) string {
	switch {
	case a == b:
		return " to everybody"
	case a.bold != b.bold || a.faint != b.faint || a.reverse != b.reverse || a.underline != b.underline:
		return ""
	case t.Background() == nil:
		return "" // the terminal defines the colors
	}
	for _, v := range visions() {
		text := v.difference(t.foregroundOf(a), t.foregroundOf(b))
		area := v.difference(t.backgroundOf(a), t.backgroundOf(b))
		if text < minTextDifference && area < minAreaDifference {
			return fmt.Sprintf(" with %s: the difference is %.1f, at least %d is needed", v.name, max(text, area), minTextDifference)
		}
	}
	return ""
}

func (t Theme) foregroundOf(s spec) color.Color {
	if s.fg == nil {
		return t.Foreground()
	}
	return s.fg
}

func (t Theme) backgroundOf(s spec) color.Color {
	if s.bg == nil {
		return t.Background()
	}
	return s.bg
}

// colorOnlyProblems returns the problems of tokens that must stand out on a terminal without colors
// but do not.
func (t Theme) colorOnlyProblems() []string {
	var found []string
	for _, tok := range []Token{Selection, SelectionBlurred, Flash, Critical, Stale, ButtonActive} {
		if s := t.spec(tok); !s.bold && !s.reverse && !s.underline {
			found = append(found, fmt.Sprintf("%s is nothing but colour: make it bold, underlined or reverse", tok))
		}
	}
	return found
}
