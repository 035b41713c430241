package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/keymap"
)

// helpGroups returns the groups of keys for the help. The first group is pageKeys, the keys of the
// page. The group Act is included only if acts is true, and the keys of a replay only if rewound is
// true.
func helpGroups(keys *keymap.Map, pageKeys []key.Binding, acts, rewound bool) []keymap.Group {
	groups := slices.DeleteFunc(keys.Groups(), func(g keymap.Group) bool {
		return g.Title == "Act" && !acts || g.Title == keymap.RewoundTitle && !rewound
	})
	if len(pageKeys) == 0 {
		return groups
	}
	return append([]keymap.Group{{Title: "On this page", Keys: pageKeys}}, groups...)
}

// helpKeys returns the groups of keys that the help lists on the current page.
func (p *pages) helpKeys(sc *scene, keys *keymap.Map) []keymap.Group {
	return helpGroups(keys, p.footerKeys(sc.paneScene(), sc.alerts, keys), sc.Controller != nil, sc.floor.Replay)
}

// namedKeyPress returns the message for a press of the key with a name such as "ctrl+c" or "pgup".
func namedKeyPress(name string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "f1": tea.KeyF1,
	}
	var k tea.KeyPressMsg
	for prefix, mod := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "shift+": tea.ModShift} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			name, k.Mod = rest, mod
		}
	}
	if code, ok := named[name]; ok {
		k.Code = code
		return k
	}
	k.Code = []rune(name)[0]
	if k.Mod == 0 {
		k.Text = name
	}
	return k
}
