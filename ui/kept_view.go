package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/panes"
	"wallboard/ui/table"
)

// viewKeeper saves the page, the theme and the filters of a board for the viewer's next session. A
// nil viewKeeper saves nothing.
type viewKeeper struct {
	board     *Model
	checkedAt time.Time // when the board was last compared with what is saved
}

// newViewKeeper restores on a board how the viewer left it. The configured page and a theme
// configured since then have precedence. It returns nil for a kiosk, a replay, and a board whose
// layouts are not saved.
func newViewKeeper(m *Model) *viewKeeper {
	sc := m.scene
	view, ok := sc.Tables.View()
	if !ok || sc.kiosk != nil || m.replay != nil {
		return nil
	}
	if view.Theme != "" && view.ConfiguredTheme == sc.configuredTheme() {
		m.themer.selectTheme(view.Theme)
		m.themer.chosen = view.Theme
	}
	create := m.pages.create
	m.pages.create = func(spec panes.PageSpec) panes.Page {
		page := create(spec)
		if p, ok := page.(*panes.PanePage); ok && len(view.Filters[spec.Name]) > 0 {
			p.SetFilters(view.Filters[spec.Name])
			sc.Tables.Say("Page " + spec.Name + ": filter of your last session, " + m.keys.Back.Help().Key + " removes it")
		}
		return page
	}
	m.pages.created = make([]panes.Page, len(m.pages.specs)) // without the page that New has drawn
	if page, ok := m.pages.pageNamed(view.Page); ok && sc.StartPage == "" {
		m.pages.current = page
	}
	m.restyle()
	return &viewKeeper{board: m}
}

// saveDue returns the command of save, once a second while the board is on the screen.
func (k *viewKeeper) saveDue() tea.Cmd {
	if k == nil || k.board.hidden {
		return nil
	}
	if now := k.board.scene.Now(); now.Sub(k.checkedAt).Abs() >= time.Second {
		k.checkedAt = now
		return k.save()
	}
	return nil
}

// save returns the command that saves what the viewer has chosen, or nil if nothing has changed
// since it was last saved.
func (k *viewKeeper) save() tea.Cmd {
	if k == nil {
		return nil
	}
	m := k.board
	last, _ := m.scene.Tables.View()
	view := table.View{Page: m.pages.pageName(m.pages.current), Filters: make(map[string]map[string]string)}
	if m.themer.chosen != "" {
		view.Theme, view.ConfiguredTheme = m.themer.chosen, m.scene.configuredTheme()
	}
	for i, spec := range m.pages.specs {
		filters := last.Filters[spec.Name] // of a page that was not opened in this session
		if p, ok := m.pages.created[i].(*panes.PanePage); ok {
			filters = p.Filters()
		}
		if len(filters) > 0 {
			view.Filters[spec.Name] = filters
		}
	}
	if view.Equal(&last) {
		return nil
	}
	save := m.scene.Tables.SaveView(view)
	return dialog.Guard(func() tea.Msg {
		if err := save(); err != nil {
			return dialog.NoticeMsg{Text: "The page, theme and filters are not kept for your next session: " + err.Error()}
		}
		return nil
	})
}

// configuredTheme identifies the configured theme, or the pair of which the terminal's background
// selects one.
func (sc *scene) configuredTheme() string {
	if sc.LightTheme.Name != "" {
		return sc.Theme.Name + " or " + sc.LightTheme.Name
	}
	return sc.Theme.Name
}
