package style

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/render"
)

// Panel describes a frame with labels in its edges.
type Panel struct {
	Title, Note string // in the upper edge, on the left and right
	FooterText  string // in the lower edge
	// TitleToken is the color token of the title; zero means that of secondary text.
	TitleToken themes.Token
	// EdgeToken is the color token of the frame; zero means the usual color.
	EdgeToken themes.Token
	// TintToken is the token whose hue tints the background; zero means no tint.
	TintToken themes.Token
}

// PanelSideCells is the number of cells that a panel takes on both sides of its content together.
// PanelFrameLines is the number of lines that it takes above and below its content together.
const (
	PanelSideCells  = 4
	PanelFrameLines = 2
)

// Frame returns the panel p around lines, w cells wide. The lines are truncated or padded to fit.
func (lk *Look) Frame(w int, p Panel, lines []string) []string {
	g := lightBoxChars(lk.ASCII)
	edge, title := lk.Style(cmp.Or(p.EdgeToken, themes.Border)), lk.Style(cmp.Or(p.TitleToken, themes.Dim))
	if p.EdgeToken == themes.GaugeCritical {
		g = heavyBoxChars(lk.ASCII)
	}
	switch p.TitleToken { //nolint:exhaustive // other titles keep the weight of their token
	case themes.GaugeCritical:
		title = lk.Style(themes.Critical)
	case themes.GaugeWarn:
		title = themes.Style{Open: title.Open + ansi.SGR(ansi.AttrBold), Close: ansi.ResetStyle}
	}
	inside := make([]string, len(lines))
	for i, l := range lines {
		inside[i] = " " + Fit(l, w-PanelSideCells, lk.Glyphs.Ellipsis) + " "
	}
	out := g.frame(edge, lk.edgeLine(w, edgeChars{g.topLeft, g.rule, g.topRight}, p.Title, p.Note, edge, title), inside,
		lk.edgeLine(w, edgeChars{g.bottomLeft, g.rule, g.bottomRight}, p.FooterText, "", edge, lk.Style(themes.Dim)))
	if base := lk.Tint(p.TintToken); base != "" {
		for i := range out {
			out[i] = string(AppendOnBase(nil, out[i], base))
		}
	}
	return out
}

// Tint returns the escape sequence of a background in the hue of the token t. It returns "" for
// [themes.Text], which is the zero token, and if the terminal has too few colors.
func (lk *Look) Tint(t themes.Token) string {
	if t == themes.Text || lk.Mono {
		return ""
	}
	if cached, ok := lk.tints.Load(t); ok {
		return cached.(string) //nolint:forcetypeassert // only strings are stored
	}
	base := lk.Theme.Tint(t, lk.Depth)
	lk.tints.Store(t, base)
	return base
}

// edgeChars holds the characters of the upper or lower line of a frame: its corners and the rule
// between them.
type edgeChars struct{ left, rule, right string }

// edgeLine returns the upper or lower line of a frame. title is on the left. note is on the right
// if it fits.
func (lk *Look) edgeLine(w int, g edgeChars, title, note string, edge, text themes.Style) string {
	l := NewLine(w, lk.Glyphs.Ellipsis)
	l.Add(edge, g.left)
	available := w - 4 // without the corners and a space on each side
	if title = Truncate(title, available, lk.Glyphs.Ellipsis); title != "" {
		l.Add(themes.Style{}, " ").Add(text, title).Add(themes.Style{}, " ")
	}
	end := Width(note) + 3
	if note == "" || end > l.RemainingWidth()-2 {
		note, end = "", 1
	}
	if n := l.RemainingWidth() - end; n > 0 {
		l.Add(edge, strings.Repeat(g.rule, n))
	}
	if note != "" {
		l.Add(themes.Style{}, " ").Add(lk.Style(themes.Dim), note).Add(themes.Style{}, " ")
	}
	return l.Add(edge, g.right).Finish(themes.Style{})
}

// CellLine returns a line of w cells with a space and then text in the color of a token.
func (lk *Look) CellLine(w int, token themes.Token, text string) string {
	return NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(token), " "+text).Finish(themes.Style{})
}

// StateMark returns the mark for the state of a record. token is its color: [themes.GaugeCritical],
// [themes.GaugeWarn], or [themes.Dim] for a problem that a viewer has taken over. For any other
// token, the mark is "".
func (lk *Look) StateMark(token themes.Token) string {
	switch token { //nolint:exhaustive // other tokens are no problems
	case themes.GaugeCritical:
		return render.Critical.Glyph(lk.ASCII)
	case themes.GaugeWarn:
		return render.Warning.Glyph(lk.ASCII)
	case themes.Dim:
		return render.AcknowledgedGlyph(lk.ASCII)
	}
	return ""
}
