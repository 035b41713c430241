package pages

import (
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// FilterPrompt is the input line in the footer in which the viewer types the filter of a table.
type FilterPrompt struct {
	prompt  textinput.Model
	Focused bool       // the prompt has the keyboard focus
	problem words.Text // error in the filter that the viewer has typed; zero: none

	labelWidth int // width of the label that the last [FilterPrompt.Line] has drawn
}

// NewFilterPrompt returns a closed prompt.
func NewFilterPrompt() FilterPrompt { return FilterPrompt{prompt: dialog.NewPrompt()} }

// Open opens the prompt for the filter of the table t.
func (f *FilterPrompt) Open(t *panes.RecordTable) tea.Cmd {
	f.Focused = true
	t.RememberSelection()
	f.prompt.SetValue(t.Filter)
	f.check(t)
	f.prompt.CursorEnd()
	return f.prompt.Focus()
}

// check parses the filter in the prompt and stores the error, if there is one.
func (f *FilterPrompt) check(t *panes.RecordTable) {
	f.problem = filterProblem(table.ParseFilter(f.prompt.Value(), t.Rows.All()).Problem)
}

// End closes the prompt. The table keeps its filter.
func (f *FilterPrompt) End() {
	if f.Focused {
		f.Focused = false
		f.prompt.Blur()
	}
}

// HandleInput handles a key press or a paste while the prompt is open. t is the focused table. If t
// is nil, the prompt closes.
func (f *FilterPrompt) HandleInput(msg tea.Msg, t *panes.RecordTable, now time.Time) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok || t == nil {
		switch {
		case t == nil:
			f.End()
			return nil
		case k.String() == "enter" && !f.problem.IsZero(): // the prompt already shows the problem
			return nil
		case k.String() == "enter":
			f.End()
			if t.Filter != "" {
				t.Table.ChooseVisibleRow(now) // selects the row that the viewer has found
			}
			return nil
		case k.String() == "esc":
			f.End()
			t.SetFilter("")
			t.RestoreSelection()
			return nil
		case k.String() == "up", k.String() == "down", k.String() == "pgup", k.String() == "pgdown":
			t.Table.Update(msg) // moves the selection while the prompt stays open
			return nil
		}
	}
	cmd := dialog.UpdateCleanInput(&f.prompt, msg)
	t.SetFilter(f.prompt.Value())
	f.check(t)
	return cmd
}

// Line returns the footer with the open prompt. It is w cells wide.
func (f *FilterPrompt) Line(lk *style.Look, w int) string {
	label := " " + words.PageFilterLabel().In(lk.Format.Words) + " "
	f.labelWidth = style.Width(label)
	l := style.NewLine(w, lk.Glyphs.Ellipsis).Add(lk.Style(themes.Key), label)
	problem := f.problem.In(lk.Format.Words)
	f.prompt.SetWidth(max(w-f.labelWidth-max(30, style.Width(problem)+3), 8))
	l.Add(themes.Style{}, style.Fit(f.prompt.View(), f.prompt.Width()+1, ""))
	if problem != "" {
		return l.Add(lk.Style(themes.Warn), "  "+problem).Finish(themes.Style{})
	}
	return l.Add(lk.Style(themes.Dim), "  "+words.PageFilterEnter().In(lk.Format.Words)+" "+lk.Glyphs.Dot+" "+words.PageFilterEsc().In(lk.Format.Words)).Finish(themes.Style{})
}

// Cursor returns the position of the terminal cursor on a screen of w by h cells. It returns nil if
// the cursor is not visible.
func (f *FilterPrompt) Cursor(w, h int) *tea.Cursor {
	c := f.prompt.Cursor()
	if c != nil {
		c.X, c.Y = min(c.X+f.labelWidth, w-1), h-1
	}
	return c
}

// Restyle sets the theme in which the prompt is drawn.
func (f *FilterPrompt) Restyle(theme themes.Theme) { f.prompt.SetStyles(dialog.PromptStyles(theme)) }
