package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/model/past"
	"wallboard/ui/palette"
	"wallboard/ui/table"
)

// pastKeys are the keys of the page about the past.
type pastKeys struct {
	View    key.Binding
	Earlier key.Binding
	Later   key.Binding
	Today   key.Binding
	Search  key.Binding
	Span    key.Binding
	By      key.Binding
	Again   key.Binding
	CSV     key.Binding
	JSON    key.Binding
}

func defaultPastKeys(bind func(help, does string, keys ...string) key.Binding) pastKeys {
	return pastKeys{
		View:    bind("tab", "next view", "tab", "shift+tab"),
		Earlier: bind(",", "earlier", ","),
		Later:   bind(".", "later", "."),
		Today:   bind("n", "today", "n", "home"),
		Search:  bind("/", "search, go to a day", "/", "f"),
		Span:    bind("m", "weeks, month", "m"),
		By:      bind("b", "group otherwise", "b"),
		Again:   bind("r", "ask again", "r"),
		CSV:     bind("e", "export as CSV", "e"),
		JSON:    bind("E", "export as JSON", "E"),
	}
}

func (k *pastKeys) all() []key.Binding {
	return []key.Binding{k.View, k.Earlier, k.Later, k.Today, k.Search, k.Span, k.By, k.Again, k.CSV, k.JSON}
}

// help returns the keys that matter on the page now.
func (p *pastPage) help(sc *scene) []key.Binding {
	k := &p.keys.Past
	if sc.History == nil {
		return nil
	}
	out := []key.Binding{doing(k.View, "view")}
	if p.panel().phase == pastAsking {
		out = append(out, doing(p.keys.Back, "call off"))
	}
	switch p.showing {
	case pastDay:
		out = append(out, doing(p.keys.NextChannel, "kind"), k.Earlier, k.Later, doing(k.Search, "a day"))
	case pastHeat:
		out = append(out, doing(p.keys.NextChannel, "kind"), k.Earlier, k.Later, doing(k.Span, "weeks, month"))
	case pastGroups:
		out = append(out, doing(p.keys.NextChannel, "kind"), k.Earlier, k.Later, doing(k.Span, "day, month"))
	case pastCalls, pastPeople:
		out = append(out, doing(k.Search, "search"))
		if p.open != "" {
			out = append(out, p.keys.Back)
		} else if p.showing == pastCalls && p.panel().value != nil {
			out = append(out, doing(p.keys.Open, "steps"))
		}
	case numPastViews:
	}
	if sc.Save != nil && p.panel().value != nil {
		out = append(out, doing(k.CSV, "CSV"), doing(k.JSON, "JSON"))
	}
	return append(out, k.Again)
}

// pressPast obeys a key on the page about the past, and reports whether it did.
func (m *Model) pressPast(p *pastPage, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if m.scene.History == nil {
		return nil, false
	}
	if p.press(m.scene, msg) {
		return nil, true
	}
	switch k := &p.keys.Past; {
	case key.Matches(msg, k.Search):
		return m.askPast(p), true
	case key.Matches(msg, k.Again):
		return p.again(m.scene), true
	case key.Matches(msg, k.CSV):
		return m.export(p, exportCSV), true
	case key.Matches(msg, k.JSON):
		return m.export(p, exportJSON), true
	}
	return nil, false
}

// press obeys the keys that need nothing but the page.
func (p *pastPage) press(sc *scene, msg tea.KeyPressMsg) bool {
	k, t := &p.keys.Past, p.lists[p.showing]
	switch {
	case key.Matches(msg, k.View) && msg.String() == "tab":
		p.turnView(int(p.showing) + 1)
	case key.Matches(msg, k.View):
		p.turnView(int(p.showing) - 1)
	case key.Matches(msg, p.keys.Back):
		return p.back()
	case t != nil:
		return p.pressList(t, msg)
	case key.Matches(msg, k.Earlier):
		p.turnDay(sc, -1)
	case key.Matches(msg, k.Later):
		p.turnDay(sc, 1)
	case key.Matches(msg, k.Today):
		p.day = past.StartOfDay(p.today(sc), 1) // and back from there
		p.turnDay(sc, 0)
	case key.Matches(msg, k.Span):
		p.turnSpan()
	case key.Matches(msg, k.By):
		p.by++
	case key.Matches(msg, table.DefaultKeyMap().LineUp) && p.showing == pastDay:
		p.turnKind(-1)
	case key.Matches(msg, table.DefaultKeyMap().LineDown) && p.showing == pastDay:
		p.turnKind(1)
	default:
		return (p.showing == pastGroups || p.showing == pastHeat) && p.text.Scrolls(msg)
	}
	return true
}

// turnSpan shows the whole month, or more weeks.
func (p *pastPage) turnSpan() {
	p.month = p.month != (p.showing == pastGroups)
	if p.showing == pastHeat {
		p.weeks = (p.weeks + 1) % len(pastWeeks())
	}
}

// back calls off what is asked, else closes what is open.
func (p *pastPage) back() bool {
	switch {
	case p.panel().phase == pastAsking:
		p.panel().stop()
	case p.open != "":
		p.open = ""
		p.text.Top()
	default:
		return false
	}
	return true
}

// pressList obeys the keys of what a search has found.
func (p *pastPage) pressList(t *pastTable, msg tea.KeyPressMsg) bool {
	switch {
	case p.open != "":
		return p.text.Scrolls(msg)
	case key.Matches(msg, p.keys.Open) && p.showing == pastCalls:
		if id, ok := t.selected(); ok {
			p.open = id
			p.text.Top()
		}
	case key.Matches(msg, p.keys.Sort):
		t.sortNext()
	case key.Matches(msg, p.keys.Reverse) && msg.String() != "r":
		t.sortReverse()
	default:
		m := t.table.KeyMap
		if !key.Matches(msg, m.LineUp, m.LineDown, m.PageUp, m.PageDown, m.GotoTop, m.GotoBottom) {
			return false
		}
		t.table.Update(msg)
	}
	return true
}

// pastCommands go straight to a view of the past.
func (m *Model) pastCommands() []palette.Command {
	out := make([]palette.Command, 0, numPastViews)
	for v := range numPastViews {
		out = append(out, palette.Command{Name: "history " + strings.ToLower(v.String()), Run: func() tea.Cmd {
			m.pages.showStandard(pageHistory)
			if p, ok := m.pages.page().(*pastPage); ok {
				p.turnView(int(v))
			}
			return nil
		}})
	}
	return out
}
