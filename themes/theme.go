package themes

import (
	"image/color"
	"slices"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Theme is a complete set of styles, one for every token. It is immutable and cheap to
// copy. The zero Theme draws everything unstyled.
type Theme struct {
	// Name is the name of the theme in the configuration.
	Name string
	// Description is one line about the theme; it may be "".
	Description string
	// File is the file of a user's theme, or "" for an embedded theme.
	File string

	styles *[numTokens]Style
	blocks *[numTokens]Style // see [Theme.BlockStyle]
	specs  *[numTokens]spec
}

// Style returns the style of a token.
func (t Theme) Style(tok Token) Style {
	if t.styles == nil || tok >= numTokens {
		return Style{}
	}
	return t.styles[tok]
}

// OpenSequence returns the escape sequence that switches the token's style on, or "" if the style has no
// attributes. Tables and charts use SGR instead of a [Style].
func (t Theme) OpenSequence(tok Token) string {
	if t.styles == nil || tok >= numTokens {
		return ""
	}
	return t.styles[tok].Open // a Style is large to copy
}

// BlockStyle returns a style for text on a block in the color of a token, such as a badge. If the theme
// and the token define colors, the style sets them explicitly instead of reversing, because some
// terminals change the colors of reversed text.
func (t Theme) BlockStyle(tok Token) Style {
	if t.blocks == nil || tok >= numTokens {
		return spec{reverse: true}.style()
	}
	return t.blocks[tok]
}

// block returns the style with its foreground color as background. ground, the background of the
// theme, becomes the color of the text. If one of the two colors is missing, the style is reversed
// instead.
func (s spec) block(ground color.Color) Style {
	if ground != nil && s.fg != nil {
		s.fg, s.bg = ground, s.fg
	} else {
		s.reverse = true
	}
	return s.style()
}

// Same reports whether both themes have the same name and the same styles, so that they draw
// everything identically.
func (t Theme) Same(other Theme) bool {
	switch {
	case t.Name != other.Name:
		return false
	case t.styles == other.styles:
		return true
	case t.styles == nil || other.styles == nil:
		return false
	}
	for tok := range t.styles {
		if t.styles[tok].Open != other.styles[tok].Open {
			return false
		}
	}
	return true
}

// Background returns the color behind all text, or nil if it is the terminal's own.
func (t Theme) Background() color.Color { return t.spec(Text).bg }

// Foreground returns the color of ordinary text, or nil if it is the terminal's own.
func (t Theme) Foreground() color.Color { return t.spec(Text).fg }

// BaseSequence returns the escape sequence for the background and the color of ordinary text, or "" if the
// theme uses the terminal's background. Callers write the sequence before every line and after
// every reset, so that the theme is readable on any terminal.
func (t Theme) BaseSequence() string {
	if t.Background() == nil {
		return ""
	}
	return t.OpenSequence(Text)
}

// BackgroundKind returns "dark" or "light" if the theme defines its background, and "terminal" if
// the theme uses the terminal's background.
func (t Theme) BackgroundKind() string {
	bg := t.Background()
	switch {
	case bg == nil:
		return "terminal"
	case contrast(bg, color.White) >= contrast(bg, color.Black):
		return "dark"
	}
	return "light"
}

// HasColors reports whether the theme defines any colors.
func (t Theme) HasColors() bool {
	return t.specs != nil && slices.ContainsFunc(t.specs[:], func(s spec) bool { return s.fg != nil || s.bg != nil })
}

// UsesBasicColors reports whether the theme only uses the sixteen basic colors, which every color
// terminal can show and its user can configure. On a terminal with only sixteen colors, other
// colors are replaced with the nearest ones, so that text may become invisible on its background.
func (t Theme) UsesBasicColors() bool {
	basic := func(c color.Color) bool { _, ok := c.(ansi.BasicColor); return c == nil || ok }
	return t.specs == nil || !slices.ContainsFunc(t.specs[:], func(s spec) bool { return !basic(s.fg) || !basic(s.bg) })
}

// WithoutBackground returns a copy of the theme in which ordinary text has the terminal's
// background. It is for callers that do not write [Theme.BaseSequence].
func (t Theme) WithoutBackground() Theme {
	if t.Background() == nil {
		return t
	}
	styles := *t.styles
	text := t.spec(Text)
	text.bg = nil
	styles[Text] = text.style()
	t.styles = &styles
	return t
}

func (t Theme) spec(tok Token) spec {
	if t.specs == nil {
		return spec{}
	}
	return t.specs[tok]
}

// Style is a token's style compiled to escape sequences.
type Style struct {
	// Open switches the style on. It resets no other attributes, except bold for black text, so a
	// selection can be drawn over a colored cell.
	Open string
	// Close resets all attributes. It is "" if Open is "".
	Close string

	lipglossStyle *lipgloss.Style
}

// Render returns text with the escape sequences of the style around it. text must be a single line.
func (s Style) Render(text string) string { return s.Open + text + s.Close }

// Lipgloss returns the style for use with Lip Gloss, for layouts such as dialogs.
func (s Style) Lipgloss() lipgloss.Style {
	if s.lipglossStyle == nil {
		return lipgloss.NewStyle()
	}
	return *s.lipglossStyle
}
