package ui

import (
	"charm.land/bubbles/v2/key"

	"wallboard/ui/table"
)

// KeyGroup is one titled part of the keys.
type KeyGroup struct {
	Title string
	Keys  []key.Binding
}

// groupRewind are the keys of a board that shows what was.
const groupRewind = "While rewound"

// Groups returns every key of the board and of its tables, in groups for the
// help and for the manual.
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
