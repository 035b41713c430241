package ui

import (
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"wallboard/ui/input"
	"wallboard/ui/paint"
)

// terminalKeys returns the keys for the terminal. They also work in every dialog.
func terminalKeys() (redraw, suspend key.Binding) {
	return bind("ctrl+l", "draw everything again", "ctrl+l"), bind("ctrl+z", "suspend, fg continues", "ctrl+z")
}

// pressTerminal handles the keys for the terminal. A kiosk cannot be suspended, because
// that would give access to a shell.
func pressTerminal(m *Model, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	redraw, suspend := terminalKeys()
	switch {
	case key.Matches(msg, redraw):
		return repaint, true
	case !key.Matches(msg, suspend) || m.scene.wall != nil:
		return nil, false
	case m.scene.paced:
		return m.say("A board on a server cannot be suspended."), true
	}
	return func() tea.Msg { return paint.Suspend{} }, true
}

// repaint requests that the whole frame is written again.
func repaint() tea.Msg { return paint.Repaint{} }

// toLatin maps a key of another keyboard layout to the key in the same place on a US
// keyboard, unless a text field has the keyboard or the key has a binding itself.
func toLatin(m *Model, msg tea.KeyPressMsg) tea.KeyPressMsg {
	k, is := input.Latin(uv.Key(msg))
	if !is || isBound(m, msg.String()) || typing(m) && msg.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
		return msg
	}
	return tea.KeyPressMsg(k)
}

// isBound reports whether a key has a binding.
func isBound(m *Model, name string) bool {
	for _, g := range m.pages.listed(m.scene, m.keys) {
		for _, b := range g.Keys {
			for _, k := range b.Keys() {
				if k == name {
					return true
				}
			}
		}
	}
	return false
}

// typing reports whether a text field has the keyboard.
func typing(m *Model) bool {
	switch {
	case m.scene.wall != nil:
		return false
	case m.dialogs.Top() != nil:
		return m.dialogs.Typing()
	}
	return m.filter.on || m.mode == modePalette || m.mode == modeHelp && m.help.typing
}

// otherLayout says that the key belongs to an unsupported keyboard layout.
func otherLayout(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	r := msg.Code
	if r < 0x250 || !unicode.IsLetter(r) || msg.Text == "" || isBound(m, msg.String()) {
		return nil
	}
	return m.say("The board has no key " + msg.Text + ": switch the keyboard to Latin letters.")
}
