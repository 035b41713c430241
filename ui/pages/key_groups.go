package pages

import (
	"slices"

	"charm.land/bubbles/v2/key"

	"wallboard/ui/table"
)

// RewoundTitle is the title of the key group for a replay.
const RewoundTitle = "While rewound"

// Groups returns all key bindings of the board and its tables, in the groups of the help and the
// manual.
func (k KeyMap) Groups() []KeyGroup {
	full, t := k.FullHelp(), table.DefaultKeyMap()
	redraw, suspend := TerminalKeys()
	along := key.NewBinding(key.WithKeys("left", "right"), key.WithHelp("← →", "along a map or a chart"))
	return []KeyGroup{
		{Title: "Go", Keys: full[0]},
		{Title: "Inspect", Keys: full[1]},
		{Title: "Act", Keys: full[3]},
		{Title: "Move", Keys: []key.Binding{t.LineUp, t.LineDown, t.PageUp, t.PageDown, t.GotoTop, t.GotoBottom, along}},
		{Title: "Page History", Keys: k.History.All()},
		{Title: "Page Breaks", Keys: ReleaseKeys()},
		{Title: RewoundTitle, Keys: k.Rewind.All()},
		{Title: "Board", Keys: append(full[2], redraw, suspend)},
	}
}

// HelpGroups returns the groups of key bindings that the help lists. The first group is pageKeys,
// the keys of the page. The group Act is included only if acts is true, and the keys of a replay
// only if rewound is true.
func (k *KeyMap) HelpGroups(pageKeys []key.Binding, acts, rewound bool) []KeyGroup {
	groups := slices.DeleteFunc(k.Groups(), func(g KeyGroup) bool {
		return g.Title == "Act" && !acts || g.Title == RewoundTitle && !rewound
	})
	if len(pageKeys) == 0 {
		return groups
	}
	return append([]KeyGroup{{Title: "On this page", Keys: pageKeys}}, groups...)
}

// ReleaseKeys returns the bindings of the two keys that add or remove one agent in the number of
// agents out.
func ReleaseKeys() []key.Binding {
	return []key.Binding{
		key.NewBinding(key.WithKeys("+"), key.WithHelp("+", "one more out")),
		key.NewBinding(key.WithKeys("-"), key.WithHelp("-", "one fewer out")),
	}
}
