package themes

import (
	"fmt"
	"image/color"
	"slices"
)

const (
	// leastText is WCAG 2.2's least contrast of text (1.4.3), leastDecoration
	// that of what only needs to be seen (1.4.11).
	leastText       = 4.5
	leastDecoration = 3
	// leastDifference is the CIEDE2000 that keeps two colours of text apart
	// that are not side by side; leastArea that of two backgrounds, of which
	// the eye sees more. Side by side, 1 can be noticed.
	leastDifference = 10
	leastArea       = 5
)

// Review computes what readers will find hard to see: text without contrast on
// one of the backgrounds it can lie on, and things that look alike, also to who
// is colour-blind. Colours that the terminal chooses are not judged.
func (t Theme) Review() []string {
	return slices.Concat(t.faintText(leastText), t.lookalikes(), t.onlyColor())
}

// decoration reports whether nobody needs to read what a token draws.
func decoration(tok Token) bool {
	switch tok {
	case Faint, Border, BorderFocus, GaugeEmpty:
		return true
	default:
		return false
	}
}

// ground is a background that text can lie on.
type ground struct {
	what string
	bg   color.Color
}

// grounds returns what a token's text can lie on: its own background, or any
// that rows, figures and bars of the screen have.
func (t Theme) grounds(tok Token) []ground {
	if bg := t.spec(tok).bg; bg != nil && tok != Text {
		return []ground{{"its own background", bg}}
	}
	all := []ground{{"the background", t.Background()}}
	if decoration(tok) {
		return all
	}
	for _, over := range []Token{Selection, SelectionBlurred, Flash, StatusBar} {
		if bg := t.spec(over).bg; bg != nil {
			all = append(all, ground{over.String(), bg})
		}
	}
	return all
}

// faintText finds text whose contrast is less than least.
func (t Theme) faintText(least float64) []string {
	var found []string
	if t.Background() == nil {
		return nil
	}
	for _, tok := range Tokens() {
		s, want := t.spec(tok), least
		if decoration(tok) {
			want = min(least, leastDecoration)
		}
		if s.faint {
			found = append(found, fmt.Sprintf("%s is faint: every terminal dims as it likes, name a colour instead", tok))
		}
		fg := s.fg
		if fg == nil {
			fg = t.Foreground()
		}
		for _, g := range t.grounds(tok) {
			if got := contrast(fg, g.bg); got < want {
				found = append(found, fmt.Sprintf("%s is hard to read on %s: its contrast is %.1f, at least %.1f is needed", tok, g.what, got, want))
			}
		}
	}
	return found
}

// family is a group of tokens that stand beside one another, each with a
// meaning of its own.
type family struct {
	what   string
	tokens []Token
}

func families() []family {
	return []family{
		{"states", []Token{StateReady, StateTalking, StateHold, StateBooked, StateWrapUp, StateNotReady, StateDial, StateOther}},
		{"judgements", []Token{OK, Warn, Critical, Unknown, Stale, Pending}},
		{"rows", []Token{Selection, SelectionBlurred, Flash, Text}},
		{"series", []Token{Series1, Series2, Series3, Series4, Series5, Series6}},
		{"gauges", []Token{Gauge, GaugeWarn, GaugeCritical, GaugeEmpty}},
		{"badges", []Token{Badge, BadgeOK, BadgeWarn, BadgeCritical, BadgePast}},
	}
}

// lookalikes finds members of a family that cannot be told apart.
func (t Theme) lookalikes() []string {
	var found []string
	for _, f := range families() {
		for i, a := range f.tokens {
			for _, b := range f.tokens[:i] {
				if what := t.alike(t.spec(a), t.spec(b)); what != "" {
					found = append(found, fmt.Sprintf("the %s %s and %s look alike%s", f.what, b, a, what))
				}
			}
		}
	}
	return found
}

// alike says to whom two styles look alike, "" if to nobody. Bold, underlined,
// reverse and faint text is told apart without colour.
func (t Theme) alike(a, b spec) string {
	switch {
	case a == b:
		return " to everybody"
	case a.bold != b.bold || a.faint != b.faint || a.reverse != b.reverse || a.underline != b.underline:
		return ""
	case t.Background() == nil:
		return "" // the colours are the terminal's
	}
	for _, v := range visions() {
		text := v.difference(t.foreground(a), t.foreground(b))
		area := v.difference(t.background(a), t.background(b))
		if text < leastDifference && area < leastArea {
			return fmt.Sprintf(" with %s: the difference is %.1f, at least %d is needed", v.name, max(text, area), leastDifference)
		}
	}
	return ""
}

func (t Theme) foreground(s spec) color.Color {
	if s.fg == nil {
		return t.Foreground()
	}
	return s.fg
}

func (t Theme) background(s spec) color.Color {
	if s.bg == nil {
		return t.Background()
	}
	return s.bg
}

// onlyColor finds what must stand out without colours and does not.
func (t Theme) onlyColor() []string {
	var found []string
	for _, tok := range []Token{Selection, SelectionBlurred, Flash, Critical, Stale, ButtonActive} {
		if s := t.spec(tok); !s.bold && !s.reverse && !s.underline {
			found = append(found, fmt.Sprintf("%s is nothing but colour: make it bold, underlined or reverse", tok))
		}
	}
	return found
}
