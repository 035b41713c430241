package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/look"
)

// helpGroups returns every key there is; the act group only where a board can.
func helpGroups(keys *KeyMap, acts bool) []KeyGroup {
	groups := keys.Groups()
	if !acts {
		groups = slices.DeleteFunc(groups, func(g KeyGroup) bool { return g.Title == "Act" })
	}
	return groups
}

// help is the list of all keys, as far as it is scrolled.
type help struct{ text dialog.Scroller }

// overlay lays the help over the body of a frame.
func (h *help) overlay(lk *look.Look, lines []string, frame int, groups []KeyGroup) {
	var content []string
	width := frame - 4
	for _, columns := range []int{2, 1} {
		content = helpColumns(lk, groups, columns)
		if look.Width(content[0]) <= width {
			break
		}
	}
	const around = 5 // the box, the status line, and what is said below
	closes := "any key closes this"
	w, room := look.Width(content[0]), len(lines)-around
	if len(content) > room {
		closes = look.Longest(width, "up and down scroll, other keys close this", "up and down scroll, others close it")
		content = h.text.View(content, 0, 0, min(w, width), room)
	}
	content = append(content, "", lk.Style(themes.Dim).Render(closes))
	lk.Box(lines, frame, "Keys", content)
}

// helpColumns lays the groups out in columns.
func helpColumns(lk *look.Look, groups []KeyGroup, n int) []string {
	columns := make([][]string, n)
	for i, g := range groups {
		c := i % n
		if len(columns[c]) > 0 {
			columns[c] = append(columns[c], "")
		}
		columns[c] = append(columns[c], helpLines(lk, g)...)
	}
	height := 0
	for _, c := range columns {
		height = max(height, len(c))
	}
	var out []string
	for y := range height {
		row := ""
		for i, c := range columns {
			cell := ""
			if y < len(c) {
				cell = c[y]
			}
			if i > 0 {
				row += "   "
			}
			row += look.Fit(cell, helpWidth, lk.Glyphs.Ellipsis)
		}
		out = append(out, row)
	}
	return out
}

const (
	helpKeys  = 16 // the column of keys
	helpWidth = helpKeys + 1 + 23
)

// helpLines draws one group: all keys of each action, and what it does.
func helpLines(lk *look.Look, g KeyGroup) []string {
	out := []string{lk.Style(themes.Title).Render(g.Title)}
	for _, b := range g.Keys {
		if !b.Enabled() || len(b.Keys()) == 0 {
			continue
		}
		l := look.NewLine(helpWidth, lk.Glyphs.Ellipsis)
		keys := look.NewLine(helpKeys, lk.Glyphs.Ellipsis)
		keys.Add(lk.Style(themes.Key), keyNames(b))
		l.Raw(keys.End(themes.Style{}), helpKeys)
		l.Add(lk.Style(themes.KeyText), " "+b.Help().Desc)
		out = append(out, l.End(themes.Style{}))
	}
	return out
}

// keyNames names all keys of a binding; a run of digits is short.
func keyNames(b key.Binding) string {
	names := b.Keys()
	if len(names) > 4 {
		return names[0] + " to " + names[len(names)-1]
	}
	return strings.Join(names, " ")
}
