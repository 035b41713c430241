package ui

import (
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/look"
	"wallboard/ui/panes"
)

// filter is the prompt in the footer that asks for the filter of a table.
type filter struct {
	prompt textinput.Model
	on     bool // it has the keyboard
}

// filterLabel stands before the prompt of the filter.
const filterLabel = " filter "

func newFilter() filter { return filter{prompt: dialog.NewPrompt()} }

// open asks for the filter of a table.
func (f *filter) open(t *panes.RecordTable) tea.Cmd {
	f.on = true
	t.Mark()
	f.prompt.SetValue(t.Filter)
	f.prompt.CursorEnd()
	return f.prompt.Focus()
}

// end takes the keyboard from the prompt; the filter stays.
func (f *filter) end() {
	if f.on {
		f.on = false
		f.prompt.Blur()
	}
}

// typed takes what is typed or pasted at a time; t is the table that has the keyboard, nil if
// none has.
func (f *filter) typed(msg tea.Msg, t *panes.RecordTable, now time.Time) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok || t == nil {
		switch {
		case t == nil:
			f.end()
			return nil
		case k.String() == "enter":
			f.end()
			if t.Filter != "" {
				t.Table.Hold(now) // on what was found
			}
			return nil
		case k.String() == "esc":
			f.end()
			t.SetFilter("")
			t.ReturnToMark()
			return nil
		case k.String() == "up", k.String() == "down", k.String() == "pgup", k.String() == "pgdown":
			t.Table.Update(msg) // look around without leaving the prompt
			return nil
		}
	}
	cmd := dialog.TypeClean(&f.prompt, msg)
	t.SetFilter(f.prompt.Value())
	return cmd
}

// line is the last line while the prompt is open.
func (f *filter) line(lk *look.Look, w int) string {
	l := look.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Key), filterLabel)
	f.prompt.SetWidth(max(w-len(filterLabel)-30, 8))
	l.Add(themes.Style{}, look.Fit(f.prompt.View(), f.prompt.Width()+1, ""))
	return l.Add(lk.Style(themes.Dim), "  enter keep "+lk.Glyphs.Dot+" esc clear").End(themes.Style{})
}

// cursor is where the terminal's cursor is on a screen, nil if it is hidden.
func (f *filter) cursor(w, h int) *tea.Cursor {
	c := f.prompt.Cursor()
	if c != nil {
		c.X, c.Y = min(c.X+len(filterLabel), w-1), h-1
	}
	return c
}
