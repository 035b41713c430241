package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
	"wallboard/ui/term"
)

// themer determines the theme of the board from the configuration, the capabilities of the terminal
// and the viewer's choice.
type themer struct {
	scene            *scene
	awaitsBackground bool // waiting for the terminal's background color
	hasSixteenColors bool // the terminal has only sixteen colors
}

// fittingTheme returns theme. If the terminal cannot show the colors of theme, it returns the basic
// theme instead.
func (t *themer) fittingTheme(theme themes.Theme) themes.Theme {
	if !t.hasSixteenColors || theme.UsesBasicColors() {
		return theme
	}
	if i := slices.IndexFunc(t.scene.Display.Themes, func(candidate themes.Theme) bool { return candidate.Name == themes.Basic }); i >= 0 {
		return t.scene.Display.Themes[i]
	}
	return theme
}

// changeLook creates a look with the changed options. If the terminal cannot show the theme in
// these options, the look has the basic theme.
func (t *themer) changeLook(change func(*style.Options)) {
	t.scene.changeLook(func(o *style.Options) {
		change(o)
		o.Theme = t.fittingTheme(o.Theme)
	})
}

// queryBackground returns the command that queries the terminal's background color. It returns nil
// if the configured theme does not depend on that color.
func (t *themer) queryBackground() tea.Cmd {
	if t.awaitsBackground = t.scene.Display.LightTheme.Name != ""; t.awaitsBackground {
		return tea.RequestBackgroundColor
	}
	return nil
}

// handleReport handles a report of the terminal about its colors or widths of characters. It
// returns true if the board must be drawn again.
func (t *themer) handleReport(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg: // selects between the dark and the light theme
		if !t.awaitsBackground {
			return false
		}
		if t.awaitsBackground = false; !msg.IsDark() {
			t.changeLook(func(o *style.Options) { o.Theme = t.scene.Display.LightTheme })
		}
		return true
	case tea.ColorProfileMsg:
		mono, depth, basic := msg.Profile < colorprofile.ANSI, depthOf(msg.Profile), msg.Profile == colorprofile.ANSI
		if mono == t.scene.look.Mono && depth == t.scene.look.Depth && basic == t.hasSixteenColors {
			return false
		}
		t.hasSixteenColors = basic
		t.changeLook(func(o *style.Options) { o.Mono, o.Depth = mono, depth })
		return true
	case tea.ModeReportMsg: // measure text as it is painted
		if !term.SupportsClusters(msg) {
			return false
		}
		t.changeLook(func(o *style.Options) { o.Widths = ansi.GraphemeWidth })
		return true
	}
	return false
}

// depthOf returns the color depth for a terminal profile.
func depthOf(p colorprofile.Profile) themes.Depth {
	switch p { //nolint:exhaustive // the others have fewer colors
	case colorprofile.TrueColor:
		return themes.Full
	case colorprofile.ANSI256:
		return themes.Palette
	}
	return themes.Shallow
}

// themeNames returns the names of the themes that the viewer can select: those that the terminal
// can show. If the terminal has more than sixteen colors, the configured theme is always among
// them.
func (t *themer) themeNames() []string {
	var names []string
	for _, theme := range t.scene.Display.Themes {
		if !t.hasSixteenColors || theme.UsesBasicColors() {
			names = append(names, theme.Name)
		}
	}
	if t.hasSixteenColors || slices.Contains(names, t.scene.Display.Theme.Name) {
		return names
	}
	return append([]string{t.scene.Display.Theme.Name}, names...)
}

// commands returns the palette's commands for selecting a theme. use selects a theme by name.
// restyle redraws the board after a change by a preview.
func (t *themer) commands(use func(name string) tea.Cmd, restyle func()) []dialog.Command {
	var out []dialog.Command
	for _, name := range t.themeNames() {
		out = append(out, dialog.Command{
			Name: "theme " + name, Keywords: "colours colors", Run: func() tea.Cmd { return use(name) },
			Preview: func() func() { return t.preview(name, restyle) },
		})
	}
	return out
}

// selectTheme selects the theme with a name, or the configured theme for an unknown name. From then
// on the terminal's background color has no effect.
func (t *themer) selectTheme(name string) {
	theme := t.scene.Display.Theme
	if i := slices.IndexFunc(t.scene.Display.Themes, func(candidate themes.Theme) bool { return candidate.Name == name }); i >= 0 {
		theme = t.scene.Display.Themes[i]
	}
	t.awaitsBackground = false
	t.changeLook(func(o *style.Options) { o.Theme, o.NamedTheme = theme, true })
}

// preview selects a theme for a preview and calls redraw. back restores the previous theme.
func (t *themer) preview(name string, redraw func()) (back func()) {
	previous, asking := t.scene.look.Options, t.awaitsBackground
	t.selectTheme(name)
	redraw()
	return func() {
		t.awaitsBackground = asking
		t.changeLook(func(o *style.Options) { *o = previous })
		redraw()
	}
}

// applyConfigured applies the configured theme after a reload. If the reload has not changed which
// theme is configured, it keeps the theme that the viewer has chosen.
func (t *themer) applyConfigured(previous *Options) tea.Cmd {
	sc := t.scene
	auto := sc.Display.LightTheme.Name != ""
	theme, chosen := sc.Display.Theme, sc.look.NamedTheme
	var cmd tea.Cmd
	if theme.Name == previous.Display.Theme.Name && auto == (previous.Display.LightTheme.Name != "") {
		theme = t.currentDefinition(sc.look.Theme)
	} else if chosen = !auto; auto {
		cmd = t.queryBackground()
	}
	t.changeLook(func(o *style.Options) { o.Theme, o.NamedTheme = theme, chosen })
	return cmd
}

// currentDefinition returns the configuration's current definition of a theme that may have been
// loaded earlier.
func (t *themer) currentDefinition(theme themes.Theme) themes.Theme {
	for _, candidate := range append([]themes.Theme{t.scene.Display.Theme, t.scene.Display.LightTheme}, t.scene.Display.Themes...) {
		if candidate.Name == theme.Name {
			return candidate
		}
	}
	return theme
}
