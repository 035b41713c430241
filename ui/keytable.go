package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"wallboard/ui/table"
)

// KeyGroup is one titled part of the keys.
type KeyGroup struct {
	Title string
	Keys  []key.Binding
}

// Groups returns every key of the board and of its tables, in groups for the
// help and for the manual.
func (k KeyMap) Groups() []KeyGroup {
	full, t := k.FullHelp(), table.DefaultKeyMap()
	along := key.NewBinding(key.WithKeys("left", "right"), key.WithHelp("← →", "along a map or a chart"))
	return []KeyGroup{
		{"Go", full[0]},
		{"Look closer", full[1]},
		{"Act", full[3]},
		{"Move", []key.Binding{t.LineUp, t.LineDown, t.PageUp, t.PageDown, t.GotoTop, t.GotoBottom, along}},
		{"Page History", k.Past.all()},
		{"Board", full[2]},
	}
}

// KeyTable returns the keys of a board as a table in Markdown.
func KeyTable() string {
	var b strings.Builder
	b.WriteString("| | key | does |\n|---|---|---|\n")
	for _, g := range DefaultKeyMap().Groups() {
		title := "**" + g.Title + "**"
		for _, k := range g.Keys {
			if len(k.Keys()) == 0 {
				continue
			}
			names := slices.Clone(k.Keys())
			for i, n := range names {
				names[i] = "`" + n + "`"
			}
			keys := strings.Join(names, " ")
			if len(names) > 4 {
				keys = names[0] + " to " + names[len(names)-1]
			}
			b.WriteString("| " + title + " | " + strings.ReplaceAll(keys, "|", `\|`) + " | " + k.Help().Desc + " |\n")
			title = ""
		}
	}
	return b.String()
}
