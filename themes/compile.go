package themes

import (
	"errors"
	"fmt"
	"image/color"
	"maps"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// spec is the style of a token with resolved colors. A nil color is the terminal's own.
type spec struct {
	fg, bg                          color.Color
	bold, faint, reverse, underline bool
}

// sources holds the palettes of the user's themes and of the embedded themes, by name.
type sources struct{ userThemes, embedded map[string]*palette }

// extendedPalette returns the palette that p extends, or nil if there is none. If a user's theme
// extends its own name, it extends the embedded theme of that name. Embedded themes extend only
// embedded themes.
func (s sources) extendedPalette(p *palette) *palette {
	if b := s.userThemes[p.extends]; b != nil && b != p && !p.embedded {
		return b
	}
	return s.embedded[p.extends]
}

// extensionChain returns p, followed by the palettes that p extends, directly or through others,
// nearest first. The chain ends at a palette that extends nothing or an unknown name, or before a
// palette would repeat. If p is part of a cycle, extensionChain returns a problem of p.
func (s sources) extensionChain(p *palette) ([]*palette, *Problem) {
	chain := []*palette{p}
	for base := s.extendedPalette(p); base != nil; base = s.extendedPalette(base) {
		if base == p {
			cycle := make([]string, 0, len(chain)+1)
			for _, c := range append(chain, p) {
				cycle = append(cycle, c.name)
			}
			return nil, p.newProblem("extends", "goes round in a circle: "+strings.Join(cycle, " -> "),
				"let one of them extend an embedded theme")
		}
		if slices.Contains(chain, base) {
			break
		}
		chain = append(chain, base)
	}
	return chain, nil
}

// extendedPalettes returns the palettes that p extends, directly or through others, nearest first.
// If p extends an unknown theme, a theme with problems, or itself through others, it returns a
// problem of p. Problems inside another file are reported for that file, not for p.
func (s sources) extendedPalettes(p *palette) ([]*palette, *Problem) {
	if p.extends == "" {
		return nil, nil
	}
	chain, circle := s.extensionChain(p)
	if circle != nil {
		return nil, circle
	}
	if len(chain) == 1 {
		return nil, p.newProblem("extends", fmt.Sprintf("there is no theme %q", p.extends), "there are "+strings.Join(s.extensible(p), ", "))
	}
	if _, err := s.compile(chain[1]); err != nil {
		return nil, p.newProblem("extends", fmt.Sprintf("the theme %q has problems of its own", p.extends), "fix them first")
	}
	return chain[1:], nil
}

// extensible returns the names of the themes that p can extend, for messages.
func (s sources) extensible(p *palette) []string {
	return slices.DeleteFunc(s.names(), func(name string) bool {
		isUserTheme := s.userThemes[name]
		return name == p.name || isUserTheme != nil && len(isUserTheme.problems) > 0
	})
}

// names returns the names of all themes in alphabetical order.
func (s sources) names() []string {
	all := maps.Clone(s.embedded)
	maps.Copy(all, s.userThemes)
	return slices.Sorted(maps.Keys(all))
}

// compile combines a palette with all palettes that it extends, and returns the theme. The error
// joins all problems of p.
func (s sources) compile(p *palette) (Theme, error) {
	bases, broken := s.extendedPalettes(p)
	if broken != nil {
		return Theme{}, joinProblems(append(slices.Clone(p.problems), broken))
	}
	colors, tokens := make(map[string]string), make(map[string]tokenEntry)
	for _, c := range slices.Backward(append([]*palette{p}, bases...)) {
		maps.Copy(colors, c.colors)
		maps.Copy(tokens, c.tokens)
	}
	specs, problems := p.specs(colors, tokens)
	if problems = append(problems, p.problems...); len(problems) > 0 {
		return Theme{}, joinProblems(problems)
	}
	t := Theme{Name: p.name, Description: p.description, specs: specs, styles: new([numTokens]Style), blocks: new([numTokens]Style)}
	if !p.embedded {
		t.File = p.file
	}
	for i, s := range specs {
		t.styles[i], t.blocks[i] = s.style(), s.block(specs[Text].bg)
	}
	return t, nil
}

// joinProblems returns an error that joins the problems, sorted by line.
func joinProblems(problems []*Problem) error {
	slices.SortStableFunc(problems, func(a, b *Problem) int { return a.Line - b.Line })
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = p
	}
	return errors.Join(errs...)
}

// specs returns the styles of all tokens with resolved colors, and the problems that it finds: a missing token,
// an invalid color, or ordinary text with a background but no foreground. colors and tokens hold the
// definitions of p and of the palettes that it extends.
func (p *palette) specs(colors map[string]string, tokens map[string]tokenEntry) (*[numTokens]spec, []*Problem) {
	var (
		specs    [numTokens]spec
		missing  []string
		problems []*Problem
	)
	for i, name := range tokenNames() {
		e, ok := tokens[name]
		if !ok {
			missing = append(missing, name)
			continue
		}
		s := spec{bold: e.bold, faint: e.faint, reverse: e.reverse, underline: e.underline}
		for _, c := range []struct {
			field, written string
			to             *color.Color
		}{{"fg", e.fg, &s.fg}, {"bg", e.bg, &s.bg}} {
			if *c.to, ok = resolveColor(c.written, colors); !ok {
				problems = append(problems, p.newProblem(keyOf("tokens", name, c.field),
					fmt.Sprintf("%q is no colour", c.written), "allowed are "+literalForms+" and the names in [palette]"))
			}
		}
		specs[i] = s
	}
	switch s := specs[Text]; {
	case len(missing) > 0 && len(p.problems) == 0:
		if n := len(missing) - 3; n > 1 {
			missing = append(missing[:3], fmt.Sprintf("and %d more", n))
		}
		problems = append(problems, p.newProblem("tokens", "lacks "+strings.Join(missing, ", "),
			`put extends = "`+DefaultName+`" on the first line to take them from that theme`))
	case s.bg != nil && s.fg == nil:
		problems = append(problems, p.newProblem("tokens.text", "has a background without a fg", "the terminal's own colour may be the same: set both"))
	}
	return &specs, problems
}

// resolveColor returns the color for a string in a theme file, which is a name in colors or a literal. A
// nil color is the terminal's own color. ok is false if the string is neither.
func resolveColor(written string, colors map[string]string) (c color.Color, ok bool) {
	if named, ok := colors[written]; ok {
		written = named
	}
	if written == "" || written == terminalColor {
		return nil, true
	}
	return lipgloss.Color(written), isLiteral(written)
}

func (s spec) style() Style {
	lg := lipgloss.NewStyle()
	var seq ansi.Style
	if s.fg != nil {
		lg, seq = lg.Foreground(s.fg), seq.ForegroundColor(s.fg)
	}
	if s.bg != nil {
		lg, seq = lg.Background(s.bg), seq.BackgroundColor(s.bg)
	}
	switch {
	case s.bold:
		lg, seq = lg.Bold(true), seq.Bold()
	case s.fg == ansi.Black: // in a bold row, xterm would draw black as gray
		seq = seq.Normal()
	}
	if s.faint {
		lg, seq = lg.Faint(true), seq.Faint()
	}
	if s.reverse {
		lg, seq = lg.Reverse(true), seq.Reverse(true)
	}
	if s.underline {
		lg, seq = lg.Underline(true), seq.Underline(true)
	}
	if len(seq) == 0 {
		return Style{lipglossStyle: &lg}
	}
	return Style{Open: seq.String(), Close: ansi.ResetStyle, lipglossStyle: &lg}
}
