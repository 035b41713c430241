package setup

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
)

// Minimum size of the terminal, and maximum width of the text.
const (
	minWidth, minHeight = 40, 12
	maxTextWidth        = 90
	margin              = 2
)

// Frame implements [term.Model].
func (g *Guide) Frame() []byte { return g.frame }

// View implements [term.Model].
func (g *Guide) View() tea.View {
	lines, cursor := g.draw()
	g.frame = append(g.frame[:0], strings.Join(lines, "\n")...)
	v := tea.View{AltScreen: true, WindowTitle: "Wallboard", Cursor: cursor}
	if !g.look.Mono && !g.themer.AwaitsBackground() {
		v.BackgroundColor, v.ForegroundColor = g.look.Theme.Background(), g.look.Theme.Foreground()
	}
	return v
}

// draw returns the lines of the screen, and the cursor of an input line.
func (g *Guide) draw() ([]string, *tea.Cursor) {
	if g.width <= 0 || g.height <= 0 {
		return nil, nil
	}
	ellipsis := g.look.Glyphs.Ellipsis
	if g.width < minWidth || g.height < minHeight {
		return style.FitLines([]string{g.translate(words.SetupTooSmall()), g.translate(words.SetupCtrlC())}, g.width, g.height, ellipsis), nil
	}
	head := style.NewLine(g.width, ellipsis).Space(g.look.BarTextStyle(themes.Title), 1).Add(g.look.BarTextStyle(themes.Title), strings.Join([]string{"Wallboard", g.look.Glyphs.Crumb, g.translate(words.SetupTitle())}, " ")).Finish(g.look.BarTextStyle(themes.Text))
	body, focus, cursorX := g.screenLines(min(g.width-2*margin, maxTextWidth))
	h := g.height - 4 // the top line, a blank line on each side, and the keys
	sc := &g.screen
	sc.offset = max(min(sc.offset, len(body)-h), 0)
	if last := max(len(body)-h, 0); !sc.hasScrolled && focus >= 0 { // scroll to the cursor: an option to the top, an input line to the middle
		sc.offset = min(last, max(focus-h/2, 0))
		if len(sc.options) > 0 {
			sc.offset = min(last, focus)
		}
	}
	visible := body[sc.offset:min(sc.offset+h, len(body))]
	lines := []string{head, ""}
	for _, l := range visible {
		lines = append(lines, style.Blanks(margin)+l)
	}
	lines = style.FitLines(lines, g.width, g.height-1, ellipsis)
	lines = append(lines, g.keys(len(body) > h))
	var cursor *tea.Cursor
	if y := focus - sc.offset; cursorX >= 0 && y >= 0 && y < h {
		cursor = tea.NewCursor(min(margin+cursorX, g.width-1), 2+y)
		cursor.Blink = false
	}
	return lines, cursor
}

// keys returns the last line of the screen, which explains the keys.
func (g *Guide) keys(scrolls bool) string {
	bar, key := g.look.BarTextStyle(themes.Text), g.look.BarTextStyle(themes.Key)
	l := style.NewLine(g.width, g.look.Glyphs.Ellipsis).Space(bar, 1)
	add := func(name string, t words.Text) {
		text := g.translate(t)
		if l.RemainingWidth() < style.Width(name+text)+3 {
			return
		}
		l.Add(key, name).Add(bar, " "+text+"  ")
	}
	back := words.SetupKeyBack()
	if len(g.steps) <= 1 {
		back = words.SetupKeyQuit()
	}
	if g.writing {
		return l.Add(bar, g.translate(words.SetupKeyWriting())).Finish(bar)
	}
	if len(g.screen.options)+len(g.screen.fields) > 0 {
		add("enter", words.SetupKeyContinue())
	}
	add("esc", back)
	if max(len(g.screen.options), len(g.screen.fields)) > 1 {
		add("up/down", words.SetupKeySelect())
	}
	if scrolls {
		add("pgup/pgdn", words.SetupKeyScroll())
	}
	add("ctrl+c", words.SetupKeyQuit())
	return l.Finish(bar)
}

// screenLines returns the lines of the question, w cells wide. It also returns the index of the focused
// line and the cell of its cursor, each -1 if there is none.
func (g *Guide) screenLines(w int) (lines []string, focus, cursorX int) {
	sc := &g.screen
	focus, cursorX = -1, -1
	lines = append(g.look.Wrap(themes.Title, sc.title, w), "")
	for _, p := range sc.text {
		lines = append(lines, g.paragraph(p, w)...)
	}
	if len(sc.text) > 0 {
		lines = append(lines, "")
	}
	switch {
	case len(sc.options) > 0:
		for i, o := range sc.options {
			if i == sc.cursor {
				focus = len(lines)
			}
			lines = append(lines, g.optionLines(i, &o, i == sc.cursor, w)...)
		}
	case len(sc.fields) > 0:
		label := 0
		for i := range sc.fields {
			if sc.fields[i].label != "" {
				label = min(max(label, style.Width(sc.fields[i].label)+2), w/2)
			}
		}
		for i := range sc.fields {
			if i == sc.cursor {
				focus = len(lines)
			}
			line, x := g.field(&sc.fields[i], label, i == sc.cursor, w)
			if x >= 0 {
				cursorX = x
			}
			lines = append(lines, line)
		}
		if sc.problem != "" {
			lines = append(append(lines, ""), g.paragraph(paragraph{paragraphFailure, sc.problem}, w)...)
		}
	default:
		focus = len(lines)
		lines = append(lines, g.look.Style(themes.Accent).Render(g.look.Glyphs.Busy)+" "+g.progressText())
	}
	return lines, focus, cursorX
}

// paragraph returns the lines of a paragraph. A sign marks its kind, so that it is recognizable
// without colors.
func (g *Guide) paragraph(p paragraph, w int) []string {
	token, sign := themes.Text, ""
	switch p.kind {
	case paragraphGood:
		token, sign = themes.OK, g.look.Glyphs.Check
	case paragraphNotice:
		token, sign = themes.Warn, "!"
	case paragraphFailure:
		token, sign = themes.Critical, g.look.Glyphs.Failed
	case paragraphRemark:
		token, sign = themes.Dim, " "
	case paragraphPlain:
	}
	if sign == "" {
		return g.look.Wrap(token, p.text, w)
	}
	lines := g.look.Wrap(token, p.text, w-2)
	for i := range lines {
		lead := "  "
		if i == 0 {
			lead = g.look.Style(token).Render(sign) + " "
		}
		lines[i] = lead + lines[i]
	}
	return lines
}

// optionLines returns the lines of an option: its number and label, and its detail beside or below the
// label.
func (g *Guide) optionLines(i int, o *option, selected bool, w int) []string {
	token, pointer := themes.Text, "  "
	if selected {
		token, pointer = themes.ButtonActive, g.look.Glyphs.Pointer+" "
	}
	const lead = 4
	start := g.look.Style(themes.Accent).Render(pointer) + g.look.Style(themes.Key).Render(strconv.Itoa(i+1)) + " "
	if o.detail != "" && lead+style.Width(o.label)+2+style.Width(o.detail) <= w {
		return []string{start + g.look.Style(token).Render(o.label) + "  " + g.look.Style(themes.Dim).Render(o.detail)}
	}
	lines := g.look.Wrap(token, o.label, w-lead)
	if o.detail != "" {
		lines = append(lines, g.look.Wrap(themes.Dim, o.detail, w-lead)...)
	}
	for i := range lines {
		if i > 0 {
			start = style.Blanks(lead)
		}
		lines[i] = start + lines[i]
	}
	return lines
}

// field returns an input line and the cell of its cursor, or -1 if the line is not focused.
func (g *Guide) field(f *field, label int, focused bool, w int) (line string, cursorX int) {
	const lead = 2
	pointer := style.Blanks(lead)
	if focused {
		pointer = g.look.Style(themes.Accent).Render(g.look.Glyphs.Pointer) + " "
	}
	f.input.SetStyles(dialog.PromptStyles(g.look.Theme))
	f.input.SetWidth(max(w-lead-label-1, 1))
	line = pointer + style.Fit(g.look.Style(themes.Dim).Render(f.label), label, g.look.Glyphs.Ellipsis) + f.input.View()
	cursorX = -1
	if c := f.input.Cursor(); focused && c != nil {
		cursorX = lead + label + c.X
	}
	return line, cursorX
}
