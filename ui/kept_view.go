package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/ui/dialog"
	"wallboard/ui/table"
)

// viewKeeper saves the page, the theme and the filters of a board for the viewer's next session. A
// nil viewKeeper saves nothing.
type viewKeeper struct {
	board     *Model
	checkedAt time.Time // when the board was last compared with what is saved
}

// keepView restores on the live board how the viewer left it, and returns its viewKeeper. The
// configured page and a theme configured since then have precedence. It returns nil for a kiosk, a
// replay, and a board whose layouts are not saved.
func (v *Viewer) keepView() *viewKeeper {
	m := v.live
	sc := m.scene
	view, ok := sc.Navigation.Tables.View()
	if !ok || sc.kiosk != nil || m.replay != nil {
		return nil
	}
	if m.themer.CanChoose(view.Theme) && view.ConfiguredTheme == sc.configuredTheme() {
		sc.setLook(m.themer.Choose(view.Theme, sc.look.Options))
	}
	m.pages.RestoreFilters(view.Filters, func(page string) {
		sc.Navigation.Tables.Say("Page " + page + ": filter of your last session, " + m.keys.Back.Help().Key + " removes it")
	})
	if page, ok := m.pages.Named(view.Page); ok && sc.Navigation.StartPage == "" {
		m.pages.Current = page
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
	last, _ := m.scene.Navigation.Tables.View()
	view := table.View{Page: m.pages.NameOf(m.pages.Current), Filters: m.pages.Filters(last.Filters), Theme: m.themer.Chosen()}
	if view.Theme != "" {
		view.ConfiguredTheme = m.scene.configuredTheme()
	}
	if view.Equal(&last) {
		return nil
	}
	save := m.scene.Navigation.Tables.SaveView(view)
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
	if sc.Display.LightTheme.Name != "" {
		return sc.Display.Theme.Name + " or " + sc.Display.LightTheme.Name
	}
	return sc.Display.Theme.Name
}
