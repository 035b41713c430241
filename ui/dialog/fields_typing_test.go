package dialog

import (
	"strings"
	"testing"

	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// editing returns the keys that edit a line, or move in it.
func editing() []tea.KeyPressMsg {
	var out []tea.KeyPressMsg
	for _, mod := range []tea.KeyMod{0, tea.ModAlt, tea.ModCtrl} {
		for _, code := range []rune{tea.KeyLeft, tea.KeyRight, tea.KeyUp, tea.KeyDown, tea.KeyHome, tea.KeyEnd, tea.KeyBackspace, tea.KeyDelete, tea.KeyTab, tea.KeyEnter} {
			out = append(out, tea.KeyPressMsg{Code: code, Mod: mod})
		}
		for code := 'a'; mod != 0 && code <= 'z'; code++ {
			out = append(out, tea.KeyPressMsg{Code: code, Mod: mod})
		}
	}
	return out
}

// TestEveryEditingKeyAnywhere presses every key at every position of short texts.
func TestEveryEditingKeyAnywhere(t *testing.T) {
	t.Parallel()
	tried := func(what, text string, at int, k tea.KeyPressMsg, do func()) {
		defer func() {
			if r := recover(); r != nil {
				t.Errorf("%s: %s at %d of %q: %v", what, k, at, text, r)
			}
		}()
		do()
	}
	for _, text := range []string{"", "a", " ", "ab", "a ", " a", "  ", "a b", "ab c", " a ", "a  b"} {
		for at := range len(text) + 1 {
			for _, k := range editing() {
				tried("a line", text, at, k, func() {
					in := textinput.New()
					in.Focus()
					in.KeyMap.Paste.Unbind()
					in.SetValue(text)
					in.SetCursor(at)
					UpdateInput(&in, k)
					_ = in.View()
				})
				tried("lines", text, at, k, func() {
					in := textarea.New()
					in.Focus()
					in.KeyMap.Paste.Unbind()
					in.SetValue(strings.ReplaceAll(text, "  ", "\n"))
					in.SetCursorColumn(at)
					_, _ = in.Update(k)
				})
			}
		}
	}
	in := textinput.New()
	in.Focus()
	in.SetValue("ab")
	in.SetCursor(1)
	if UpdateInput(&in, tea.KeyPressMsg{Code: 'd', Mod: tea.ModAlt}); in.Value() != "a" {
		t.Errorf("of ab, the word after a is deleted, which leaves %q", in.Value())
	}
}
