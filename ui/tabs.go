package ui

import (
	"strings"

	"wallboard/themes"
	"wallboard/ui/look"
)

// tab is where a page's name stands on the line of tabs.
type tab struct {
	page  pageID
	text  string
	x, to int
}

// layTabs lays the pages' names out: the present one's, and of the others those
// for which there is room, and the keys of the rest; and of these the nearest,
// where even they are too many.
func (m *Model) layTabs(w int) []tab {
	from, to := 0, len(m.pages.all)
	out := m.tabsFrom(from, to)
	for out[len(out)-1].to > w && len(out) > 1 {
		if int(m.pages.current)-from >= to-1-int(m.pages.current) {
			from++
		} else {
			to--
		}
		out = m.tabsFrom(from, to)
	}
	room := w - out[len(out)-1].to
	x := 0
	for i := range out {
		t := &out[i]
		if name := m.pages.specs[t.page].Name + " "; t.page != m.pages.current && look.Width(name) <= room {
			t.text += name
			room -= look.Width(name)
		}
		t.x, t.to = x, x+look.Width(t.text)
		x = t.to
	}
	return out
}

// tabsFrom lays the tabs from one place to before another, with the present
// page's name only.
func (m *Model) tabsFrom(from, to int) []tab {
	out := make([]tab, 0, to-from)
	x := 0
	for i := from; i < to; i++ {
		p := pageID(i)
		text := " " + m.tabKey(p) + " "
		if p == m.pages.current {
			text += m.pages.specs[p].Name + " "
		}
		w := look.Width(text)
		out = append(out, tab{page: p, text: text, x: x, to: x + w})
		x += w
	}
	return out
}

// tabKey is the key of a page as its tab says it.
func (m *Model) tabKey(p pageID) string {
	if k := m.pages.keys[p]; k != "" {
		return k
	}
	return m.scene.look.Glyphs.Dot
}

func (m *Model) tabLine(w int) string {
	return m.tabs.line(m.scene, w, func() string { return m.drawTabs(w) }, m.pages.current)
}

func (m *Model) drawTabs(w int) string {
	sc := m.scene
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	for _, t := range m.layTabs(w) {
		switch {
		case t.page != m.pages.current:
			l.Add(sc.look.Style(themes.Dim), t.text)
		case sc.look.Mono:
			l.Add(sc.look.Style(themes.Selection), "["+strings.TrimSpace(t.text)+"]")
		default:
			l.Add(sc.look.Style(themes.Selection), t.text)
		}
	}
	return l.End(themes.Style{})
}
