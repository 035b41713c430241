package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"wallboard/themes"
	"wallboard/ui/look"
	"wallboard/ui/paint"
	"wallboard/ui/palette"
)

// themer chooses what the board looks like: by the configuration, by what the
// terminal says of itself, and by what the viewer asks for.
type themer struct {
	scene  *scene
	asking bool // the terminal was asked for its background
	basic  bool // the terminal shows sixteen colours only
}

// fitting returns a theme, or what takes its place on a terminal that would make one
// colour of several of it.
func (t *themer) fitting(theme themes.Theme) themes.Theme {
	if !t.basic || theme.Basic() {
		return theme
	}
	if i := slices.IndexFunc(t.scene.Themes, func(one themes.Theme) bool { return one.Name == themes.Basic }); i >= 0 {
		return t.scene.Themes[i]
	}
	return theme
}

// relook changes the look, to a theme that the terminal can show.
func (t *themer) relook(change func(*look.Options)) {
	t.scene.relook(func(o *look.Options) {
		change(o)
		o.Theme = t.fitting(o.Theme)
	})
}

// ask asks the terminal for its background where that decides.
func (t *themer) ask() tea.Cmd {
	if t.asking = t.scene.LightTheme.Name != ""; t.asking {
		return tea.RequestBackgroundColor
	}
	return nil
}

// learn takes what the terminal says of itself, and reports whether the look is
// another, or waited for this.
func (t *themer) learn(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg: // the light theme is for light terminals
		if !t.asking {
			return false
		}
		if t.asking = false; !msg.IsDark() {
			t.relook(func(o *look.Options) { o.Theme = t.scene.LightTheme })
		}
		return true
	case tea.ColorProfileMsg:
		mono, depth, basic := msg.Profile < colorprofile.ANSI, depthOf(msg.Profile), msg.Profile == colorprofile.ANSI
		if mono == t.scene.look.Mono && depth == t.scene.look.Depth && basic == t.basic {
			return false
		}
		t.basic = basic
		t.relook(func(o *look.Options) { o.Mono, o.Depth = mono, depth })
		return true
	case tea.ModeReportMsg: // text is measured as it is painted
		if !paint.ByClusters(msg) {
			return false
		}
		t.relook(func(o *look.Options) { o.Widths = ansi.GraphemeWidth })
		return true
	}
	return false
}

// depthOf is how many colours a terminal of a profile has.
func depthOf(p colorprofile.Profile) themes.Depth {
	switch p { //nolint:exhaustive // the others have too few colours
	case colorprofile.TrueColor:
		return themes.Full
	case colorprofile.ANSI256:
		return themes.Palette
	}
	return themes.Shallow
}

// names returns the themes to choose from, of those that the terminal can show, and
// the one that the board was given if it is none of them.
func (t *themer) names() []string {
	var names []string
	for _, one := range t.scene.Themes {
		if !t.basic || one.Basic() {
			names = append(names, one.Name)
		}
	}
	if t.basic || slices.Contains(names, t.scene.Theme.Name) {
		return names
	}
	return append([]string{t.scene.Theme.Name}, names...)
}

// commands are those of the palette: each theme can be tried before it is taken.
func (t *themer) commands(use func(name string) tea.Cmd, restyle func()) []palette.Command {
	var out []palette.Command
	for _, name := range t.names() {
		out = append(out, palette.Command{
			Name: "theme " + name, Also: "colours colors", Run: func() tea.Cmd { return use(name) },
			Try: func() func() { return t.try(name, restyle) },
		})
	}
	return out
}

// use takes the theme with a name, whatever the terminal says.
func (t *themer) use(name string) {
	theme := t.scene.Theme
	if i := slices.IndexFunc(t.scene.Themes, func(one themes.Theme) bool { return one.Name == name }); i >= 0 {
		theme = t.scene.Themes[i]
	}
	t.asking = false
	t.relook(func(o *look.Options) { o.Theme, o.Chosen = theme, true })
}

// try takes the theme with a name until what it returns is called. After each change
// it has everything drawn anew.
func (t *themer) try(name string, redraw func()) (back func()) {
	before, asking := t.scene.look.Options, t.asking
	t.use(name)
	redraw()
	return func() {
		t.asking = asking
		t.relook(func(o *look.Options) { *o = before })
		redraw()
	}
}

// follow takes the theme of the present options, unless it is that of the options
// before: then the viewer may have chosen another one meanwhile.
func (t *themer) follow(before *Options) tea.Cmd {
	sc := t.scene
	auto := sc.LightTheme.Name != ""
	theme, chosen := sc.Theme, sc.look.Chosen
	var cmd tea.Cmd
	if theme.Name == before.Theme.Name && auto == (before.LightTheme.Name != "") {
		theme = t.defined(sc.look.Theme)
	} else if chosen = !auto; auto {
		cmd = t.ask()
	}
	t.relook(func(o *look.Options) { o.Theme, o.Chosen = theme, chosen })
	return cmd
}

// defined returns a theme as the present options define it.
func (t *themer) defined(theme themes.Theme) themes.Theme {
	for _, now := range append([]themes.Theme{t.scene.Theme, t.scene.LightTheme}, t.scene.Themes...) {
		if now.Name == theme.Name {
			return now
		}
	}
	return theme
}
