package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/words"
	"wallboard/ui/dialog"
	"wallboard/ui/table"
)

// viewSaver saves the theme and language of a board and the page and filters of its first floor, so that the
// viewer's next session begins with them. A nil viewSaver saves nothing.
type viewSaver struct {
	board        *Model
	floor        *floorState
	lastCompared time.Time // when the board was last compared with the saved view, on the board's clock
}

// restoreView restores the page, the theme, the language and the filters of the viewer's last session on the live
// board. A configured start page, or a theme configured since then, has precedence. It returns the
// board's viewSaver, or nil for a kiosk, a replay, and a board that does not save layouts.
func (m *Model) restoreView() *viewSaver {
	sc := m.shownFloor.scene
	view, ok := sc.Navigation.Tables.View()
	if !ok || sc.kiosk != nil || m.shownFloor.replay != nil {
		return nil
	}
	if m.themeSelector.CanChoose(view.Theme) && view.ConfiguredTheme == sc.configuredTheme() {
		m.shownFloor.useLook(m.themeSelector.Choose(view.Theme, sc.look.Options))
	}
	if l, ok := words.AvailableLanguages.Lookup(view.Language); ok {
		look := sc.look.Options
		look.Words = l
		m.shownFloor.useLook(look)
	}
	m.shownFloor.pages.RestoreFilters(view.Filters, func(page string) {
		sc.Navigation.Tables.AddMessage(sc.translate(words.BoardLastFilter(page, m.shownFloor.keys.Back.Help().Key)))
	})
	if page, ok := m.shownFloor.pages.FindPage(view.Page); ok && sc.Navigation.StartPage == "" {
		m.shownFloor.pages.Current = page
	}
	m.restyle()
	return &viewSaver{board: m, floor: m.liveFloor}
}

// saveIfDue returns the result of [viewSaver.save], but at most once a second. Otherwise, and while
// the floor is hidden, it returns nil.
func (k *viewSaver) saveIfDue() tea.Cmd {
	if k == nil || !k.floor.isShown() {
		return nil
	}
	if now := k.floor.scene.Now(); now.Sub(k.lastCompared).Abs() >= time.Second {
		k.lastCompared = now
		return k.save()
	}
	return nil
}

// save returns a command that saves the viewer's page, theme, language and filters. It returns nil if none of
// them has changed since the last save.
func (k *viewSaver) save() tea.Cmd {
	if k == nil {
		return nil
	}
	m := k.floor
	last, _ := m.scene.Navigation.Tables.View()
	view := table.SavedView{Page: m.pages.NameOf(m.pages.Current), Filters: m.pages.Filters(last.Filters), Theme: k.board.themeSelector.Chosen()}
	if view.Theme != "" {
		view.ConfiguredTheme = m.scene.configuredTheme()
	}
	if l := m.scene.look.Words; l != m.scene.Display.Language {
		view.Language = l.Tag()
	}
	if view.Equal(&last) {
		return nil
	}
	save, tell := m.scene.Navigation.Tables.SaveView(view), m.scene.translate
	return dialog.RecoverPanic(func() tea.Msg {
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
