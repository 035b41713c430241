package style

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/term"
)

// ThemeSet holds the themes that are configured for a board.
type ThemeSet struct {
	Theme      themes.Theme   // the initial theme
	LightTheme themes.Theme   // replaces Theme on a light background; zero: the background has no effect
	Selectable []themes.Theme // the themes that the viewer can select
}

// ThemeSelector determines the theme of a board from the configuration, the capabilities of the terminal
// and the viewer's choice. Its methods take the options of the current look and return those of the
// next look.
type ThemeSelector struct {
	set              ThemeSet
	chosen           string // name of the theme that the viewer has chosen; "": none
	awaitsBackground bool   // the terminal has not reported its background color yet
	hasSixteenColors bool   // the terminal has only sixteen colors
}

// NewThemeSelector returns a ThemeSelector for a terminal that has not reported anything yet.
func NewThemeSelector(set ThemeSet) ThemeSelector {
	return ThemeSelector{set: set, awaitsBackground: set.LightTheme.Name != ""}
}

// AwaitsBackground reports whether the theme depends on the terminal's background color and this
// color is not known yet.
func (t *ThemeSelector) AwaitsBackground() bool { return t.awaitsBackground }

// withSupportedTheme returns o. If the terminal cannot show the colors of the theme, it returns o with the basic
// theme instead.
func (t *ThemeSelector) withSupportedTheme(o Options) Options {
	if !t.hasSixteenColors || o.Theme.UsesBasicColors() {
		return o
	}
	if i := t.indexOf(themes.BasicName); i >= 0 {
		o.Theme = t.set.Selectable[i]
	}
	return o
}

// indexOf returns the index of the selectable theme with the given name, or -1 if there is none.
func (t *ThemeSelector) indexOf(name string) int {
	return slices.IndexFunc(t.set.Selectable, func(candidate themes.Theme) bool { return candidate.Name == name })
}

// QueryBackground returns a command that queries the background color of the terminal, or nil if
// the theme does not depend on this color.
func (t *ThemeSelector) QueryBackground() tea.Cmd {
	if t.awaitsBackground = t.set.LightTheme.Name != "" && t.chosen == ""; t.awaitsBackground {
		return tea.RequestBackgroundColor
	}
	return nil
}

// HandleReport handles a report of the terminal about its colors or the width of its characters.
// The bool result is true if the board must be redrawn with the returned options.
func (t *ThemeSelector) HandleReport(msg tea.Msg, o Options) (Options, bool) {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg: // selects the dark or the light theme
		if !t.awaitsBackground {
			return o, false
		}
		if t.awaitsBackground = false; msg.IsDark() {
			return o, true
		}
		o.Theme = t.set.LightTheme
	case tea.ColorProfileMsg:
		mono, depth, basic := msg.Profile < colorprofile.ANSI, depthOf(msg.Profile), msg.Profile == colorprofile.ANSI
		if mono == o.Mono && depth == o.Depth && basic == t.hasSixteenColors {
			return o, false
		}
		t.hasSixteenColors = basic
		o.Mono, o.Depth = mono, depth
	case tea.ModeReportMsg: // text must be measured as it is painted
		if !term.SupportsClusters(msg) {
			return o, false
		}
		o.WidthMethod = ansi.GraphemeWidth
	default:
		return o, false
	}
	return t.withSupportedTheme(o), true
}

// depthOf returns the color depth for a terminal profile.
func depthOf(p colorprofile.Profile) themes.Depth {
	switch p { //nolint:exhaustive // the others have fewer colors
	case colorprofile.TrueColor:
		return themes.DepthTrueColor
	case colorprofile.ANSI256:
		return themes.Depth256
	}
	return themes.DepthSixteen
}

// Names returns the names of the themes that the viewer can select, which are those that the
// terminal can show. If the terminal has more than sixteen colors, the configured theme is always
// among them.
func (t *ThemeSelector) Names() []string {
	var names []string
	for _, theme := range t.set.Selectable {
		if !t.hasSixteenColors || theme.UsesBasicColors() {
			names = append(names, theme.Name)
		}
	}
	if t.hasSixteenColors || slices.Contains(names, t.set.Theme.Name) {
		return names
	}
	return append([]string{t.set.Theme.Name}, names...)
}

// Select selects the theme with the given name, or the configured theme if there is none.
// Afterwards, the background color of the terminal has no effect.
func (t *ThemeSelector) Select(name string, o Options) Options {
	o.Theme, o.NamedTheme = t.set.Theme, true
	if i := t.indexOf(name); i >= 0 {
		o.Theme = t.set.Selectable[i]
	}
	t.awaitsBackground = false
	return t.withSupportedTheme(o)
}

// Choose selects a theme like [ThemeSelector.Select] and records it as the viewer's choice.
func (t *ThemeSelector) Choose(name string, o Options) Options {
	t.chosen = name
	return t.Select(name, o)
}

// CanChoose reports whether there is a selectable theme with the given name.
func (t *ThemeSelector) CanChoose(name string) bool { return t.indexOf(name) >= 0 }

// Chosen returns the name of the theme that the viewer has chosen. It returns "" if the viewer has
// not chosen any, or if another theme has been configured since.
func (t *ThemeSelector) Chosen() string { return t.chosen }

// Preview selects a theme for a preview. back returns the options with the previous theme.
func (t *ThemeSelector) Preview(name string, o Options) (next Options, back func() Options) {
	asking := t.awaitsBackground
	return t.Select(name, o), func() Options {
		t.awaitsBackground = asking
		return t.withSupportedTheme(o)
	}
}

// Reconfigure replaces the configured themes. If the configured theme or its dependence on the
// background has changed, the configured theme is selected; the command then queries the background
// if necessary. Otherwise the current theme stays selected, in its new definition.
func (t *ThemeSelector) Reconfigure(set ThemeSet, o Options) (Options, tea.Cmd) {
	previous := t.set
	t.set = set
	auto := set.LightTheme.Name != ""
	if set.Theme.Name == previous.Theme.Name && auto == (previous.LightTheme.Name != "") {
		o.Theme = t.currentDefinition(o.Theme)
		return t.withSupportedTheme(o), nil
	}
	t.chosen = ""
	o.Theme, o.NamedTheme = set.Theme, !auto
	var cmd tea.Cmd
	if auto {
		cmd = t.QueryBackground()
	}
	return t.withSupportedTheme(o), cmd
}

// currentDefinition returns the definition of a theme in the current configuration. theme may be
// from an earlier configuration.
func (t *ThemeSelector) currentDefinition(theme themes.Theme) themes.Theme {
	for _, candidate := range append([]themes.Theme{t.set.Theme, t.set.LightTheme}, t.set.Selectable...) {
		if candidate.Name == theme.Name {
			return candidate
		}
	}
	return theme
}
