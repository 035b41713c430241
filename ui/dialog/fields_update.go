package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// A stop is a part of the form that can have the keyboard focus. It is the index of a field or one
// of the values below, which are greater than all indexes and stand for the line that shows more
// fields, and for the button.
const (
	tabStopMore   = 1 << 20
	tabStopSubmit = tabStopMore + 1
)

// tabStops returns all stops of the form, from top to bottom.
func (f *Fields) tabStops() []int {
	var out []int
	for i, x := range f.fields {
		if !x.definition.ReadOnly && (f.showsHidden || !x.definition.Hidden) {
			out = append(out, i)
		}
	}
	if !f.showsHidden {
		out = append(out, tabStopMore)
	}
	if f.options.Submit != "" {
		out = append(out, tabStopSubmit)
	}
	return out
}

// focused returns the field that has the keyboard focus, or nil if no field has it.
func (f *Fields) focused() *field {
	if f.focusedTabStop < len(f.fields) && !f.fields[f.focusedTabStop].definition.ReadOnly {
		return f.fields[f.focusedTabStop]
	}
	return nil
}

// focus gives the keyboard focus to a stop.
func (f *Fields) focus(stop int) {
	if x := f.focused(); x != nil && stop != f.focusedTabStop {
		x.blur()
	}
	f.focusedTabStop, f.scrollToFocus = stop, true
	if x := f.focused(); x != nil {
		x.focus()
	}
}

// moveFocus moves the keyboard focus by delta stops. If wrap is true, the first stop follows the
// last one. If wrap is false and there is no further stop, the form scrolls.
func (f *Fields) moveFocus(delta int, wrap bool) {
	s := f.tabStops()
	if len(s) == 0 {
		f.scrollBy(delta)
		return
	}
	index := slices.Index(s, f.focusedTabStop) + delta
	switch {
	case wrap:
		index = (index + len(s)) % len(s)
	case index < 0 || index >= len(s):
		f.scrollBy(delta) // scrolls to read-only fields, which are not stops
		return
	}
	f.focus(s[index])
}

// Update handles keys, pastes and the mouse wheel.
func (f *Fields) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return f.press(msg)
	case tea.PasteMsg:
		if x := f.focused(); x != nil {
			f.scrollToFocus = true
			return x.update(msg)
		}
	case tea.MouseWheelMsg:
		const step = 3
		switch msg.Button { //nolint:exhaustive // other buttons have no wheel
		case tea.MouseWheelUp:
			f.scrollBy(-step)
		case tea.MouseWheelDown:
			f.scrollBy(step)
		}
	}
	return nil
}

func (f *Fields) press(k tea.KeyPressMsg) tea.Cmd {
	x := f.focused()
	body := x != nil && x.definition.Kind == BodyField
	switch k.String() {
	case "tab":
		f.moveFocus(1, true)
	case "shift+tab":
		f.moveFocus(-1, true)
	case "ctrl+s", "ctrl+enter":
		f.submit()
	case "enter":
		if body {
			return f.passToField(x, k)
		}
		f.pressEnter()
	case "up":
		if body && !x.atEdge(-1) {
			return f.passToField(x, k)
		}
		f.moveFocus(-1, false)
	case "down":
		if body && !x.atEdge(1) {
			return f.passToField(x, k)
		}
		f.moveFocus(1, false)
	case "pgup":
		f.scrollBy(1 - f.lastLayout.visibleLines)
	case "pgdown":
		f.scrollBy(f.lastLayout.visibleLines - 1)
	default:
		if x == nil {
			if k.String() == "space" {
				f.pressEnter()
			}
			return nil
		}
		return f.passToField(x, k)
	}
	return nil
}

// passToField passes a message to x, the focused field, and scrolls to x.
func (f *Fields) passToField(x *field, msg tea.Msg) tea.Cmd {
	f.scrollToFocus = true
	return x.update(msg)
}

// atEdge reports whether the cursor of a BodyField is on the first line if delta is negative, or
// otherwise on the last line.
func (x *field) atEdge(delta int) bool {
	info := x.area.LineInfo()
	if delta < 0 {
		return x.area.Line() == 0 && info.RowOffset == 0
	}
	return x.area.Line() == x.area.LineCount()-1 && info.RowOffset >= info.Height-1
}

// pressEnter handles the enter key. Depending on the focused stop, it moves the keyboard focus to
// the next stop, submits the form or shows more fields.
func (f *Fields) pressEnter() {
	x := f.focused()
	switch s := f.tabStops(); {
	case x != nil && x.definition.SubmitsOnEnter:
		f.submit()
	case f.focusedTabStop == tabStopMore:
		f.showAll()
	case f.focusedTabStop == tabStopSubmit:
		f.submit()
	case f.options.Submit == "" && f.onLastField():
		f.submit()
	case f.options.Submit != "" && f.onLastField():
		f.focus(s[len(s)-1])
	default:
		f.moveFocus(1, false)
	}
}

// onLastField reports whether no field follows the focused stop.
func (f *Fields) onLastField() bool {
	for _, s := range f.tabStops() {
		if s > f.focusedTabStop && s < len(f.fields) {
			return false
		}
	}
	return true
}

// showAll shows the hidden fields and gives the keyboard focus to the first hidden field.
func (f *Fields) showAll() {
	f.showsHidden = true
	for i, x := range f.fields {
		if x.definition.Hidden && !x.definition.ReadOnly {
			f.focus(i)
			return
		}
	}
	f.focus(f.tabStops()[0])
}

func (f *Fields) scrollBy(delta int) {
	f.scrollToFocus = false
	f.offset = max(min(f.offset+delta, f.lastLayout.totalLines-f.lastLayout.visibleLines), 0)
}

// Click handles a mouse click at the position (x, y) in the result of the last call of
// [Fields.Lines].
func (f *Fields) Click(x, y int) {
	if f.lastLayout.buttonPinned && y == f.lastLayout.visibleLines {
		f.focus(tabStopSubmit)
		f.submit()
		return
	}
	if y < 0 || y >= f.lastLayout.visibleLines {
		return
	}
	row := y + f.offset
	for _, p := range f.lastLayout.fieldPositions {
		if row < p.top || row >= p.top+p.height {
			continue
		}
		f.focus(p.tabStop)
		switch {
		case p.tabStop == tabStopMore:
			f.showAll()
		case p.tabStop == tabStopSubmit:
			f.submit()
		case row == p.top:
			f.fields[p.tabStop].click(x-f.lastLayout.inputX, f.lastLayout.inputW)
		}
		return
	}
}

// click handles a click on the input of the field, which is w cells wide. It moves the cursor to
// the cell with the given index, or selects the choice in that cell.
func (x *field) click(index, w int) {
	switch {
	case x.hasChoiceList() && index >= -1:
		x.clickChoice(index+1, w+1) // the first choice begins one cell to the left, on the edge
	case index < 0 || x.definition.Kind == BodyField:
	default:
		text := []rune(x.visibleText())
		pos := 0
		for pos < len(text) && ansi.StringWidth(string(text[:pos+1])) <= x.scroll+index {
			pos++
		}
		x.input.SetCursor(pos)
	}
}

func (x *field) clickChoice(index, w int) {
	if !x.fitsInRow(w) {
		delta := 1
		if index < 2 {
			delta = len(x.choices) - 1
		}
		x.choiceIndex = (x.choiceIndex + delta) % len(x.choices)
		x.showsProblem = true
		return
	}
	for i, c := range x.choices {
		cells := ansi.StringWidth(x.choiceLabel(c)) + 2
		if index < cells {
			x.choiceIndex, x.showsProblem = i, true
			return
		}
		index -= cells
	}
}
