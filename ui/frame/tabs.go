package frame

import (
	"strings"

	"wallboard/themes"
	"wallboard/ui/style"
)

// Tabs holds the data for drawing the line of tabs.
type Tabs struct {
	Names        []string
	Keys         []string // key of each page; "": none
	Current      int      // index of the current page
	PriorityPage int      // index of the page whose name is the most important after that of the current page
}

// Tab is the tab of a page and its position on the line of tabs.
type Tab struct {
	Page     int
	From, To int // the tab occupies the columns from From to To-1

	text string
}

// Layout lays out the tabs in w cells. The tab of the current page always has a name. The other
// tabs have whole names as long as there is room: first that of PriorityPage, then those of the
// other pages, from left to right. The rest have only a key. If not even the keys fit, only pages
// near the current page have a tab. The last cells are then left free for a sign.
func (t Tabs) Layout(lk *style.Look, w int) []Tab {
	out := t.layoutIn(lk, w)
	if t.moreSign(lk, out) != "" {
		out = t.layoutIn(lk, w-moreSignWidth)
	}
	return out
}

// moreSignWidth is the width, in cells, of the sign for pages without a tab.
const moreSignWidth = 3

// moreSign returns a sign for further pages before or after the tabs. It returns "" if every page
// has a tab.
func (t Tabs) moreSign(lk *style.Look, tabs []Tab) string {
	before, after := "", ""
	if tabs[0].Page > 0 {
		before = lk.Glyphs.HiddenBefore
	}
	if tabs[len(tabs)-1].Page < len(t.Names)-1 {
		after = lk.Glyphs.Crumb
	}
	return before + after
}

func (t Tabs) layoutIn(lk *style.Look, w int) []Tab {
	from, to := 0, len(t.Names)
	out := t.layoutRange(lk, from, to)
	for out[len(out)-1].To > w && len(out) > 1 {
		if t.Current-from >= to-1-t.Current {
			from++
		} else {
			to--
		}
		out = t.layoutRange(lk, from, to)
	}
	available := w - out[len(out)-1].To
	name := func(tab *Tab) {
		if name := t.Names[tab.Page] + " "; tab.Page != t.Current && style.Width(name) <= available {
			tab.text += name
			available -= style.Width(name)
		}
	}
	for i := range out {
		if out[i].Page == t.PriorityPage {
			name(&out[i])
		}
	}
	x := 0
	for i := range out {
		tab := &out[i]
		if tab.Page != t.PriorityPage {
			name(tab)
		}
		tab.From, tab.To = x, x+style.Width(tab.text)
		x = tab.To
	}
	return out
}

// layoutRange returns the tabs of the pages in the range [from, to). Only the tab of the current
// page has a name.
func (t Tabs) layoutRange(lk *style.Look, from, to int) []Tab {
	out := make([]Tab, 0, to-from)
	x := 0
	for p := from; p < to; p++ {
		text := " " + t.key(lk, p) + " "
		if p == t.Current {
			text += t.Names[p] + " "
		}
		w := style.Width(text)
		out = append(out, Tab{Page: p, text: text, From: x, To: x + w})
		x += w
	}
	return out
}

// key returns the key of a page as shown on its tab.
func (t Tabs) key(lk *style.Look, page int) string {
	if k := t.Keys[page]; k != "" {
		return k
	}
	return lk.Glyphs.Dot
}

func (t Tabs) draw(m *Frame) string {
	lk := m.Look
	l := style.NewLine(m.Width, lk.Glyphs.Ellipsis)
	tabs := t.Layout(lk, m.Width)
	for _, tab := range tabs {
		switch {
		case tab.Page != t.Current:
			l.Add(lk.Style(themes.Dim), tab.text)
		case lk.Mono:
			l.Add(lk.Style(themes.Selection), "["+strings.TrimSpace(tab.text)+"]")
		default:
			l.Add(lk.Style(themes.Selection), tab.text)
		}
	}
	if sign := t.moreSign(lk, tabs); sign != "" {
		l.Space(themes.Style{}, l.RemainingWidth()-style.Width(sign)-1).Add(lk.Style(themes.Accent), sign)
	}
	return l.Finish(themes.Style{})
}
