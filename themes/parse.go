package themes

import (
	"errors"
	"fmt"
	"image/color"
	"regexp"
	"slices"
	"strconv"

	"charm.land/lipgloss/v2"
	"github.com/BurntSushi/toml"
	"github.com/charmbracelet/x/ansi"
)

// file is a palette as it is written.
type file struct {
	Name    string            `toml:"name"`
	Dark    bool              `toml:"dark"`
	Extends string            `toml:"extends"`
	Palette map[string]string `toml:"palette"`
	Tokens  map[string]entry  `toml:"tokens"`
}

// entry is one token as it is written; a colour is a palette name or a literal.
type entry struct {
	Fg        string `toml:"fg"`
	Bg        string `toml:"bg"`
	Bold      bool   `toml:"bold"`
	Faint     bool   `toml:"faint"`
	Reverse   bool   `toml:"reverse"`
	Underline bool   `toml:"underline"`
}

// spec is one token with its colours resolved; nil is the terminal's own.
type spec struct {
	fg, bg                          color.Color
	bold, faint, reverse, underline bool
}

// Parse compiles a palette. With extends = "dark" it starts from that embedded
// theme and replaces what the palette names: whole tokens, or single colours of
// [palette]. Unknown keys, tokens and colours are errors, as is a token that is
// not set; all problems are reported together.
func Parse(data []byte) (Theme, error) {
	f, err := decode(data)
	if err != nil {
		return Theme{}, err
	}
	return compile(f)
}

func decode(data []byte) (file, error) {
	var f file
	md, err := toml.Decode(string(data), &f)
	if err != nil {
		return file{}, fmt.Errorf("decode palette: %w", err)
	}
	var errs []error
	for _, k := range md.Undecoded() {
		errs = append(errs, fmt.Errorf("%s: unknown key", k))
	}
	known := tokenNames()
	for _, name := range sortedKeys(f.Tokens) {
		if !slices.Contains(known[:], name) {
			errs = append(errs, fmt.Errorf("tokens.%s: unknown token", name))
		}
	}
	if len(errs) > 0 {
		return file{}, errors.Join(errs...)
	}
	if f.Extends == "" {
		return f, nil
	}
	return extend(f, md.IsDefined("dark"))
}

// extend lays f over the embedded theme it names. An embedded theme extends
// nothing itself, so there is no chain to follow.
func extend(f file, darkSet bool) (file, error) {
	data, err := palettes.ReadFile(f.Extends + ".toml")
	if err != nil {
		return file{}, fmt.Errorf("extends: no theme %q, allowed: %q", f.Extends, Names())
	}
	var base file
	if err := toml.Unmarshal(data, &base); err != nil {
		return file{}, fmt.Errorf("extends %q: %w", f.Extends, err)
	}
	if f.Name != "" {
		base.Name = f.Name
	}
	if darkSet {
		base.Dark = f.Dark
	}
	for k, v := range f.Palette {
		if base.Palette == nil {
			base.Palette = map[string]string{}
		}
		base.Palette[k] = v
	}
	for k, v := range f.Tokens {
		base.Tokens[k] = v
	}
	return base, nil
}

func compile(f file) (Theme, error) {
	var (
		specs  [numTokens]spec
		styles [numTokens]Style
		errs   []error
	)
	for i, name := range tokenNames() {
		e, ok := f.Tokens[name]
		if !ok {
			errs = append(errs, fmt.Errorf("tokens.%s: not set", name))
			continue
		}
		s := spec{bold: e.Bold, faint: e.Faint, reverse: e.Reverse, underline: e.Underline}
		var err error
		if s.fg, err = f.color(e.Fg); err != nil {
			errs = append(errs, fmt.Errorf("tokens.%s.fg: %w", name, err))
		}
		if s.bg, err = f.color(e.Bg); err != nil {
			errs = append(errs, fmt.Errorf("tokens.%s.bg: %w", name, err))
		}
		specs[i], styles[i] = s, s.style()
	}
	if s := specs[Text]; s.bg != nil && s.fg == nil {
		errs = append(errs, errors.New("tokens.text: a background needs a fg: the terminal's own may be the same"))
	}
	if len(errs) > 0 {
		return Theme{}, errors.Join(errs...)
	}
	return Theme{Name: f.Name, Dark: f.Dark, styles: &styles, specs: &specs}, nil
}

var hexColor = regexp.MustCompile(`^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$`)

// color resolves a palette name, #rgb, #rrggbb or a colour number 0-255; ""
// and "default" are the terminal's own colour.
func (f file) color(s string) (color.Color, error) {
	if v, ok := f.Palette[s]; ok {
		s = v
	}
	if s == "" || s == "default" {
		return nil, nil //nolint:nilnil // nil is lipgloss's and ansi's "terminal's own colour"
	}
	if hexColor.MatchString(s) {
		return lipgloss.Color(s), nil
	}
	if n, err := strconv.ParseUint(s, 10, 8); err == nil {
		return lipgloss.Color(strconv.FormatUint(n, 10)), nil
	}
	return nil, fmt.Errorf("%q is no colour: allowed are #rrggbb, 0-255, default and the names in [palette]", s)
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
	if s.bold {
		lg, seq = lg.Bold(true), seq.Bold()
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
		return Style{lg: &lg}
	}
	return Style{Open: seq.String(), Close: ansi.ResetStyle, lg: &lg}
}

func sortedKeys(m map[string]entry) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
