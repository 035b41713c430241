package pages

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/style"
)

// ChannelCommands returns the palette commands for selecting a channel.
func ChannelCommands(v *floorview.View) []dialog.Command {
	var out []dialog.Command
	for _, ch := range v.Channels() {
		out = append(out, dialog.Command{
			Name: words.BoardCommandChannel(words.ChannelInSentence(ch)).In(v.Words), Run: func() tea.Cmd { v.SetChannel(ch); return nil },
		})
	}
	return out
}

// LookCommands creates the palette commands that change the look of a board.
type LookCommands struct {
	Current      func() *style.Look
	ApplyOptions func(style.Options)       // draws the board with changed options
	ShowMessage  func(text string) tea.Cmd // shows a message in the footer
}

// Themes returns the commands for selecting a theme.
func (c LookCommands) Themes(t *style.ThemeSelector) []dialog.Command {
	var out []dialog.Command
	lk := c.Current()
	for _, name := range t.Names() {
		out = append(out, dialog.Command{
			Name: lk.Translate(words.BoardCommandTheme(name)), Keywords: lk.Translate(words.BoardKeywordsTheme()),
			Run: func() tea.Cmd {
				c.ApplyOptions(t.Choose(name, c.Current().Options))
				return c.ShowMessage(c.Current().Translate(words.BoardTheme(c.Current().Theme.Name)))
			},
			Preview: func() func() {
				o, back := t.Preview(name, c.Current().Options)
				c.ApplyOptions(o)
				return func() { c.ApplyOptions(back()) }
			},
		})
	}
	return out
}

// Languages returns the commands for selecting a language.
func (c LookCommands) Languages() []dialog.Command {
	var out []dialog.Command
	before := c.Current().Options
	for _, tag := range words.AvailableLanguages.Tags() {
		name, review := words.AvailableLanguages.Describe(tag)
		choose := func() *words.Language {
			o := before
			o.Words, _ = words.AvailableLanguages.Lookup(tag) // Lookup parses the texts of the language, so it is called only for the chosen language
			c.ApplyOptions(o)
			return o.Words
		}
		out = append(out, dialog.Command{
			Name: words.LanguageCommand(name, review).In(before.Words), Keywords: words.LanguageKeywords(tag).In(before.Words),
			Run:     func() tea.Cmd { return c.ShowMessage(words.LanguageChosen(name).In(choose())) },
			Preview: func() func() { choose(); return func() { c.ApplyOptions(before) } },
		})
	}
	return out
}
