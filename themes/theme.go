package themes

import (
	"embed"
	"fmt"
	"image/color"
	"io/fs"
	"strings"

	"charm.land/lipgloss/v2"
)

//go:embed *.toml
var palettes embed.FS

// Default is the name of the theme that is used when none is asked for.
const Default = "dark"

// Theme is a complete set of styles: every token has one. It is immutable and
// cheap to copy. The zero Theme draws everything unstyled.
type Theme struct {
	// Name is how the configuration calls the theme.
	Name string
	// Dark tells whether the theme is made for a dark background.
	Dark bool

	styles *[numTokens]Style
	specs  *[numTokens]spec
}

// Names returns the names of the embedded themes in alphabetical order.
func Names() []string {
	files, err := fs.Glob(palettes, "*.toml")
	if err != nil { // only a malformed pattern can fail
		return nil
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(f, ".toml")
	}
	return files
}

// Load compiles an embedded theme. An unknown name is an error that lists the
// known ones.
func Load(name string) (Theme, error) {
	data, err := palettes.ReadFile(name + ".toml")
	if err != nil {
		return Theme{}, fmt.Errorf("load theme %q: no such theme, allowed: %s",
			name, strings.Join(Names(), ", "))
	}
	t, err := Parse(data)
	if err != nil {
		return Theme{}, fmt.Errorf("load theme %q: %w", name, err)
	}
	return t, nil
}

// Style returns the style of a token.
func (t Theme) Style(tok Token) Style {
	if t.styles == nil || tok >= numTokens {
		return Style{}
	}
	return t.styles[tok]
}

// SGR returns the sequence that switches the token's style on, "" if the
// token has none. It is what the table and the charts take.
func (t Theme) SGR(tok Token) string { return t.Style(tok).Open }

// Background returns the colour behind all text, nil if it is the terminal's
// own.
func (t Theme) Background() color.Color { return t.spec(Text).bg }

// Foreground returns the colour of ordinary text, nil if it is the terminal's
// own.
func (t Theme) Foreground() color.Color { return t.spec(Text).fg }

// Base returns the sequence under all text of a theme that names its
// background, "" for one that leaves it to the terminal. Written before every
// line and after every reset, it makes the theme readable on a terminal of any
// colours.
func (t Theme) Base() string {
	if t.Background() == nil {
		return ""
	}
	return t.SGR(Text)
}

func (t Theme) spec(tok Token) spec {
	if t.specs == nil {
		return spec{}
	}
	return t.specs[tok]
}

// Style is a token's style compiled to escape sequences.
type Style struct {
	// Open switches the style on. It never resets what is on already, so
	// that a selection may be laid over a coloured cell.
	Open string
	// Close resets all attributes; it is "" if Open is.
	Close string

	lg *lipgloss.Style
}

// Render returns s in the style. s must be a single line.
func (s Style) Render(text string) string { return s.Open + text + s.Close }

// LG returns the style for Lip Gloss layouts such as dialogs.
func (s Style) LG() lipgloss.Style {
	if s.lg == nil {
		return lipgloss.NewStyle()
	}
	return *s.lg
}
