package ui

import (
	"charm.land/bubbles/v2/key"

	"wallboard/ui/table"
)

// KeyGroup is a titled group of keys.
type KeyGroup struct {
	Title string
	Keys  []key.Binding
}

// groupRewind is the title of the replay's keys.
const groupRewind = "While rewound"

// Groups returns all keys of the board and its tables, grouped for the help and the manual.
func (k KeyMap) Groups() []KeyGroup {
	full, t := k.FullHelp(), table.DefaultKeyMap()
	redraw, suspend := terminalKeys()
	along := key.NewBinding(key.WithKeys("left", "right"), key.WithHelp("← →", "along a map or a chart"))
	return []KeyGroup{
		{"Go", full[0]},
		{"Inspect", full[1]},
		{"Act", full[3]},
		{"Move", []key.Binding{t.LineUp, t.LineDown, t.PageUp, t.PageDown, t.GotoTop, t.GotoBottom, along}},
		{"Page History", k.History.All()},
		{groupRewind, k.Rewind.All()},
		{"Board", append(full[2], redraw, suspend)},
	}
}
