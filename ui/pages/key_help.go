package pages

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/textnorm"
	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/style"
	"wallboard/ui/table"
)

// KeyGroup is a group of key bindings with a title.
type KeyGroup struct {
	Title words.Text
	Keys  []key.Binding

	needsActions, isReplay bool // the keys work only if actions are possible, or only during a replay
}

// KeyHelp is the state of the help: its filter and the selected key in the list of all keys.
type KeyHelp struct {
	selected      int
	filter        string
	FilterFocused bool // the filter has the keyboard focus
	visibleLines  int  // number of lines of the list
}

// Press handles a key while the help is open. If the key is enter, keyName is the name of the
// selected action's key, and the caller must handle that key next. Otherwise keyName is "". closes
// reports whether the caller must close the help.
func (h *KeyHelp) Press(msg tea.KeyPressMsg, groups []KeyGroup) (keyName string, closes bool) {
	shown := h.FilteredKeys(groups)
	switch k := table.DefaultKeyMap(); {
	case msg.String() == "enter":
		if len(shown) == 0 {
			return "", false
		}
		return shown[min(h.selected, len(shown)-1)].Keys()[0], true
	case msg.String() == "esc":
		if h.filter == "" && !h.FilterFocused {
			return "", true
		}
		*h = KeyHelp{visibleLines: h.visibleLines}
	case msg.Code == tea.KeyUp, !h.FilterFocused && key.Matches(msg, k.LineUp):
		h.MoveSelection(-1, len(shown))
	case msg.Code == tea.KeyDown, !h.FilterFocused && key.Matches(msg, k.LineDown):
		h.MoveSelection(1, len(shown))
	case key.Matches(msg, k.PageUp):
		h.MoveSelection(1-h.visibleLines, len(shown))
	case key.Matches(msg, k.PageDown):
		h.MoveSelection(h.visibleLines-1, len(shown))
	case msg.Code == tea.KeyHome:
		h.MoveSelection(-len(shown), len(shown))
	case msg.Code == tea.KeyEnd:
		h.MoveSelection(len(shown), len(shown))
	case h.FilterFocused:
		h.editFilter(msg)
	case msg.String() == "/":
		h.FilterFocused = true
	default:
		return "", true
	}
	return "", false
}

// MoveSelection moves the selection by delta in a list of n keys, at most to the first or the last
// key.
func (h *KeyHelp) MoveSelection(delta, n int) { h.selected = max(min(h.selected+delta, n-1), 0) }

// maxFilterLength is the maximum length of the filter in characters.
const maxFilterLength = 30

// editFilter applies a typed key to the filter and selects the first key that matches.
func (h *KeyHelp) editFilter(msg tea.KeyPressMsg) {
	text := []rune(h.filter)
	switch {
	case msg.Code == tea.KeyBackspace:
		text = text[:max(len(text)-1, 0)]
	case len(text) < maxFilterLength:
		text = append(text, []rune(style.OneLine(msg.Text))...)
	}
	h.filter, h.selected = string(text), 0
}

// matches reports whether the name or the description of a key matches the filter.
func (h *KeyHelp) matches(b key.Binding) bool {
	if !b.Enabled() || len(b.Keys()) == 0 {
		return false
	}
	text := textnorm.Fold(keyNames(b, nil) + " " + b.Help().Desc)
	return strings.Contains(text, textnorm.Fold(h.filter))
}

// FilteredKeys returns the key bindings that match the filter, in the order of the list.
func (h *KeyHelp) FilteredKeys(groups []KeyGroup) []key.Binding {
	var out []key.Binding
	for _, g := range groups {
		for _, b := range g.Keys {
			if h.matches(b) {
				out = append(out, b)
			}
		}
	}
	return out
}

// Overlay draws the help in a box over lines, which are the lines of the screen except for the
// last. frame is the width of the screen in cells.
func (h *KeyHelp) Overlay(lk *style.Look, lines []string, frame int, groups []KeyGroup) {
	width := frame - 4
	columns := max((width+helpGap)/(helpWidth+helpGap), 1)
	content, index := h.layOutColumns(lk, groups, columns, min(helpWidth, width))
	const frameLines = 5 // lines of the box, the status line and the line with hints
	available := max(len(lines)-frameLines, 1)
	var more []words.Text
	h.visibleLines = available
	if len(content) > available {
		first := max(min(index-available/2, len(content)-available), 0)
		above, under := first, len(content)-first-available
		content = content[first : first+available]
		more = dialog.HiddenLinesTexts(above, under)
	}
	told := func(text words.Text) string { return text.In(lk.Format.Words) }
	below := style.FirstFitting(width, told(words.List(append([]words.Text{words.KeysInstructions()}, more...))), told(words.List(append([]words.Text{words.KeysInstructionsShort()}, more...))))
	if h.FilterFocused {
		below = "/" + h.filter
	}
	if len(content) == 0 {
		content = []string{lk.Style(themes.Dim).Render(style.Fit(told(words.KeysNone()), min(helpWidth, width), lk.Glyphs.Ellipsis))}
	}
	content = append(content, "", lk.Style(themes.Dim).Render(below))
	lk.Box(lines, frame, told(words.KeysTitle()), content)
}

const (
	helpKeyWidth = 16                    // width of the column with the names of keys
	helpWidth    = helpKeyWidth + 1 + 26 // width of a column of the list
	helpGap      = 3                     // cells between two columns
)

// layOutColumns lays out the groups that match the filter in n columns of w cells and returns the lines.
// selectedLine is the index of the line with the selected key.
func (h *KeyHelp) layOutColumns(lk *style.Look, groups []KeyGroup, n, w int) (out []string, selectedLine int) {
	columns := make([][]string, n)
	height, nth := 0, 0
	for _, g := range groups {
		c := shortestColumn(columns)
		if g.Keys = slices.DeleteFunc(slices.Clone(g.Keys), func(b key.Binding) bool { return !h.matches(b) }); len(g.Keys) == 0 {
			continue
		}
		if len(columns[c]) > 0 {
			columns[c] = append(columns[c], "")
		}
		columns[c] = append(columns[c], lk.Style(themes.Title).Render(g.Title.In(lk.Format.Words)))
		for _, b := range g.Keys {
			if nth == h.selected {
				selectedLine = len(columns[c])
			}
			columns[c] = append(columns[c], helpLine(lk, b, w, nth == h.selected))
			nth++
		}
		height = max(height, len(columns[c]))
	}
	for y := range height {
		row := ""
		for i, c := range columns {
			cell := ""
			if y < len(c) {
				cell = c[y]
			}
			if i > 0 {
				row += style.Blanks(helpGap)
			}
			row += style.Fit(cell, w, lk.Glyphs.Ellipsis)
		}
		out = append(out, row)
	}
	return out, selectedLine
}

func shortestColumn(columns [][]string) int {
	index := 0
	for i, c := range columns {
		if len(c) < len(columns[index]) {
			index = i
		}
	}
	return index
}

// helpLine draws a line of w cells with the keys and the description of an action.
func helpLine(lk *style.Look, b key.Binding, w int, selected bool) string {
	name, text := lk.Style(themes.Key), lk.Style(themes.KeyText)
	if selected {
		name, text = lk.Style(themes.Selection), lk.Style(themes.Selection)
	}
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	keys := style.NewLine(helpKeyWidth, lk.Glyphs.Ellipsis)
	keys.Add(name, keyNames(b, lk.Format.Words))
	l.AddRaw(keys.Finish(name), helpKeyWidth)
	l.Add(text, " "+b.Help().Desc)
	if selected {
		return l.Finish(text)
	}
	return l.Finish(themes.Style{})
}

// keyNames returns the names of all keys of a binding. More than four digits are shortened to a
// range, in the language l.
func keyNames(b key.Binding, l *words.Language) string {
	names := b.Keys()
	digits := 0
	for digits < len(names) && len(names[digits]) == 1 && strings.Contains("0123456789", names[digits]) {
		digits++
	}
	if digits > 4 {
		names = append([]string{words.KeysDigits(names[0], names[digits-1]).In(l)}, names[digits:]...)
	}
	return strings.Join(names, " ")
}
