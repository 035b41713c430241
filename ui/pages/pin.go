package pages

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/table"
)

// TogglePin pins the selected row to the top of its table, or unpins it if it is pinned. The
// returned command saves the change in store. say shows a message, in the language l, in the footer.
func TogglePin(p *panes.RecordTable, store *table.LayoutStore, l *words.Language, say func(string) tea.Cmd) tea.Cmd {
	row, ok := p.Table.Selected()
	if !ok || !p.HasAlerts || strings.Contains(row, "\x00") { // a group heading, a repeated row, or a row that will soon disappear
		return say(words.PageCannotPin().In(l))
	}
	pinned, ok := store.TogglePinned(p.Noun, row)
	if !ok {
		return say(words.PagePinLimit(table.MaxPinned).In(l))
	}
	text := words.PageUnpinned()
	if pinned {
		text = words.PagePinned()
	}
	save := store.SavePinned(p.Noun)
	return tea.Batch(say(text.In(l)), dialog.RecoverPanic(func() tea.Msg {
		if err := save(); err != nil {
			return dialog.NoticeMsg{Text: words.PagePinNotSaved(words.TextOf(err)).In(l)}
		}
		return nil
	}))
}
