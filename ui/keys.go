package ui

import (
	"charm.land/bubbles/v2/key"

	"wallboard/ui/actions"
	"wallboard/ui/history"
	"wallboard/ui/panes"
	"wallboard/ui/reel"
)

// KeyMap is every key of the board but those of its tables and prompts. Each
// action has several, because not every keyboard layout has every key at hand.
type KeyMap struct {
	Page        key.Binding // goes straight to a page; the pages say by which of its keys
	NextPage    key.Binding
	PrevPage    key.Binding
	Turn        panes.Turn // to the next part of a page
	NextChannel key.Binding
	PrevChannel key.Binding

	NextPlatform key.Binding // disabled where there is one

	Open   key.Binding
	Back   key.Binding
	Filter key.Binding
	Rows   RowKeys

	// What acts on the selected agent or campaign.
	Act actions.Keys

	// What asks about alerts, or answers them.
	Why      key.Binding
	Alert    AlertKeys
	Trend    key.Binding // how it has been
	Baseline key.Binding // what is usual by now, and how that is computed
	Handover key.Binding // the shift so far, in writing

	Rewind RewindKeys // goes back in time

	// What the history page obeys before all others.
	History history.Keys

	Freeze  key.Binding
	Last    key.Binding // shows figures that are too old to be shown
	Palette key.Binding
	Retry   key.Binding // disabled where the feed cannot be asked to
	Help    key.Binding
	Quit    key.Binding
}

// RowKeys are what is done about a table: what its rows are sorted by, its columns, and which of its rows there are.
type RowKeys struct {
	Sort, Reverse, Columns key.Binding
	Alerts                 key.Binding // shows only the rows with an alert
	Group, Fold, FoldAll   key.Binding // what the agents are grouped by; folds a group, or all
}

// AlertKeys are what is done about an alert.
type AlertKeys struct{ TakeOver, Snooze key.Binding }

// RewindKeys are the keys of a board that shows what was, which do not mean that on the page
// History: it has earlier and later days. Save and Compare mean something now, too.
type RewindKeys struct {
	reel.Keys
	Save    key.Binding // writes what happened around what is shown to a file
	Compare key.Binding // holds the tables against another instant, and no longer
}

// bind is a key with what the help calls it and says of it.
func bind(help, does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, does))
}

// DefaultKeyMap returns the keys of the board.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Page:     bind("1–9", "go to a page", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0"),
		NextPage: bind("] →", "next page", "]", "right"),
		PrevPage: bind("[ ←", "previous page", "[", "left"),
		Turn: panes.Turn{
			Next: bind("tab", "next pane", "tab"),
			Prev: bind("shift+tab", "previous pane", "shift+tab"),
		},
		NextChannel:  bind("c", "next channel", "c"),
		PrevChannel:  bind("C", "previous channel", "C"),
		NextPlatform: bind(`\`, "next platform", `\`, "ctrl+n"),
		Open:         bind("enter", "open", "enter"),
		Back:         bind("esc", "back", "esc", "backspace"),
		Filter:       bind("/", "filter", "/", "f"),
		Rows: RowKeys{
			Sort:    bind("s", "sort by next column", "s"),
			Reverse: bind("S", "reverse the order", "S"),
			Columns: bind("#", "choose the columns", "#"),
			Alerts:  bind("!", "only with an alert", "!"),
			Group:   bind("b", "group the agents by", "b"),
			Fold:    bind("n", "fold the group", "n"),
			FoldAll: bind("*", "fold all groups", "*"),
		},
		Act: actions.Keys{
			Actions: bind("a", "actions", "a"),
			Dial:    bind("d", "dial, start campaign", "d"),
			Stop:    bind("x", "hang up, stop campaign", "x"),
			Record:  bind("v", "record a call", "v"),
			Calls:   bind("l", "calls, campaign lists", "l"),
			Edit:    bind("e", "edit the campaign", "e"),
			Log:     bind("i", "log of my actions", "i"),
		},
		Why: bind("w", "why, and what helps", "w"),
		Alert: AlertKeys{
			TakeOver: bind("m", "take over an alert", "m"),
			Snooze:   bind("r", "snooze an alert", "r"),
		},
		Trend:    bind("t", "chart over time", "t"),
		Baseline: bind("u", "what is usual by now", "u"),
		Handover: bind("h", "shift handover", "h"),
		Rewind: RewindKeys{
			Keys:    reel.DefaultKeys(),
			Save:    bind("ctrl+e", "save the incident", "ctrl+e"),
			Compare: bind("y", "compare two times", "y"),
		},
		History: history.DefaultKeys(),
		Freeze:  bind("p", "freeze the picture", "p", "space"),
		Last:    bind("o", "show old figures", "o"),
		Palette: bind(":", "command palette", ":", "ctrl+p"),
		Retry:   bind("ctrl+r", "try to connect now", "ctrl+r"),
		Help:    bind("?", "help", "?", "f1"),
		Quit:    bind("q", "quit", "q", "ctrl+c"),
	}
}

// onHistory returns the keys that mean on the history page what they mean elsewhere.
func (k *KeyMap) onHistory() history.Others {
	return history.Others{Open: k.Open, Back: k.Back, Sort: k.Rows.Sort, Reverse: k.Rows.Reverse, Kind: k.NextChannel, Turn: k.Turn}
}

// ShortHelp returns the keys for the footer.
func (k KeyMap) ShortHelp() []key.Binding {
	return []key.Binding{k.Open, k.Filter, k.Rows.Sort, k.NextChannel, k.Freeze, k.Palette, k.Help, k.Quit}
}

// FullHelp returns every key, in groups.
func (k KeyMap) FullHelp() [][]key.Binding {
	return [][]key.Binding{
		{k.Page, k.NextPage, k.PrevPage, k.Turn.Next, k.Turn.Prev, k.NextChannel, k.PrevChannel, k.NextPlatform},
		{k.Open, k.Back, k.Filter, k.Rows.Sort, k.Rows.Reverse, k.Rows.Columns, k.Rows.Alerts, k.Rows.Group, k.Rows.Fold, k.Rows.FoldAll, k.Why, k.Alert.TakeOver, k.Alert.Snooze, k.Trend, k.Baseline, k.Handover, k.Rewind.Open, k.Rewind.Save, k.Rewind.Compare},
		{k.Freeze, k.Last, k.Palette, k.Retry, k.Help, k.Quit},
		{k.Act.Actions, k.Act.Dial, k.Act.Stop, k.Act.Record, k.Act.Calls, k.Act.Edit, k.Act.Log},
	}
}
