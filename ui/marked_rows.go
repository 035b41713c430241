package ui

import (
	tea "charm.land/bubbletea/v2"

	"wallboard/ui/actions"
	"wallboard/ui/snapshot"
)

// toggleMark marks the selected row or removes its mark, and selects the next row. target
// is the record of the row; unset: no action is about it.
func (p *pages) toggleMark(target snapshot.Target, say func(string) tea.Cmd) tea.Cmd {
	t := p.page().Focused()
	switch {
	case t == nil:
		return say("There are no rows to mark here.")
	case !target.IsSet():
		return say("Only agents and campaigns can be marked: no action is about " + t.Noun + ".")
	}
	row, _ := t.Table.Selected()
	t.Table.Marks.Toggle(row, target.Name)
	t.Table.Update(tea.KeyPressMsg{Code: tea.KeyDown})
	return nil
}

// marked returns the marked records of the focused table.
func (p *pages) marked() actions.Marked {
	t := p.page().Focused()
	if t == nil || t.Target == nil || t.Table.Marks.Len() == 0 {
		return actions.Marked{}
	}
	marks := &t.Table.Marks
	out := actions.Marked{Vanished: marks.Vanished(), Clear: func() { marks.Clear() }}
	for _, mark := range marks.All() {
		if kind, key, ok := t.Target(mark.Key); ok {
			out.Targets = append(out.Targets, snapshot.Target{Kind: kind, Key: key, Name: mark.Label})
		}
	}
	return out
}
