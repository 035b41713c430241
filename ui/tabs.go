package ui

import (
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"

	"wallboard/themes"
	"wallboard/ui/look"
	"wallboard/ui/panes"
	"wallboard/ui/table"
)

// DefaultPages are the pages of a board whose configuration has none: the
// standard ones.
func DefaultPages() []panes.PageSpec {
	out := make([]panes.PageSpec, numPages)
	for p := range numPages {
		out[p] = panes.PageSpec{Name: p.String(), Builtin: p.String()}
	}
	return out
}

// completePages adds to pages what no board may be without: what is wrong, and
// what the figures are worth.
func completePages(specs []panes.PageSpec) []panes.PageSpec {
	if len(specs) == 0 {
		return DefaultPages()
	}
	out := slices.Clone(specs)
	for _, p := range []pageID{pageAlerts, pageFeed} {
		has := func(s panes.PageSpec) bool {
			return strings.EqualFold(s.Builtin, p.String()) || strings.EqualFold(s.Name, p.String())
		}
		if !slices.ContainsFunc(out, has) {
			out = append(out, panes.PageSpec{Name: p.String(), Builtin: p.String()})
		}
	}
	return out
}

// makePages makes the pages of the options.
func (m *Model) makePages() {
	m.tabsOf = m.scene.Pages
	m.pages = make([]panes.Page, len(m.tabsOf))
	m.opened = make([][]*panes.Detail, len(m.tabsOf))
	for i, spec := range m.tabsOf {
		m.pages[i] = newPage(m.scene, m.keys, spec)
	}
	m.pageKeys = keysOf(m.tabsOf)
	m.keys.Page.SetKeys(slices.DeleteFunc(slices.Clone(m.pageKeys), func(k string) bool { return k == "" })...)
}

// keysOf returns the key of each page: its own, or its number if it is none of
// another page; "" where there is none.
func keysOf(specs []panes.PageSpec) []string {
	out := make([]string, len(specs))
	for i, s := range specs {
		out[i] = s.Key
	}
	for i := range min(len(out), 10) {
		if number := strconv.Itoa((i + 1) % 10); out[i] == "" && !slices.Contains(out, number) {
			out[i] = number
		}
	}
	return out
}

// PageKeys returns the keys that a page may be given: those that nothing else
// needs.
func PageKeys() []string {
	keys := DefaultKeyMap()
	rows := table.DefaultKeyMap()
	groups := append(keys.FullHelp(), []key.Binding{rows.LineUp, rows.LineDown, rows.PageUp, rows.PageDown, rows.GotoTop, rows.GotoBottom})
	var taken []string
	for _, g := range groups {
		for _, b := range g {
			if !slices.Equal(b.Keys(), keys.Page.Keys()) {
				taken = append(taken, b.Keys()...)
			}
		}
	}
	all := slices.Clone(keys.Page.Keys())
	for n := range 12 {
		all = append(all, "f"+strconv.Itoa(n+1))
	}
	for c := 'a'; c <= 'z'; c++ {
		all = append(all, string(c))
	}
	for c := 'A'; c <= 'Z'; c++ {
		all = append(all, string(c))
	}
	return slices.DeleteFunc(all, func(k string) bool { return slices.Contains(taken, k) })
}

// pageOfKey returns the page that a key goes to, -1 for none.
func (m *Model) pageOfKey(pressed string) pageID {
	return pageID(slices.Index(m.pageKeys, pressed))
}

// pageNamed returns the page with a name, whatever its case.
func (m *Model) pageNamed(name string) (pageID, bool) {
	at := slices.IndexFunc(m.tabsOf, func(s panes.PageSpec) bool { return strings.EqualFold(s.Name, name) })
	return pageID(max(at, 0)), at >= 0
}

// showStandard goes to a standard page, or to the first where it is not among
// the pages.
func (m *Model) showStandard(p pageID) {
	is := func(s panes.PageSpec) bool { return strings.EqualFold(s.Builtin, p.String()) }
	m.show(pageID(max(slices.IndexFunc(m.tabsOf, is), 0)))
}

// beside returns the page by places after the present one, round and round.
func (m *Model) beside(by int) pageID {
	n := len(m.pages)
	return pageID((int(m.current) + by + n) % n)
}

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
	from, to := 0, len(m.pages)
	out := m.tabsFrom(from, to)
	for out[len(out)-1].to > w && len(out) > 1 {
		if int(m.current)-from >= to-1-int(m.current) {
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
		if name := m.tabsOf[t.page].Name + " "; t.page != m.current && look.Width(name) <= room {
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
		if p == m.current {
			text += m.tabsOf[p].Name + " "
		}
		w := look.Width(text)
		out = append(out, tab{page: p, text: text, x: x, to: x + w})
		x += w
	}
	return out
}

// tabKey is the key of a page as its tab says it.
func (m *Model) tabKey(p pageID) string {
	if k := m.pageKeys[p]; k != "" {
		return k
	}
	return m.scene.look.Glyphs.Dot
}

func (m *Model) tabLine(w int) string {
	return m.tabs.line(m.scene, w, func() string { return m.drawTabs(w) }, m.current)
}

func (m *Model) drawTabs(w int) string {
	sc := m.scene
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	for _, t := range m.layTabs(w) {
		switch {
		case t.page != m.current:
			l.Add(sc.look.Style(themes.Dim), t.text)
		case sc.look.Mono:
			l.Add(sc.look.Style(themes.Selection), "["+strings.TrimSpace(t.text)+"]")
		default:
			l.Add(sc.look.Style(themes.Selection), t.text)
		}
	}
	return l.End(themes.Style{})
}

// newPage returns the page of a spec.
func newPage(sc *scene, keys *KeyMap, spec panes.PageSpec) panes.Page {
	switch p, ok := standardPage(spec.Builtin); {
	case !ok:
		return panes.NewPage(sc.panes(), keys.NextTable, spec)
	case p == pageHistory:
		return newPastPage(sc, keys)
	default:
		return panes.NewPage(sc.panes(), keys.NextTable, panes.Standard(p.String()))
	}
}

// standardPage returns the standard page with a name, whatever its case.
func standardPage(name string) (pageID, bool) {
	for p := range numPages {
		if strings.EqualFold(p.String(), name) {
			return p, true
		}
	}
	return 0, false
}
