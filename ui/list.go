package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// list is a page of one table or several, one above the other.
type list struct {
	name  string
	panes []*pane
	at    int // the pane that has the keyboard
	keys  *KeyMap
}

func newList(name string, keys *KeyMap, panes ...*pane) *list {
	l := &list{name: name, panes: panes, keys: keys}
	l.focus(0)
	return l
}

func (l *list) focus(at int) {
	l.at = at
	for i, p := range l.panes {
		if i == at {
			p.table.Focus()
		} else {
			p.table.Blur()
		}
	}
}

func (l *list) crumb(*scene) string { return l.name }

// status is that of the only table; several have headings of their own.
func (l *list) status(sc *scene) standing {
	if len(l.panes) > 1 {
		return standing{}
	}
	return l.panes[0].status(sc)
}

func (l *list) tables() int { return len(l.panes) }

func (l *list) focused() *pane { return l.panes[l.at] }

func (l *list) subs() []string {
	var out []string
	for _, p := range l.panes {
		out = append(out, p.subs...)
	}
	return out
}

func (l *list) refresh(sc *scene) {
	for _, p := range l.panes {
		p.refresh(sc)
	}
}

func (l *list) restyle(sc *scene) {
	for _, p := range l.panes {
		p.restyle(sc)
	}
}

func (l *list) flashing() bool {
	for _, p := range l.panes {
		if p.table.Flashing() {
			return true
		}
	}
	return false
}

func (l *list) update(_ *scene, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if len(l.panes) > 1 && key.Matches(msg, l.keys.NextTable) {
			l.focus((l.at + 1) % len(l.panes))
			return nil
		}
		return l.focused().table.Update(msg)
	case tea.MouseClickMsg:
		return l.click(msg)
	case tea.MouseWheelMsg:
		for _, p := range l.panes {
			p.table.Update(msg)
		}
	}
	return nil
}

func (l *list) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button != tea.MouseLeft {
		return nil
	}
	for i, p := range l.panes {
		if cmd, ok := p.click(msg.X, msg.Y); ok {
			l.focus(i)
			return cmd
		}
	}
	return nil
}

func (l *list) view(sc *scene, x, y, w, h int) []string {
	n := len(l.panes)
	if n == 1 {
		return l.panes[0].view(sc, x, y, w, h)
	}
	out := make([]string, 0, h)
	for i, p := range l.panes {
		room := (h - len(out)) / (n - i)
		if room <= 1 {
			continue
		}
		rows := p.view(sc, x, y+len(out)+1, w, room-1)
		out = append(out, sc.headingAt(w, capital(p.noun), p.status(sc), i == l.at))
		out = append(out, rows...)
	}
	return out
}

// capital returns an English word with a capital letter.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
