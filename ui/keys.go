package ui

import (
	"charm.land/bubbles/v2/key"

	"wallboard/ui/actions"
	"wallboard/ui/history"
)

// KeyMap is every key of the board but those of its tables and prompts. Each
// action has several, because not every keyboard layout has every key at hand.
type KeyMap struct {
	Page        key.Binding // goes straight to a page; the pages say by which of its keys
	NextPage    key.Binding
	PrevPage    key.Binding
	NextTable   key.Binding // on pages with two tables
	NextChannel key.Binding
	PrevChannel key.Binding

	Open    key.Binding
	Back    key.Binding
	Filter  key.Binding
	Sort    key.Binding
	Reverse key.Binding

	// What acts on the selected agent or campaign.
	Act actions.Keys

	// What asks about alerts, or answers them.
	Why      key.Binding
	Alert    AlertKeys
	Trend    key.Binding // how it has been
	Baseline key.Binding // what is usual by now, and how that is computed
	Handover key.Binding // the shift so far, in writing

	// What the history page obeys before all others.
	History history.Keys

	Freeze  key.Binding
	Last    key.Binding // shows figures that are too old to be shown
	Palette key.Binding
	Theme   key.Binding
	Retry   key.Binding // disabled where the feed cannot be asked to
	Help    key.Binding
	Quit    key.Binding
}

// AlertKeys are what is done about an alert.
type AlertKeys struct{ TakeOver, Snooze key.Binding }

// DefaultKeyMap returns the keys of the board.
func DefaultKeyMap() KeyMap {
	bind := func(help, does string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, does))
	}
	return KeyMap{
		Page:        bind("1–9", "go to a page", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0"),
		NextPage:    bind("tab →", "next page", "tab", "right", "]"),
		PrevPage:    bind("shift+tab ←", "previous page", "shift+tab", "left", "["),
		NextTable:   bind("tab", "other table", "tab", "shift+tab"),
		NextChannel: bind("c", "next channel", "c"),
		PrevChannel: bind("C", "previous channel", "C"),
		Open:        bind("enter", "open", "enter", "o"),
		Back:        bind("esc", "back", "esc", "backspace"),
		Filter:      bind("/", "filter", "/", "f"),
		Sort:        bind("s", "sort by next column", "s"),
		Reverse:     bind("S", "reverse the order", "S", "r"),
		Act: actions.Keys{
			Actions: bind("a", "actions", "a"),
			Dial:    bind("d", "dial, start campaign", "d"),
			Stop:    bind("x", "hang up, stop campaign", "x"),
			Record:  bind("v", "record a call", "v"),
			Calls:   bind("l", "calls, campaign lists", "l"),
			Edit:    bind("e", "edit the campaign", "e"),
			Log:     bind("m", "log of my actions", "m"),
		},
		Why: bind("w", "why is it red", "w"),
		Alert: AlertKeys{
			TakeOver: bind("A", "take over an alert", "A"),
			Snooze:   bind("z", "snooze an alert", "z"),
		},
		Trend:    bind("T", "chart over time", "T"),
		Baseline: bind("U", "what is usual by now", "U"),
		Handover: bind("H", "hand the shift over", "H"),
		History:  history.DefaultKeys(),
		Freeze:   bind("p", "freeze the picture", "p", "space"),
		Last:     bind("V", "show old figures", "V"),
		Palette:  bind(":", "command palette", ":", "ctrl+p"),
		Theme:    bind("t", "next theme", "t"),
		Retry:    bind("R", "try to connect now", "R"),
		Help:     bind("?", "help", "?", "f1"),
		Quit:     bind("q", "quit", "q", "ctrl+c"),
	}
}

// onHistory returns the keys that mean on the history page what they mean elsewhere.
func (k *KeyMap) onHistory() history.Others {
	return history.Others{Open: k.Open, Back: k.Back, Sort: k.Sort, Reverse: k.Reverse, Kind: k.NextChannel}
}

// ShortHelp returns the keys for the footer.
func (k KeyMap) ShortHelp() []key.Binding {
	return []key.Binding{k.Open, k.Filter, k.Sort, k.NextChannel, k.Freeze, k.Palette, k.Help, k.Quit}
}

// FullHelp returns every key, in groups.
func (k KeyMap) FullHelp() [][]key.Binding {
	return [][]key.Binding{
		{k.Page, k.NextPage, k.PrevPage, k.NextTable, k.NextChannel, k.PrevChannel},
		{k.Open, k.Back, k.Filter, k.Sort, k.Reverse, k.Why, k.Alert.TakeOver, k.Alert.Snooze, k.Trend, k.Baseline, k.Handover},
		{k.Freeze, k.Last, k.Palette, k.Theme, k.Retry, k.Help, k.Quit},
		{k.Act.Actions, k.Act.Dial, k.Act.Stop, k.Act.Record, k.Act.Calls, k.Act.Edit, k.Act.Log},
	}
}
