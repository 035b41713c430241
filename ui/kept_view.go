package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/ui/dialog"
	"wallboard/ui/table"
)

// viewKeeper saves the theme and language of a board and the page and filters of its first floor, so that the
// viewer's next session begins with them. A nil viewKeeper saves nothing.
type viewKeeper struct {
	board     *Model
	floor     *floorState
	checkedAt time.Time // when the board was last compared with the saved view, on the board's clock
}

// keepView restores the page, the theme, the language and the filters of the viewer's last session on the live
// board. A configured start page, or a theme configured since then, has precedence. It returns the
// board's viewKeeper, or nil for a kiosk, a replay, and a board that does not save layouts.
func (m *Model) keepView() *viewKeeper {
	sc := m.shown.scene
	view, ok := sc.Navigation.Tables.View()
	if !ok || sc.kiosk != nil || m.shown.replay != nil {
		return nil
	}
	if m.themer.CanChoose(view.Theme) && view.ConfiguredTheme == sc.configuredTheme() {
		m.shown.useLook(m.themer.Choose(view.Theme, sc.look.Options))
	}
	if l, ok := words.Offered.Lookup(view.Language); ok {
		look := sc.look.Options
		look.Words = l
		m.shown.useLook(look)
	}
	m.shown.pages.RestoreFilters(view.Filters, func(page string) {
		sc.Navigation.Tables.Say(sc.tell(words.BoardLastFilter(page, m.shown.keys.Back.Help().Key)))
	})
	if page, ok := m.shown.pages.FindPage(view.Page); ok && sc.Navigation.StartPage == "" {
		m.shown.pages.Current = page
	}
	m.restyle()
	return &viewKeeper{board: m, floor: m.live}
}

// saveDue returns the result of [viewKeeper.save], but at most once a second. Otherwise, and while
// the floor is hidden, it returns nil.
func (k *viewKeeper) saveDue() tea.Cmd {
	if k == nil || !k.floor.isShown() {
		return nil
	}
	if now := k.floor.scene.Now(); now.Sub(k.checkedAt).Abs() >= time.Second {
		k.checkedAt = now
		return k.save()
	}
	return nil
}

// save returns a command that saves the viewer's page, theme, language and filters. It returns nil if none of
// them has changed since the last save.
func (k *viewKeeper) save() tea.Cmd {
	if k == nil {
		return nil
	}
	m := k.floor
	last, _ := m.scene.Navigation.Tables.View()
	view := table.View{Page: m.pages.NameOf(m.pages.Current), Filters: m.pages.Filters(last.Filters), Theme: k.board.themer.Chosen()}
	if view.Theme != "" {
		view.ConfiguredTheme = m.scene.configuredTheme()
	}
	if l := m.scene.look.Words; l != m.scene.Display.Language {
		view.Language = l.Tag()
	}
	if view.Equal(&last) {
		return nil
	}
	save, tell := m.scene.Navigation.Tables.SaveView(view), m.scene.tell
	return dialog.Guard(func() tea.Msg {
		if err := save(); err != nil {
			return dialog.NoticeMsg{Text: tell(words.BoardViewNotKept(words.TextOf(err)))}
		}
		return nil
	})
}

// configuredTheme returns the name of the configured theme. If the terminal's background selects
// one of two configured themes, it returns both names, as "dark or light".
func (sc *scene) configuredTheme() string {
	if sc.Display.LightTheme.Name != "" {
		return sc.Display.Theme.Name + " or " + sc.Display.LightTheme.Name
	}
	return sc.Display.Theme.Name
}
