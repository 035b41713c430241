package dialog

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/words"
	"wallboard/ui/style"
)

// fieldGlyphs holds the characters used to draw a form. Each of them is one cell wide.
type fieldGlyphs struct{ pointer, ellipsis, left, right, up, down, blank, edge string }

func fieldGlyphsFor(ascii bool) fieldGlyphs {
	if ascii {
		return fieldGlyphs{pointer: ">", ellipsis: "~", left: "<", right: ">", up: "^", down: "v", blank: "_", edge: "|"}
	}
	return fieldGlyphs{pointer: "▌", ellipsis: "…", left: "‹", right: "›", up: "↑", down: "↓", blank: " ", edge: "│"}
}

// formLayout holds the positions of the parts of a form when it was last drawn.
type formLayout struct {
	visibleLines, totalLines int  // number of visible lines, and number of all lines
	buttonPinned             bool // the button is below the visible lines and does not scroll with them
	inputX, inputW           int
	fieldPositions           []fieldPosition
	cursorX                  int
	cursorY                  int // line of the cursor, counted from the first line of the form
	cursorOK                 bool
}

// fieldPosition describes which lines a stop occupies: height lines from the line top on, counted from
// the first line of the form.
type fieldPosition struct{ tabStop, top, height int }

// fieldMargin is the width in cells of the margin to the left of the labels. It contains the
// pointer and a space.
const fieldMargin = 2

// Height returns the number of lines of the form at a width of w cells.
func (f *Fields) Height(w int) int {
	rows, _ := f.draw(w)
	return len(rows)
}

// Lines returns the form as exactly h lines of w cells. If it has more, it scrolls to the field
// that has the keyboard focus, and its button stays on the last line unless h is very small.
func (f *Fields) Lines(w, h int) []string {
	rows, l := f.draw(w)
	button := ""
	const buttonLines, minHeight = 2, 4 // buttonLines: a blank line and the button; with fewer lines than minHeight, the button scrolls with the fields
	if f.options.Submit != "" && len(rows) > h && h >= minHeight {
		button = rows[len(rows)-1]
		rows, h = rows[:len(rows)-buttonLines], h-1
		l.totalLines, l.buttonPinned = len(rows), true
	}
	l.visibleLines = max(h, 0)
	f.lastLayout = l
	if f.scrollToFocus {
		f.scrollToFocused()
	}
	f.offset = max(min(f.offset, len(rows)-h), 0)
	out := make([]string, 0, l.visibleLines)
	for y := range l.visibleLines {
		row := ""
		if f.offset+y < len(rows) {
			row = rows[f.offset+y]
		}
		out = append(out, f.fitStyled(row, w, lipgloss.Style{}))
	}
	if h > 0 && w > fieldMargin {
		mark := func(y int, glyph string) {
			out[y] = f.fitStyled(ansi.Truncate(out[y], w-1, ""), w-1, lipgloss.Style{}) + f.options.Styles.Dim.Render(glyph)
		}
		if f.offset > 0 {
			mark(0, f.glyphs.up)
		}
		if f.offset+h < len(rows) {
			mark(h-1, f.glyphs.down)
		}
	}
	if l.buttonPinned {
		out = append(out, f.fitStyled(button, w, lipgloss.Style{}))
	}
	return out
}

// scrollToFocused scrolls until the focused stop is visible.
func (f *Fields) scrollToFocused() {
	for i, p := range f.lastLayout.fieldPositions {
		if p.tabStop != f.focusedTabStop {
			continue
		}
		if i == 0 {
			p.height += p.top // also show the read-only fields above the first stop
			p.top = 0
		}
		f.offset = max(f.offset, p.top+p.height-f.lastLayout.visibleLines)
		f.offset = min(f.offset, p.top)
		if y := f.lastLayout.cursorY; f.lastLayout.cursorOK {
			f.offset = max(min(f.offset, y), y-f.lastLayout.visibleLines+1)
		}
		return
	}
}

// Cursor returns the position of the terminal's cursor in the result of the last call of
// [Fields.Lines]. ok is false if no cursor is visible.
func (f *Fields) Cursor() (x, y int, ok bool) {
	l := f.lastLayout
	y = l.cursorY - f.offset
	if !l.cursorOK || y < 0 || y >= l.visibleLines {
		return 0, 0, false
	}
	return l.cursorX, y, true
}

// draw returns all lines of the form, each w cells wide, and the positions of its parts.
func (f *Fields) draw(w int) ([]string, formLayout) {
	var (
		rows   []string
		l      formLayout
		labels int
		hidden int
	)
	for _, x := range f.fields {
		if f.showsHidden || !x.definition.Hidden {
			labels = max(labels, ansi.StringWidth(x.labelText()))
		} else {
			hidden++
		}
	}
	labels = min(labels, w*2/5)
	l.inputX = fieldMargin + labels + 2 // a space and the edge precede the input
	l.inputW = max(w-l.inputX-1, 1)     // the scroll marks are to the right of the input
	for i, x := range f.fields {
		if x.definition.Hidden && !f.showsHidden {
			continue
		}
		p := fieldPosition{tabStop: i, top: len(rows)}
		for j, input := range f.drawField(x, &l, len(rows)) {
			label := ""
			if j == 0 {
				label = x.labelText()
			}
			rows = append(rows, f.label(label, labels, f.focusedTabStop == i && j == 0)+" "+f.valueEdge(x)+input)
		}
		rows = append(rows, f.noteLines(x, w, f.focusedTabStop == i)...)
		p.height = len(rows) - p.top
		if !x.definition.ReadOnly {
			l.fieldPositions = append(l.fieldPositions, p)
		}
	}
	if hidden > 0 {
		l.fieldPositions = append(l.fieldPositions, fieldPosition{tabStopMore, len(rows), 1})
		rows = append(rows, f.pointer(f.focusedTabStop == tabStopMore)+
			f.button(f.focusedTabStop == tabStopMore, words.DialogMoreFields(hidden).In(f.options.Words)))
	}
	if f.options.Submit != "" {
		l.fieldPositions = append(l.fieldPositions, fieldPosition{tabStopSubmit, len(rows) + 1, 1})
		rows = append(rows, "", f.pointer(f.focusedTabStop == tabStopSubmit)+
			f.button(f.focusedTabStop == tabStopSubmit, "[ "+f.options.Submit+" ]"))
	}
	l.totalLines, l.cursorOK = len(rows), l.cursorOK && l.cursorX < w
	return rows, l
}

func (x *field) labelText() string {
	if x.definition.Required && !x.definition.ReadOnly {
		return x.definition.Label + " *"
	}
	return x.definition.Label
}

func (f *Fields) pointer(focused bool) string {
	if focused {
		return f.options.Styles.LabelFocused.Render(f.glyphs.pointer) + " "
	}
	return "  "
}

func (f *Fields) label(text string, w int, focused bool) string {
	st := f.options.Styles.Label
	if focused {
		st = f.options.Styles.LabelFocused
	}
	return f.pointer(focused) + st.Render(f.fitStyled(text, w, lipgloss.Style{}))
}

// valueEdge returns the cell between the label and the value of a field. It makes empty fields visible,
// because only the focused field is filled with color or underscores.
func (f *Fields) valueEdge(x *field) string {
	switch {
	case x.definition.ReadOnly:
		return " "
	case x.hasChoiceList():
		return "" // the first choice begins in this cell
	}
	return f.options.Styles.Dim.Render(f.glyphs.edge)
}

func (f *Fields) button(focused bool, text string) string {
	if focused {
		return f.options.Styles.ButtonFocused.Render(text)
	}
	return f.options.Styles.Button.Render(text)
}

// drawField returns the lines of the value of a field, and stores the position of the cursor in l.
// top is the index of the first of these lines in the form.
func (f *Fields) drawField(x *field, l *formLayout, top int) []string {
	focused := f.focused() == x
	switch {
	case x.definition.ReadOnly:
		return f.drawReadOnly(x, l.inputW)
	case x.hasChoiceList():
		return []string{f.drawChoice(x, l.inputW+1, focused)}
	case x.definition.Kind == BodyField:
		return f.drawBody(x, l, top, focused)
	}
	text := x.visibleText()
	w := l.inputW
	before := ansi.StringWidth(string([]rune(text)[:x.input.Position()]))
	x.scroll = max(min(x.scroll, before), before-w+1, 0)
	if ansi.StringWidth(ansi.Truncate(text, x.scroll, "")) < x.scroll {
		x.scroll++ // the first half of a wide character has been scrolled out
	}
	if focused {
		l.cursorX, l.cursorY, l.cursorOK = l.inputX+max(before-x.scroll, 0), top, true
	}
	visible := ansi.Truncate(ansi.TruncateLeft(text, x.scroll, ""), w, "")
	if !focused {
		return []string{f.options.Styles.Text.Render(visible)}
	}
	return []string{f.options.Styles.Input.Render(f.padRight(visible, w))}
}

// visibleText returns the text of a field as it is shown, with asterisks instead of a secret.
func (x *field) visibleText() string {
	v := x.input.Value()
	if x.definition.Kind == SecretField {
		return strings.Repeat("*", len([]rune(v)))
	}
	return v
}

// drawReadOnly returns the lines of the value of a read-only field.
func (f *Fields) drawReadOnly(x *field, w int) []string {
	v := x.value()
	if x.hasChoiceList() {
		v = x.choiceLabel(v)
	}
	lines := style.WrapText(v, w)
	for i, l := range lines {
		lines[i] = f.options.Styles.Text.Render(l)
	}
	return lines
}

func (f *Fields) drawBody(x *field, l *formLayout, top int, focused bool) []string {
	if x.lines == nil || x.width != l.inputW {
		x.area.SetWidth(l.inputW)
		x.area.SetHeight(x.bodyHeight(l.inputW))
		st := f.options.Styles.Text
		if focused {
			st = f.options.Styles.Input
		}
		x.width, x.lines = l.inputW, strings.Split(x.area.View(), "\n")
		for i := range x.lines {
			line := ansi.Truncate(x.lines[i], l.inputW, "") // the cursor may be in the cell after the text
			x.lines[i] = f.fitStyled(line, l.inputW, st)
		}
		if c := x.area.Cursor(); c != nil {
			x.cursorX, x.cursorY = min(c.X, l.inputW-1), c.Y
		}
	}
	if focused {
		l.cursorX, l.cursorY, l.cursorOK = l.inputX+x.cursorX, top+x.cursorY, true
	}
	return x.lines
}

// bodyHeight returns the number of visible lines of a BodyField that is w cells wide. It is one
// more than the number of lines of the text, to show that the field accepts another line, but at
// most maxBodyRows.
func (x *field) bodyHeight(w int) int {
	rows := 1
	for line := range strings.SplitSeq(x.area.Value(), "\n") {
		rows += 1 + ansi.StringWidth(line)/w
		if rows >= maxBodyRows {
			return maxBodyRows
		}
	}
	return rows
}

// choiceLabel returns the label of a choice. It returns "not set" for the empty choice.
func (x *field) choiceLabel(choice string) string {
	text := words.Name(choice)
	switch {
	case choice == "":
		text = words.DialogNotSet()
	case x.definition.Kind == ToggleField && choice == Yes:
		text = words.DialogYes()
	case x.definition.Kind == ToggleField && choice == No:
		text = words.DialogNo()
	}
	return text.In(x.options.Words)
}

// fitsInRow reports whether all choices fit side by side in w cells.
func (x *field) fitsInRow(w int) bool {
	for _, c := range x.choices {
		w -= ansi.StringWidth(x.choiceLabel(c)) + 2
	}
	return w >= 0
}

func (f *Fields) drawChoice(x *field, w int, focused bool) string {
	s := f.options.Styles
	taken := s.Button
	if focused {
		taken = s.ButtonFocused
	}
	if len(x.choices) == 0 {
		return s.Dim.Render(ansi.Truncate(words.DialogNothingToChoose().In(f.options.Words), w, f.glyphs.ellipsis))
	}
	if !x.fitsInRow(w) {
		word := ansi.Truncate(x.choiceLabel(x.choices[x.choiceIndex]), max(w-3, 1), f.glyphs.ellipsis)
		return taken.Render(f.glyphs.left + word + " " + f.glyphs.right)
	}
	var b strings.Builder
	for i, c := range x.choices {
		if i == x.choiceIndex {
			b.WriteString(taken.Render("[" + x.choiceLabel(c) + "]"))
		} else {
			b.WriteString(s.Dim.Render(" " + x.choiceLabel(c) + " "))
		}
	}
	return b.String()
}

// noteLines returns the lines below a field. They show the problem of the value or, if there is
// none and the field has the keyboard focus, the hint of the field.
func (f *Fields) noteLines(x *field, w int, focused bool) []string {
	s := f.options.Styles
	const indent, rows = "    ", 2
	text, st, first := "", s.Dim, "  "
	if err := x.check(); err != nil && x.showsProblem {
		text, st, first = words.TextOf(err).In(f.options.Words), s.Error, "! "
	} else if focused {
		text = x.hint()
	}
	if text == "" {
		return nil
	}
	lines := style.WrapText(text, max(w-len(indent)-1, 1))
	lines = lines[:min(len(lines), rows)]
	for i, l := range lines {
		lead := "  "
		if i == 0 {
			lead = first
		}
		lines[i] = "  " + st.Render(lead+l)
	}
	return lines
}

func (x *field) hint() string {
	switch {
	case x.definition.AnyText && len(x.definition.Choices) > 0:
		return strings.TrimSpace(words.DialogHintChoices(x.definition.Hint, strings.Join(x.definition.Choices, ", ")).In(x.options.Words))
	case x.definition.Hint == "" && x.definition.Kind == DateField && !x.definition.ReadOnly:
		return "2026-01-31 14:30"
	}
	return x.definition.Hint
}

// padRight appends blanks to s until s is w cells wide. With ASCII glyphs, a blank is an underscore.
func (f *Fields) padRight(s string, w int) string {
	return s + strings.Repeat(f.glyphs.blank, max(w-ansi.StringWidth(s), 0))
}

// fitStyled cuts s or appends spaces to it, so that it is exactly w cells wide. s may contain styles. The
// spaces have the style st.
func (f *Fields) fitStyled(s string, w int, st lipgloss.Style) string {
	s = ansi.Truncate(s, w, f.glyphs.ellipsis)
	if available := w - ansi.StringWidth(s); available > 0 {
		s += st.Render(strings.Repeat(" ", available))
	}
	return s
}
