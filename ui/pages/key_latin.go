package pages

import (
	"slices"
	"unicode"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"wallboard/ui/term"
)

// ToUSLayout returns the key at the same position of a US keyboard. It returns msg unchanged if the
// layout has Latin letters, if the key is bound in groups, or if the viewer is typing text and
// holds neither ctrl nor alt.
func ToUSLayout(msg tea.KeyPressMsg, typing bool, groups func() []KeyGroup) tea.KeyPressMsg {
	k, ok := term.LatinKey(uv.Key(msg))
	if !ok || isBound(msg.String(), groups()) || typing && msg.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
		return msg
	}
	return tea.KeyPressMsg(k)
}

// IsNonLatin reports whether the key is a letter outside the Latin script that is not bound in
// groups.
func IsNonLatin(msg tea.KeyPressMsg, groups func() []KeyGroup) bool {
	r := msg.Code
	return r >= 0x250 && unicode.IsLetter(r) && msg.Text != "" && !isBound(msg.String(), groups())
}

// isBound reports whether the key with the given name is bound in groups.
func isBound(name string, groups []KeyGroup) bool {
	for _, g := range groups {
		for _, binding := range g.Keys {
			if slices.Contains(binding.Keys(), name) {
				return true
			}
		}
	}
	return false
}
