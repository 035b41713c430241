package ui

import (
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/testkit"
	"wallboard/themes"
	"wallboard/ui/kiosk"
	"wallboard/ui/table"
)

// TestViewIsKept leaves a board on another page, with a theme and a filter, and finds them again on
// the next board. A configured page has precedence, and so has a theme configured since then.
func TestViewIsKept(t *testing.T) {
	t.Parallel()
	path := table.LayoutPath(filepath.Join(testkit.PrivateDir(t), "config.toml"))
	var all []themes.Theme
	for _, name := range themes.EmbeddedNames() {
		theme, err := themes.LoadEmbedded(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, theme)
	}
	var keeper *viewSaver
	open := func(change ...func(*Options)) *board {
		b := newBoard(t, 160, 45, append([]func(*Options){func(o *Options) {
			o.Navigation.Tables, o.Display.Theme, o.Display.Themes = table.OpenLayouts(path), all[0], all
		}}, change...)...)
		keeper = b.restoreView()
		b.pass(time.Second)
		return b
	}
	first := open()
	first.press("4")
	first.press("/")
	first.words("rossi")
	first.press("enter")
	first.setLook(first.themeSelector.Choose(all[1].Name, first.scene.look.Options))
	first.pass(time.Second)
	first.run(keeper.saveIfDue())
	if keeper.saveIfDue() != nil {
		t.Error("saved twice within a second")
	}
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "rossi") {
		t.Fatalf("saved: %s, %v", text, err)
	}

	again := open()
	keeperAgain := keeper
	again.pass(time.Second)
	again.says("rossi", "Page Agents: filter of your last session, esc removes it")
	if name := again.scene.look.Theme.Name; name != all[1].Name {
		t.Errorf("the theme is %s, want %s", name, all[1].Name)
	}
	for name, change := range map[string]func(*Options){
		"configured page": func(o *Options) { o.Navigation.StartPage = "Services" },
		"kiosk":           func(o *Options) { o.Kiosk = &kiosk.Options{} },
	} {
		b := open(change)
		if page := b.pages.NameOf(b.pages.Current); page == "Agents" {
			t.Errorf("%s: page %s", name, page)
		}
	}
	b := open(func(o *Options) { o.Display.Theme = all[2] })
	if name := b.scene.look.Theme.Name; name != all[2].Name {
		t.Errorf("the theme is %s, want the newly configured %s", name, all[2].Name)
	}

	again.press("esc")
	again.run(keeperAgain.save())
	open().hides("rossi")
}

// TestKeptThemeOnLightTerminal checks that a kept theme stays when the terminal reports a light
// background, and that a saved theme that no longer exists does not prevent the board from choosing a
// theme by the background.
func TestKeptThemeOnLightTerminal(t *testing.T) {
	t.Parallel()
	var all []themes.Theme
	for _, name := range themes.EmbeddedNames() {
		theme, err := themes.LoadEmbedded(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, theme)
	}
	for kept, want := range map[string]string{all[2].Name: all[2].Name, "gone": all[1].Name} {
		path := table.LayoutPath(filepath.Join(testkit.PrivateDir(t), "config.toml"))
		if err := table.OpenLayouts(path).SaveView(table.SavedView{Theme: kept, ConfiguredTheme: all[0].Name + " or " + all[1].Name})(); err != nil {
			t.Fatal(err)
		}
		b := newBoard(t, 80, 24, func(o *Options) {
			o.Navigation.Tables = table.OpenLayouts(path)
			o.Display.Theme, o.Display.LightTheme, o.Display.Themes = all[0], all[1], all
		})
		b.restoreView()
		b.run(b.themeSelector.QueryBackground())
		b.send(tea.BackgroundColorMsg{Color: color.White})
		if name := b.scene.look.Theme.Name; name != want {
			t.Errorf("kept %s: the theme is %s, want %s", kept, name, want)
		}
	}
}

// TestBreaksOnTinyScreen draws the page Breaks at every height, also below the minimum.
func TestBreaksOnTinyScreen(t *testing.T) {
	t.Parallel()
	for _, width := range []int{40, 80, 160} {
		b := newBoard(t, width, 24)
		b.press("B")
		for h := -2; h < 24; h++ {
			_ = b.Page().View(b.scene.paneScene(), 0, 0, width, h)
		}
	}
}
