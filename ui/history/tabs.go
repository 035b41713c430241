package history

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/style"
)

func viewNames() []string {
	return []string{"Day", "Weeks", "By organization", "Search", "Address book", intervalsName}
}

// intervalsName is the name of the view that needs a recording. The other views need a history
// service.
const intervalsName = "Intervals"

// viewTabs holds the names of the available views and the positions of their tabs on the screen.
type viewTabs struct {
	names []string
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

// line draws the tabs. If there is not enough room, it omits tabs at the start, so that the tab of
// the current view is visible.
func (t *viewTabs) line(lk *style.Look, current, x, y, w int) string {
	l := style.NewLine(w, lk.Glyphs.Ellipsis)
	t.spans, t.y = t.spans[:0], y
	first := firstFittingName(t.names[:current+1], w)
	for i, name := range t.names {
		text := " " + name + " "
		if i < first || style.Width(text) > l.Room() {
			t.spans = append(t.spans, columnRange{})
			continue
		}
		t.spans = append(t.spans, columnRange{x + l.Used(), x + l.Used() + style.Width(text)})
		switch {
		case i != current:
			l.Add(lk.Style(themes.Dim), text)
		case lk.Mono:
			l.Add(lk.Style(themes.Selection), "["+strings.TrimSpace(text)+"]")
		default:
			l.Add(lk.Style(themes.Selection), text)
		}
	}
	return l.End(themes.Style{})
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
