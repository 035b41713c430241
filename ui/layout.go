package ui

import (
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"wallboard/ui/input"
	"wallboard/ui/paint"
)

// The keys that concern the terminal. They work in every dialog, too.
func terminalKeys() (redraw, suspend key.Binding) {
	return bind("ctrl+l", "draw everything again", "ctrl+l"), bind("ctrl+z", "suspend, fg continues", "ctrl+z")
}

// pressTerminal obeys the keys that concern the terminal. At a wall nobody gets a shell.
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

// repaint has the whole frame written.
func repaint() tea.Msg { return paint.Repaint{} }

// latin returns a key of another keyboard layout as the key of a US keyboard in the same
// place, unless it is typed into a text, or the configuration gives it a meaning.
func latin(m *Model, msg tea.KeyPressMsg) tea.KeyPressMsg {
	k, is := input.Latin(uv.Key(msg))
	if !is || means(m, msg.String()) || typing(m) && msg.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
		return msg
	}
	return tea.KeyPressMsg(k)
}

// means reports whether a key is that of an action as it is.
func means(m *Model, name string) bool {
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

// otherLayout says that a key is of a layout whose keys the board does not know.
func otherLayout(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	r := msg.Code
	if r < 0x250 || !unicode.IsLetter(r) || msg.Text == "" || means(m, msg.String()) {
		return nil
	}
	return m.say("The board has no key " + msg.Text + ": switch the keyboard to Latin letters.")
}
