package history

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/ui/dialog"
	"wallboard/ui/frame"
)

// Keys holds the key bindings of the page History. On this page, they take precedence over those of
// the board.
type Keys struct {
	NextView, PrevView key.Binding

	Earlier      key.Binding
	Later        key.Binding
	Today        key.Binding
	Search       key.Binding
	PeriodLength key.Binding // selects the next length of the period or of the intervals
	Grouping     key.Binding // selects the next grouping of contacts, or the next service
	RequestAgain key.Binding // requests the data again
	CSV          key.Binding
	JSON         key.Binding
}

// SharedKeys holds key bindings of the board that also work on the page History.
type SharedKeys struct {
	Open    key.Binding
	Back    key.Binding
	Sort    key.Binding
	Reverse key.Binding
	Pane    frame.PaneKeys // focus the next pane; the page has only one
	Kind    key.Binding    // selects the next kind of contact; on other pages, the next channel
}

// DefaultKeys returns the default key bindings of the page, with descriptions in the language l.
func DefaultKeys(l *words.Language) Keys {
	bind := func(help string, description words.Text, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, description.In(l)))
	}
	return Keys{
		NextView: bind("v }", words.HistoryKeyNextView(), "v", "}"), PrevView: bind("{", words.HistoryKeyPreviousView(), "{"),

		Earlier:      bind(",", words.HistoryKeyEarlier(), ","),
		Later:        bind(".", words.HistoryKeyLater(), "."),
		Today:        bind("n", words.HistoryKeyToday(), "n", "home"),
		Search:       bind("/", words.HistoryKeySearch(), "/", "f"),
		PeriodLength: bind("+ -", words.HistoryKeySpan(), "+", "-", "="),
		Grouping:     bind("b", words.HistoryKeyGrouping(), "b"),
		RequestAgain: bind("r", words.HistoryKeyRefresh(), "r"),
		CSV:          bind("e", words.HistoryKeyCsv(), "e"),
		JSON:         bind("E", words.HistoryKeyJson(), "E"),
	}
}

// All returns the key bindings in the order in which the help lists them.
func (k *Keys) All() []key.Binding {
	return []key.Binding{k.NextView, k.PrevView, k.Earlier, k.Later, k.Today, k.Search, k.PeriodLength, k.Grouping, k.RequestAgain, k.CSV, k.JSON}
}

// handleDay handles the keys that select another day. It returns false for all other keys.
func (c *selection) handleDay(k *Keys, msg tea.KeyPressMsg, step dayStep) bool {
	switch {
	case key.Matches(msg, k.Earlier):
		c.setDay(step(c.date(), -1))
	case key.Matches(msg, k.Later):
		c.setDay(step(c.date(), 1))
	case key.Matches(msg, k.Today):
		c.setDay(c.board.today())
	default:
		return false
	}
	return true
}

// Commands returns the palette commands that open a view of the page. show brings the page to the
// front and returns it, or returns nil if the board has no such page. l is the language of the commands.
func Commands(l *words.Language, show func() *Page) []dialog.Command {
	out := make([]dialog.Command, 0, len(viewTitles()))
	for id, title := range viewTitles() {
		out = append(out, dialog.Command{Name: title.command.In(l), Run: func() tea.Cmd {
			if p := show(); p != nil {
				return p.showView(viewID(id))
			}
			return nil
		}})
	}
	return out
}
