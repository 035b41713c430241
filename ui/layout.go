package ui

import (
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"wallboard/ui/keymap"
	"wallboard/ui/term"
)

// pressTerminal handles the keys for the terminal. A kiosk cannot be suspended, because
// that would give access to a shell.
func (m *Model) pressTerminal(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	redraw, suspend := keymap.Terminal()
	switch {
	case key.Matches(msg, redraw):
		return repaint, true
	case !key.Matches(msg, suspend) || m.scene.kiosk != nil:
		return nil, false
	case m.scene.paced:
		return m.say("A board on a server cannot be suspended."), true
	}
	return func() tea.Msg { return term.SuspendMsg{} }, true
}

// repaint requests that the whole frame is written again.
func repaint() tea.Msg { return term.RepaintMsg{} }

// keyboard reads the keys of other layouts than Latin ones.
type keyboard struct {
	scene *scene
	keys  *keymap.Map
	pages *pages
}

// latin returns a key of another keyboard layout as the key of a US keyboard in the same
// place, unless it is typed into a text, or the configuration gives it a meaning.
func (b *keyboard) latin(msg tea.KeyPressMsg, typing bool) tea.KeyPressMsg {
	k, ok := term.Latin(uv.Key(msg))
	if !ok || b.isBound(msg.String()) || typing && msg.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
		return msg
	}
	return tea.KeyPressMsg(k)
}

// isBound reports whether the configuration binds a key, exactly as it was typed, to an action.
func (b *keyboard) isBound(name string) bool {
	for _, g := range b.pages.listed(b.scene, b.keys) {
		for _, binding := range g.Keys {
			for _, k := range binding.Keys() {
				if k == name {
					return true
				}
			}
		}
	}
	return false
}

// typing reports whether a text field has the keyboard.
func (m *Model) typing() bool {
	switch {
	case m.scene.kiosk != nil:
		return false
	case m.Dialog() != nil:
		return m.dialogs.Typing()
	}
	return m.filter.focused || m.mode == modePalette || m.mode == modeHelp && m.help.Typing
}

// isOtherLayout reports whether a key is of a layout whose keys the board does not know.
func (b *keyboard) isOtherLayout(msg tea.KeyPressMsg) bool {
	r := msg.Code
	return r >= 0x250 && unicode.IsLetter(r) && msg.Text != "" && !b.isBound(msg.String())
}
