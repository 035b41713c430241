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
// tabs have names if all names fit, shortened to a few letters if necessary; otherwise they have
// only a key. If not even the keys fit, or hardly any name would fit, only pages near the current
// page have a tab. The last cells are then left free for a sign.
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
		before = lk.Glyphs.Before
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
	cut := t.fitNames(out, available)
	if cut == (nameLengths{}) && t.namesWidth(out, cut) > available { // tabs with only a digit are useless
		if few := t.nearest(lk, from, to, w); few != nil {
			out, cut = few, shortestNames
			available = w - out[len(out)-1].To
		}
	}
	name := func(tab *Tab) {
		if name := cut.cutName(t, tab.Page) + " "; tab.Page != t.Current && style.Width(name) <= available {
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

// nameLengths holds the numbers of letters that page names are shortened to: priority for the name
// of [Tabs.PriorityPage], others for all other names. Zero means that names are not shortened.
type nameLengths struct{ priority, others int }

// shortestNames holds the smallest numbers of letters that names are shortened to.
var shortestNames = nameLengths{4, 3}

// fitNames returns the largest lengths at which all names fit into the available cells. It returns
// the zero value if the names fit without being shortened, or if they do not fit at all.
func (t Tabs) fitNames(tabs []Tab, available int) nameLengths {
	for _, c := range []nameLengths{{0, 0}, {0, 4}, {0, 3}, shortestNames} {
		if t.namesWidth(tabs, c) <= available {
			return c
		}
	}
	return nameLengths{}
}

// namesWidth returns the width of the names on all tabs except that of the current page.
func (t Tabs) namesWidth(tabs []Tab, c nameLengths) int {
	need := 0
	for _, tab := range tabs {
		if tab.Page != t.Current {
			need += style.Width(c.cutName(t, tab.Page)) + 1
		}
	}
	return need
}

// nearest returns the tabs of the current page and of pages near it, among the pages in the range
// [from, to). It returns as many as fit with short names, or nil if fewer than three fit.
func (t Tabs) nearest(lk *style.Look, from, to, w int) []Tab {
	for to-from >= 3 {
		out := t.layoutRange(lk, from, to)
		if out[len(out)-1].To+t.namesWidth(out, shortestNames) <= w {
			return out
		}
		if t.Current-from >= to-1-t.Current {
			from++
		} else {
			to--
		}
	}
	return nil
}

// cutName returns the name of a page, shortened to the length in c. Names of up to four letters are
// not shortened.
func (c nameLengths) cutName(t Tabs, page int) string {
	const least = 4
	name, letters := t.Names[page], c.others
	if page == t.PriorityPage {
		letters = c.priority
	}
	if runes := []rune(name); letters > 0 && len(runes) > max(letters, least) {
		return strings.TrimSpace(string(runes[:letters]))
	}
	return name
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
		l.Space(themes.Style{}, l.Room()-style.Width(sign)-1).Add(lk.Style(themes.Accent), sign)
	}
	return l.End(themes.Style{})
}
