package pages

import (
	"charm.land/bubbles/v2/key"

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

	// Act holds the bindings for actions on the selected agent or campaign.
	Act actions.Keys

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

// newBinding returns a binding for the given keys. label and description are its names in the help.
func newBinding(label, description string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(label, description))
}

// DefaultKeyMap returns the default bindings of the board.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Page:     newBinding("1–9", "go to a page", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0"),
		NextPage: newBinding("] →", "next page", "]", "right"),
		PrevPage: newBinding("[ ←", "previous page", "[", "left"),
		Pane: frame.PaneKeys{
			Next: newBinding("tab", "next pane", "tab"),
			Prev: newBinding("shift+tab", "previous pane", "shift+tab"),
		},
		NextChannel:  newBinding("c", "next channel", "c"),
		PrevChannel:  newBinding("C", "previous channel", "C"),
		NextPlatform: newBinding(`\`, "next platform", `\`, "ctrl+n"),
		Open:         newBinding("enter", "open", "enter"),
		Back:         newBinding("esc", "back", "esc", "backspace"),
		Filter:       newBinding("/", "filter", "/", "f"),
		Rows: RowKeys{
			Sort:       newBinding("s", "sort by next or digit", "s"),
			Reverse:    newBinding("S", "reverse the order", "S"),
			Columns:    newBinding("#", "choose the columns", "#"),
			Pin:        newBinding("ctrl+t", "pin the row to the top", "ctrl+t"),
			Copy:       newBinding("ctrl+y", "copy it", "ctrl+y"),
			OnlyAlerts: newBinding("!", "only with an alert", "!"),
			Group:      newBinding("b", "group the agents by", "b"),
			Fold:       newBinding("n", "fold the group", "n"),
			FoldAll:    newBinding("*", "fold all groups", "*"),
		},
		Act: actions.Keys{
			Actions: newBinding("a", "actions", "a"),
			Dial:    newBinding("d", "dial, start campaign", "d"),
			Stop:    newBinding("x", "hang up, stop campaign", "x"),
			Record:  newBinding("v", "record a call", "v"),
			Calls:   newBinding("l", "calls, campaign lists", "l"),
			Edit:    newBinding("e", "edit the campaign", "e"),
			Log:     newBinding("i", "log of my actions", "i"),
			Mark:    newBinding("space", "mark, to act on several", "space"),
		},
		Why: newBinding("w", "why, and what helps", "w"),
		Alert: AlertKeys{
			TakeOver: newBinding("m", "take over an alert", "m"),
			Snooze:   newBinding("r", "snooze an alert", "r"),
		},
		Chart:     newBinding("t", "chart over time", "t"),
		Baseline:  newBinding("u", "compare with a typical day", "u"),
		Handover:  newBinding("h", "shift handover", "h"),
		Rewind:    replay.DefaultKeys(nil),
		History:   history.DefaultKeys(nil),
		Freeze:    newBinding("p", "freeze the picture", "p"),
		LastKnown: newBinding("o", "show last known figures", "o"),
		Palette:   newBinding(":", "command palette", ":", "ctrl+p"),
		Reconnect: newBinding("ctrl+r", "reconnect", "ctrl+r"),
		Help:      newBinding("?", "help", "?", "f1"),
		Quit:      newBinding("q", "quit", "q", "ctrl+c"),
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
		{k.Act.Actions, k.Act.Dial, k.Act.Stop, k.Act.Record, k.Act.Calls, k.Act.Edit, k.Act.Log, k.Act.Mark},
	}
}

// TerminalKeys returns the bindings of the keys that draw the screen again and that suspend the
// program. Both also work in dialogs.
func TerminalKeys() (redraw, suspend key.Binding) {
	return newBinding("ctrl+l", "draw everything again", "ctrl+l"), newBinding("ctrl+z", "suspend, fg continues", "ctrl+z")
}
