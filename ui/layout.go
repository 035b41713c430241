package ui

import (
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"wallboard/ui/keymap"
	"wallboard/ui/term"
)

// pressTerminal handles the keys that suspend the program and repaint the screen. The bool result
// is false for other keys. A kiosk cannot be suspended, because that would give access to a shell.
func (m *Model) pressTerminal(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	redraw, suspend := keymap.TerminalKeys()
	switch {
	case key.Matches(msg, redraw):
		return requestRepaint, true
	case !key.Matches(msg, suspend) || m.scene.kiosk != nil:
		return nil, false
	case m.scene.paced:
		return m.say("A board on a server cannot be suspended."), true
	}
	return func() tea.Msg { return term.SuspendMsg{} }, true
}

// requestRepaint returns the message that makes the terminal write the whole frame again.
func requestRepaint() tea.Msg { return term.RepaintMsg{} }

// keyboard translates keys of keyboard layouts without Latin letters.
type keyboard struct {
	scene *scene
	keys  *keymap.Map
	pages *pages
}

// toLatin returns the key that a US keyboard has in the place of the pressed key. It returns msg
// unchanged if the layout has Latin letters, if the key is bound to an action, or if it is typed
// into a text field.
func (b *keyboard) toLatin(msg tea.KeyPressMsg, typing bool) tea.KeyPressMsg {
	k, ok := term.LatinKey(uv.Key(msg))
	if !ok || b.isBound(msg.String()) || typing && msg.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
		return msg
	}
	return tea.KeyPressMsg(k)
}

// isBound reports whether the key with this name is bound to an action, without translation.
func (b *keyboard) isBound(name string) bool {
	for _, g := range b.pages.helpKeys(b.scene, b.keys) {
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
	return m.filter.focused || m.mode == modePalette || m.mode == modeHelp && m.help.FilterFocused
}

// isOtherLayout reports whether a key belongs to a layout whose keys cannot be translated, and is
// not bound.
func (b *keyboard) isOtherLayout(msg tea.KeyPressMsg) bool {
	r := msg.Code
	return r >= 0x250 && unicode.IsLetter(r) && msg.Text != "" && !b.isBound(msg.String())
}
