package style

import (
	"image/color"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"wallboard/themes"
)

// themeSet returns all embedded themes. The initial theme is a dark one, or a light one on a light
// background.
func themeSet(t *testing.T) ThemeSet {
	t.Helper()
	var set ThemeSet
	for _, name := range themes.EmbeddedNames() {
		theme, err := themes.LoadEmbedded(name)
		if err != nil {
			t.Fatal(err)
		}
		set.Selectable = append(set.Selectable, theme)
		switch name {
		case "dark":
			set.Theme = theme
		case "light":
			set.LightTheme = theme
		}
	}
	return set
}

// TestThemer checks the theme after reports of the terminal, choices of the viewer, previews and
// changes of the configuration.
func TestThemer(t *testing.T) {
	t.Parallel()
	set := themeSet(t)
	onLight := tea.BackgroundColorMsg{Color: color.White}
	named := set
	named.LightTheme = themes.Theme{}
	report := func(msg tea.Msg) func(*ThemeSelector, Options) Options {
		return func(t *ThemeSelector, o Options) Options { o, _ = t.HandleReport(msg, o); return o }
	}
	choose := func(name string) func(*ThemeSelector, Options) Options {
		return func(t *ThemeSelector, o Options) Options { return t.Select(name, o) }
	}
	preview := func(t *ThemeSelector, o Options) Options {
		_, back := t.Preview("high-contrast", o)
		return back()
	}
	reconfigure := func(set ThemeSet) func(*ThemeSelector, Options) Options {
		return func(t *ThemeSelector, o Options) Options { o, _ = t.Reconfigure(set, o); return o }
	}
	few := report(tea.ColorProfileMsg{Profile: colorprofile.ANSI})
	for name, tt := range map[string]struct {
		steps []func(*ThemeSelector, Options) Options
		want  string
	}{
		"no report":                 {nil, "dark"},
		"light background":          {[]func(*ThemeSelector, Options) Options{report(onLight)}, "light"},
		"second background":         {[]func(*ThemeSelector, Options) Options{report(tea.BackgroundColorMsg{Color: color.Black}), report(onLight)}, "dark"},
		"choice before the report":  {[]func(*ThemeSelector, Options) Options{choose("high-contrast"), report(onLight)}, "high-contrast"},
		"preview before the report": {[]func(*ThemeSelector, Options) Options{preview, report(onLight)}, "light"},
		"unknown name":              {[]func(*ThemeSelector, Options) Options{choose("none")}, "dark"},
		"sixteen colors":            {[]func(*ThemeSelector, Options) Options{few}, themes.BasicName},
		"choice of sixteen colors":  {[]func(*ThemeSelector, Options) Options{few, choose("light")}, themes.BasicName},
		"same configuration":        {[]func(*ThemeSelector, Options) Options{choose("light"), reconfigure(set)}, "light"},
		"other configuration":       {[]func(*ThemeSelector, Options) Options{choose("light"), reconfigure(named)}, "dark"},
	} {
		themer := NewThemeSelector(set)
		o := Options{Theme: set.Theme, Depth: themes.DepthTrueColor}
		for _, step := range tt.steps {
			o = step(&themer, o)
		}
		if o.Theme.Name != tt.want {
			t.Errorf("%s: theme %s, want %s", name, o.Theme.Name, tt.want)
		}
	}
}
