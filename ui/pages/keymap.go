package pages

import (
	"charm.land/bubbles/v2/key"

	"wallboard/internal/words"
	"wallboard/ui/actions"
	"wallboard/ui/frame"
	"wallboard/ui/history"
	"wallboard/ui/replay"
)

// KeyMap holds the key bindings of the board, except those for moving in tables and for prompts. Some
// actions have several keys, because not every key is easy to reach on every keyboard layout.
type KeyMap struct {
	Page        key.Binding // opens the page to which the pressed key belongs
	NextPage    key.Binding
	PrevPage    key.Binding
	Pane        frame.PaneKeys // next and previous pane
	NextChannel key.Binding
	PrevChannel key.Binding

	NextPlatform key.Binding // disabled if there is a single platform

	Open   key.Binding
	Back   key.Binding
	Filter key.Binding
	Rows   RowKeys

	// Actions holds the bindings for actions on the selected agent or campaign.
	Actions actions.Keys

	// Bindings for the alerts and figures of a record or of the floor.
	Why      key.Binding
	Alert    AlertKeys
	Chart    key.Binding // shows the chart of the last hours
	Baseline key.Binding // compares the day with a typical day and explains the comparison
	Handover key.Binding // writes the handover report of the current shift

	// Rewind holds the bindings of the replay. They do not apply on the page History, which has its
	// own keys for earlier and later days.
	Rewind replay.Keys

	// History holds the bindings of the page History. On this page, they take precedence over all
	// other bindings.
	History history.Keys

	Freeze    key.Binding
	LastKnown key.Binding // shows the last known figures even if they are too old
	Palette   key.Binding
	Reconnect key.Binding // disabled if the feed cannot be made to reconnect
	Help      key.Binding
	Quit      key.Binding
}

// RowKeys holds the bindings for the rows and columns of a table.
type RowKeys struct {
	Sort, Reverse, Columns key.Binding
	Pin                    key.Binding // pins the selected row to the top, or unpins it
	Copy                   key.Binding // copies the selected row, or the sentence about a situation
	OnlyAlerts             key.Binding // lists only rows with an alert
	Group, Fold, FoldAll   key.Binding // group the agents, fold one group, fold all groups
}

// AlertKeys holds the key bindings for responding to an alert.
type AlertKeys struct{ TakeOver, Snooze key.Binding }

// bindingFactory returns a function that returns a binding for the given keys. label is the name of
// the keys in the help, and description their effect, written in the language l.
func bindingFactory(l *words.Language) func(label string, description words.Text, keys ...string) key.Binding {
	return func(label string, description words.Text, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, description.In(l)))
	}
}

// DefaultKeyMap returns the default bindings of the board, with their help in the language l.
func DefaultKeyMap(l *words.Language) KeyMap {
	bind := bindingFactory(l)
	return KeyMap{
		Page:     bind("1–9", words.KeysPage(), "1", "2", "3", "4", "5", "6", "7", "8", "9", "0"),
		NextPage: bind("] →", words.KeysNextPage(), "]", "right"),
		PrevPage: bind("[ ←", words.KeysPreviousPage(), "[", "left"),
		Pane: frame.PaneKeys{
			Next: bind("tab", words.KeysNextPane(), "tab"),
			Prev: bind("shift+tab", words.KeysPreviousPane(), "shift+tab"),
		},
		NextChannel:  bind("c", words.KeysNextChannel(), "c"),
		PrevChannel:  bind("C", words.KeysPreviousChannel(), "C"),
		NextPlatform: bind(`\`, words.KeysNextPlatform(), `\`, "ctrl+n"),
		Open:         bind("enter", words.KeysOpen(), "enter"),
		Back:         bind("esc", words.KeysBack(), "esc", "backspace"),
		Filter:       bind("/", words.KeysFilter(), "/", "f"),
		Rows: RowKeys{
			Sort:       bind("s", words.KeysSortBy(), "s"),
			Reverse:    bind("S", words.KeysReverse(), "S"),
			Columns:    bind("#", words.KeysColumns(), "#"),
			Pin:        bind("ctrl+t", words.KeysPin(), "ctrl+t"),
			Copy:       bind("ctrl+y", words.KeysCopy(), "ctrl+y"),
			OnlyAlerts: bind("!", words.KeysOnlyAlerts(), "!"),
			Group:      bind("b", words.KeysGroup(), "b"),
			Fold:       bind("n", words.KeysFold(), "n"),
			FoldAll:    bind("*", words.KeysFoldAll(), "*"),
		},
		Actions: actions.Keys{
			Actions:         bind("a", words.KeysActions(), "a"),
			Dial:            bind("d", words.KeysDial(), "d"),
			Stop:            bind("x", words.KeysStop(), "x"),
			Record:          bind("v", words.KeysRecord(), "v"),
			CallsOrSettings: bind("l", words.KeysCalls(), "l"),
			Edit:            bind("e", words.KeysEdit(), "e"),
			Log:             bind("i", words.KeysLog(), "i"),
			Mark:            bind("space", words.KeysMark(), "space"),
		},
		Why: bind("w", words.KeysWhyAndHelp(), "w"),
		Alert: AlertKeys{
			TakeOver: bind("m", words.KeysTakeOverAlert(), "m"),
			Snooze:   bind("r", words.KeysSnoozeAlert(), "r"),
		},
		Chart:     bind("t", words.KeysChart(), "t"),
		Baseline:  bind("u", words.KeysTypical(), "u"),
		Handover:  bind("h", words.KeysHandover(), "h"),
		Rewind:    replay.DefaultKeys(l),
		History:   history.DefaultKeys(l),
		Freeze:    bind("p", words.KeysFreezePicture(), "p"),
		LastKnown: bind("o", words.KeysLastKnown(), "o"),
		Palette:   bind(":", words.KeysPalette(), ":", "ctrl+p"),
		Reconnect: bind("ctrl+r", words.KeysReconnect(), "ctrl+r"),
		Help:      bind("?", words.KeysHelp(), "?", "f1"),
		Quit:      bind("q", words.KeysQuit(), "q", "ctrl+c"),
	}
}

// SharedWithHistory returns the bindings of the board that also work on the page History.
func (k *KeyMap) SharedWithHistory() history.SharedKeys {
	return history.SharedKeys{Open: k.Open, Back: k.Back, Sort: k.Rows.Sort, Reverse: k.Rows.Reverse, Kind: k.NextChannel, Pane: k.Pane}
}

// FullHelp returns the bindings in four groups: moving between pages, inspecting records, the
// board itself, and actions. The bindings of single pages are not included.
func (k KeyMap) FullHelp() [][]key.Binding {
	return [][]key.Binding{
		{k.Page, k.NextPage, k.PrevPage, k.Pane.Next, k.Pane.Prev, k.NextChannel, k.PrevChannel, k.NextPlatform},
		{k.Open, k.Back, k.Filter, k.Rows.Sort, k.Rows.Reverse, k.Rows.Columns, k.Rows.Pin, k.Rows.Copy, k.Rows.OnlyAlerts, k.Rows.Group, k.Rows.Fold, k.Rows.FoldAll, k.Why, k.Alert.TakeOver, k.Alert.Snooze, k.Chart, k.Baseline, k.Handover, k.Rewind.Open, k.Rewind.Save, k.Rewind.Compare},
		{k.Freeze, k.LastKnown, k.Palette, k.Reconnect, k.Help, k.Quit},
		{k.Actions.Actions, k.Actions.Dial, k.Actions.Stop, k.Actions.Record, k.Actions.CallsOrSettings, k.Actions.Edit, k.Actions.Log, k.Actions.Mark},
	}
}

// TerminalKeys returns the bindings of the keys that draw the screen again and that suspend the
// program. Both also work in dialogs.
func TerminalKeys(l *words.Language) (redraw, suspend key.Binding) {
	bind := bindingFactory(l)
	return bind("ctrl+l", words.KeysRedraw(), "ctrl+l"), bind("ctrl+z", words.KeysSuspend(), "ctrl+z")
}
