package ui

import (
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// filter is the prompt in the footer for the filter of a table.
type filter struct {
	prompt  textinput.Model
	focused bool   // has the keyboard
	problem string // error in the typed conditions; "": none
}

// filterLabel is the text before the filter prompt.
const filterLabel = " filter "

func newFilter() filter { return filter{prompt: dialog.NewPrompt()} }

// open opens the prompt for the filter of the table t.
func (f *filter) open(t *panes.RecordTable) tea.Cmd {
	f.focused = true
	t.RememberSelection()
	f.prompt.SetValue(t.Filter)
	f.check(t)
	f.prompt.CursorEnd()
	return f.prompt.Focus()
}

// check parses the conditions in the prompt and stores their problem, if any.
func (f *filter) check(t *panes.RecordTable) {
	f.problem = table.ParseFilter(f.prompt.Value(), t.Rows.All()).Problem
}

// end closes the prompt. The table keeps its filter.
func (f *filter) end() {
	if f.focused {
		f.focused = false
		f.prompt.Blur()
	}
}

// handleInput handles a key or a paste while the prompt is open. t is the focused table; if it is
// nil, the prompt closes.
func (f *filter) handleInput(msg tea.Msg, t *panes.RecordTable, now time.Time) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok || t == nil {
		switch {
		case t == nil:
			f.end()
			return nil
		case k.String() == "enter" && f.problem != "": // the line says what is wrong
			return nil
		case k.String() == "enter":
			f.end()
			if t.Filter != "" {
				t.Table.ChooseSeen(now) // select the row that was found
			}
			return nil
		case k.String() == "esc":
			f.end()
			t.SetFilter("")
			t.RestoreSelection()
			return nil
		case k.String() == "up", k.String() == "down", k.String() == "pgup", k.String() == "pgdown":
			t.Table.Update(msg) // move through the rows while the prompt stays open
			return nil
		}
	}
	cmd := dialog.UpdateCleanInput(&f.prompt, msg)
	t.SetFilter(f.prompt.Value())
	f.check(t)
	return cmd
}

// drawLine returns the footer for an open prompt, w cells wide.
func (f *filter) drawLine(lk *style.Look, w int) string {
	l := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Key), filterLabel)
	f.prompt.SetWidth(max(w-len(filterLabel)-max(30, style.Width(f.problem)+3), 8))
	l.Add(themes.Style{}, style.Fit(f.prompt.View(), f.prompt.Width()+1, ""))
	if f.problem != "" {
		return l.Add(lk.Style(themes.Warn), "  "+f.problem).End(themes.Style{})
	}
	return l.Add(lk.Style(themes.Dim), "  enter keep "+lk.Glyphs.Dot+" esc clear").End(themes.Style{})
}

// cursor returns the position of the terminal's cursor on a screen of w cells and h lines, or nil
// if the cursor is hidden.
func (f *filter) cursor(w, h int) *tea.Cursor {
	c := f.prompt.Cursor()
	if c != nil {
		c.X, c.Y = min(c.X+len(filterLabel), w-1), h-1
	}
	return c
}
