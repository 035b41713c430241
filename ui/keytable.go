package ui

import (
	"charm.land/bubbles/v2/key"

	"wallboard/ui/keyhelp"
	"wallboard/ui/table"
)

// KeyGroup is a titled group of keys.
type KeyGroup = keyhelp.Group

// groupRewind is the title of the replay's keys.
const groupRewind = "While rewound"

// Groups returns all keys of the board and its tables, grouped for the help and the manual.
func (k KeyMap) Groups() []KeyGroup {
	full, t := k.FullHelp(), table.DefaultKeyMap()
	redraw, suspend := terminalKeys()
	along := key.NewBinding(key.WithKeys("left", "right"), key.WithHelp("← →", "along a map or a chart"))
	return []KeyGroup{
		{Title: "Go", Keys: full[0]},
		{Title: "Inspect", Keys: full[1]},
		{Title: "Act", Keys: full[3]},
		{Title: "Move", Keys: []key.Binding{t.LineUp, t.LineDown, t.PageUp, t.PageDown, t.GotoTop, t.GotoBottom, along}},
		{Title: "Page History", Keys: k.History.All()},
		{Title: groupRewind, Keys: k.Rewind.All()},
		{Title: "Board", Keys: append(full[2], redraw, suspend)},
	}
}
