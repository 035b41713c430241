package pages

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/table"
)

// TogglePin pins the selected row to the top of its table, or unpins it if it is pinned. The
// returned command saves the change in store. say shows a message in the footer.
func TogglePin(p *panes.RecordTable, store *table.LayoutStore, say func(string) tea.Cmd) tea.Cmd {
	row, ok := p.Table.Selected()
	if !ok || !p.HasAlerts || strings.Contains(row, "\x00") { // a group heading, a repeated row, or a row that will soon disappear
		return say("This row cannot be pinned.")
	}
	pinned, ok := store.TogglePinned(p.Noun, row)
	if !ok {
		return say("At most " + strconv.Itoa(table.MaxPinned) + " rows can be pinned: unpin one first.")
	}
	text := "Unpinned."
	if pinned {
		text = "Pinned to the top."
	}
	save := store.SavePinned(p.Noun)
	return tea.Batch(say(text), dialog.Guard(func() tea.Msg {
		if err := save(); err != nil {
			return dialog.NoticeMsg{Text: "Pinned until you quit; it was not saved: " + err.Error()}
		}
		return nil
	}))
}
