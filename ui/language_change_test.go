package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"wallboard/internal/words"
	"wallboard/ui/dialog"
	"wallboard/ui/pages"
	"wallboard/ui/panes"
	"wallboard/ui/uitest"
)

// TestLanguageCommand runs the command for a language, which the palette offers for each language.
func TestLanguageCommand(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, func(o *Options) { o.Display.Language = words.PseudoLanguage() })
	index := slices.IndexFunc(b.commands(), func(c dialog.Command) bool { return strings.Contains(c.Name, "English (original)") })
	if index < 0 {
		t.Fatal("there is no command for English")
	}
	b.run(b.commands()[index].Run())
	b.pass(time.Second)
	b.says("Overview", "Language: English", "enter open")
}

// TestLanguageChange changes the language of a board whose pages are already drawn. The board then shows
// the same texts as a board that has had the language from the beginning.
func TestLanguageChange(t *testing.T) {
	t.Parallel()
	l := words.PseudoLanguage()
	changed, fresh := newBoard(t, 160, 50), newBoard(t, 160, 50, func(o *Options) { o.Display.Language = l })
	screens := make([][]string, 0, pages.StandardCount)
	for p := range pages.StandardCount {
		screens = append(screens, []string{pageKey(p)})
	}
	screens = append(screens, []string{"4", "b"}, []string{"b"}, []string{"2", "enter"}, []string{"esc", "?"}, []string{"esc", ":"}, []string{"esc", "3", "enter"}, []string{"esc", "4", "enter"})
	visit := func(b *board) {
		for _, keys := range screens {
			b.press(keys...)
		}
		b.press("esc", "esc", "1")
	}
	visit(changed)
	visit(fresh)
	o := changed.scene.look.Options
	o.Words = l
	changed.setLook(o)
	for _, b := range []*board{changed, fresh} {
		b.pass(time.Second)
	}
	for _, keys := range screens {
		changed.press(keys...)
		fresh.press(keys...)
		if got, want := changed.text(), fresh.text(); got != want {
			t.Errorf("%q: after the change of the language:\n%s\nwant:\n%s", keys, got, want)
		}
	}
}

// TestLanguageOfGroups changes the language while a map and a table show groups.
func TestLanguageOfGroups(t *testing.T) {
	t.Parallel()
	l, f := words.PseudoLanguage(), newTestFloor(12)
	for i := range 12 {
		u := *f.Users.Get(uitest.AgentName(i))
		u.Skillsets = nil
		f.Users.Put(&u)
	}
	b := newBoardOn(t, f, 120, 40, paged(panes.RowSpec{Panes: []panes.PaneSpec{{Kind: "map", GroupBy: "group"}}}, row("agents")))
	b.press("tab", "b", "b") // group the table by state
	noGroup, ready := words.ViewNoGroup(), words.StateReady()
	b.says(noGroup.In(nil), ready.In(nil))
	b.speak(l)
	b.says(noGroup.In(l), ready.In(l))
	b.lacks(noGroup.In(nil))
}
