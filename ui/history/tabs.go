package history

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/themes"
	"wallboard/ui/style"
)

// viewID identifies a view. It is an index in [viewTitles].
type viewID int

// intervalsID identifies the view that needs a recording. The other views need a history service.
const intervalsID viewID = 5

// viewTitle is the title of a view: on its tab, and in the palette.
type viewTitle struct{ tab, command words.Text }

func viewTitles() []viewTitle {
	return []viewTitle{
		{words.HistoryDay(), words.HistoryCommandDay()},
		{words.HistoryWeeks(), words.HistoryCommandWeeks()},
		{words.HistoryGroups(), words.HistoryCommandGroups()},
		{words.HistorySearch(), words.HistoryCommandSearch()},
		{words.HistoryPeople(), words.HistoryCommandPeople()},
		{words.HistoryIntervals(), words.HistoryCommandIntervals()},
	}
}

// viewTabs holds the positions of the tabs of the views on the screen.
type viewTabs struct {
	spans []columnRange // an empty range means that the view has no tab
	y     int           // screen line of the tabs
}

// columnRange is the range of columns [from, to).
type columnRange struct{ from, to int }

// viewAt returns the index of the view whose tab was clicked. ok is false if no tab was clicked.
func (t *viewTabs) viewAt(msg tea.MouseClickMsg) (view int, ok bool) {
	for i, s := range t.spans {
		if msg.Button == tea.MouseLeft && msg.Y == t.y && msg.X >= s.from && msg.X < s.to {
			return i, true
		}
	}
	return 0, false
}

// line draws the tabs with the given names. If there is not enough room, it omits tabs at the start, so that the tab of
// the current view is visible.
func (t *viewTabs) line(lk *style.Look, names []string, current, x, y, w int) string {
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	t.spans, t.y = t.spans[:0], y
	first := firstFittingName(names[:current+1], w)
	for i, name := range names {
		text := " " + name + " "
		if i < first || style.Width(text) > l.RemainingWidth() {
			t.spans = append(t.spans, columnRange{})
			continue
		}
		t.spans = append(t.spans, columnRange{x + l.UsedWidth(), x + l.UsedWidth() + style.Width(text)})
		switch {
		case i != current:
			l.Add(lk.Style(themes.Dim), text)
		case lk.Mono:
			l.Add(lk.Style(themes.Selection), "["+strings.TrimSpace(text)+"]")
		default:
			l.Add(lk.Style(themes.Selection), text)
		}
	}
	return l.Finish(themes.Style{})
}

// firstFittingName returns the smallest index from which all names fit into w cells.
func firstFittingName(names []string, w int) int {
	available := w
	for i := len(names) - 1; i >= 0; i-- {
		if available -= style.Width(names[i]) + 2; available < 0 {
			return i + 1
		}
	}
	return 0
}
