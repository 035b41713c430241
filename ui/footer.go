package ui

import (
	"strconv"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/themes"
	"wallboard/ui/chrome"
	"wallboard/ui/history"
	"wallboard/ui/look"
	"wallboard/ui/render"
)

// footer is the last line: the prompt, a message, or the keys.
func (m *Model) footer(now *chrome.Moment) string {
	sc, w := m.scene, now.Width
	if sc.wall != nil {
		return sc.wall.Footer(now)
	}
	bar := sc.look.Style(themes.StatusBar)
	l := look.NewLine(w, sc.look.Glyphs.Ellipsis)
	switch {
	case m.filter.on:
		return m.filter.line(sc.look, w)
	case now.Notice != "":
		return l.Add(sc.look.OnBar(themes.Accent), " "+render.WholeWords(now.Notice, w-2, sc.ASCII)).End(bar)
	case m.dialogs.Top() != nil:
		return sc.look.BarHints(l, m.dialogs.Hints()...).End(bar)
	case m.mode == modePalette:
		return m.scene.look.BarHints(l, look.Hint{Key: "enter", Does: "run"}, look.Hint{Key: "esc", Does: "close"}, look.Hint{Key: "tab", Does: "complete"}).End(bar)
	case m.mode == modeHelp:
		return m.scene.look.BarHints(l, look.Hint{Key: "esc", Does: "close"}, look.Hint{Key: "ctrl+c", Does: "quit"}).End(bar)
	}
	return m.around.Hints(now, m.shortHelp(), m.keys.Help, m.keys.Quit)
}

// shortHelp returns the keys that matter here and now.
func (m *Model) shortHelp() []key.Binding {
	k := m.keys
	out := make([]key.Binding, 0, 8)
	if p, ok := m.pages.page().(*history.Page); ok {
		return append(p.Help(), look.Doing(k.Palette, "commands"))
	}
	if m.pages.detail() != nil {
		out = append(out, k.Back)
	}
	if p := m.pages.page().Focused(); p != nil {
		if p.Filter != "" {
			out = []key.Binding{look.Doing(k.Back, "clear filter")}
		}
		if p.Target != nil || p.Jump != nil {
			out = append(out, k.Open)
		}
		out = append(out, k.Filter, look.Doing(k.Sort, "sort"))
	} else if _, _, _, ok := m.pages.page().Pointed(); ok {
		out = append(out, k.Open)
	}
	if len(m.alertsHere()) > 0 {
		out = append(out, look.Doing(k.Why, "why"))
		if p := m.pages.page().Focused(); p != nil && p.Alerts {
			out = append(out, look.Doing(k.Acknowledge, "take over"))
		}
	}
	if m.pages.target(&m.scene.floor).Some() && k.Act.Actions.Enabled() {
		out = append(out, k.Act.Actions)
	}
	if m.pages.page().Tables() > 1 {
		out = append(out, k.NextTable)
	}
	freeze := "freeze"
	if !m.scene.floor.Frozen.IsZero() {
		freeze = "thaw"
	}
	return append(out, look.Doing(k.NextChannel, "channel"), look.Doing(k.Freeze, freeze), look.Doing(k.Palette, "commands"))
}

// cursor returns where the terminal's cursor is, nil where nobody types.
func (m *Model) cursor() *tea.Cursor {
	if m.width < minWidth || m.height < minHeight {
		return nil
	}
	if m.dialogs.Top() != nil {
		return m.dialogs.Cursor()
	}
	switch {
	case m.filter.on:
		return m.filter.cursor(m.width, m.height)
	case m.mode == modePalette:
		return m.palette.Cursor(m.width, m.height)
	}
	return nil
}

func itoa(n int) string { return strconv.Itoa(n) }
