package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"wallboard/internal/alert"
	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/themes"
	"wallboard/ui/dialog"
	"wallboard/ui/floorview"
	"wallboard/ui/pages"
	"wallboard/ui/render"
)

// pageKey returns the key of a standard page.
func pageKey(p pages.ID) string { return "1234567890B"[p : p+1] }

func TestPagesByKey(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	for p := range pages.StandardCount {
		b.press(pageKey(p))
		if b.pages.Current != p {
			t.Errorf("key %s leads to %v", pageKey(p), b.pages.Current)
		}
	}
	b.press("1", "]")
	if b.pages.Current != pages.Services {
		t.Errorf("] leads to %v", b.pages.Current)
	}
	b.press("[", "left")
	if b.pages.Current != pages.Breaks {
		t.Errorf("left of the first page is %v, want the last", b.pages.Current)
	}
	b.press("right")
	if b.pages.Current != pages.Overview {
		t.Errorf("right of the last page is %v, want the first", b.pages.Current)
	}
}

func TestTabSwitchesTablesWhereThereAreTwo(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("6", "tab")
	if b.pages.Current != pages.Attendants || b.pages.CurrentPage().Focused().Noun != "operators" {
		t.Errorf("tab leads to %v, %s", b.pages.Current, b.pages.CurrentPage().Focused().Noun)
	}
	b.press("enter")
	b.shows("Attendants and operators › Rossi Mario")
}

// TestTabGoesToEveryTableOfTheOverview checks that tab reaches every visible table and
// opens its selection.
func TestTabGoesToEveryTableOfTheOverview(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 160, 45)
	for nouns := []string{"", "services", "campaigns", "groups", ""}; len(nouns) > 0; nouns = nouns[1:] {
		got := ""
		if table := b.pages.CurrentPage().Focused(); table != nil {
			got = table.Noun
		}
		if got != nouns[0] || b.pages.Current != pages.Overview {
			t.Errorf("the keyboard is at %q of page %v, want %q of the overview", got, b.pages.Current, nouns[0])
		}
		b.press("tab")
	}
	b.press("shift+tab", "shift+tab", "down", "enter")
	b.shows("Overview › ")
	if d := b.pages.TopDetail(); d == nil || d.Kind != floorview.Group {
		t.Errorf("opened %+v, want a group", d)
	}
}

// TestEscUndoesTheChannelOfAJump checks that esc, or leaving the page, restores the channel
// from before a jump. A channel that the viewer selects stays.
func TestEscUndoesTheChannelOfAJump(t *testing.T) {
	t.Parallel()
	jumped := func() *board {
		b := newBoard(t, 120, 40)
		b.press("7")
		b.openSubject(alert.Key{Scope: alert.Floor, Channel: model.Chat})
		if b.pages.Current != pages.Overview || b.scene.floor.Channel != model.Chat {
			t.Fatalf("the alert leads to %v on %s", b.pages.Current, b.scene.floor.Channel)
		}
		return b
	}
	for _, tt := range []struct {
		keys []string
		page pages.ID
		on   model.Channel
	}{
		{[]string{"esc"}, pages.Situations, model.Call},
		{[]string{"2", "esc"}, pages.Services, model.Call},
		{[]string{"enter", "esc", "esc"}, pages.Situations, model.Call},
		{[]string{"c", "C", "esc"}, pages.Situations, model.Chat},
	} {
		b := jumped()
		b.press(tt.keys...)
		if b.pages.Current != tt.page || b.scene.floor.Channel != tt.on {
			t.Errorf("%q leads to %v on %s, want %v on %s", tt.keys, b.pages.Current, b.scene.floor.Channel, tt.page, tt.on)
		}
	}
}

// TestNoTwinsByShift checks that no two keys that differ only by shift do different things,
// because shift is easily missed. Other characters are compared on a US keyboard, except
// the digits, which select pages.
func TestNoTwinsByShift(t *testing.T) {
	t.Parallel()
	alike := map[string]string{
		"s S":           "the order of the rows",
		"c C":           "the channel, on and back",
		"g G":           "the first row and the last",
		"e E":           "the same export in two forms",
		"tab shift+tab": "the pane, on and back",
		"[ {":           "the page, or view, before",
		"] }":           "the next one",
		"= +":           "a longer or shorter time",
		", <":           "back, and farther back",
		". >":           "on, and farther on",
		"/ ?":           "filter and help, as in every other program",
	}
	type does struct{ name, what string }
	var all []does
	for _, g := range pages.DefaultKeyMap(nil).Groups(nil) {
		for _, k := range g.Keys {
			for _, name := range k.Keys() {
				all = append(all, does{name, g.Title.In(nil) + ": " + k.Help().Desc})
			}
		}
	}
	const unshifted, withShift = "`-=[]\\;',./", `~_+{}|:"<>?`
	shifted := func(plain, other string) bool {
		if i := strings.Index(unshifted, plain); i >= 0 && len(plain) == 1 {
			return other == withShift[i:i+1]
		}
		return other == "shift+"+plain || len(plain) == 1 && plain != other && other == strings.ToUpper(plain)
	}
	met := map[string]bool{}
	for _, a := range all {
		for _, b := range all {
			if !shifted(a.name, b.name) {
				continue
			}
			pair := a.name + " " + b.name
			met[pair] = true
			if alike[pair] == "" {
				t.Errorf("%s: %s, but %s: %s", a.name, a.what, b.name, b.what)
			}
		}
	}
	for pair := range alike {
		if !met[pair] {
			t.Errorf("%s is no pair of keys any more", pair)
		}
	}
}

func TestDrillDownAndBack(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("2")
	first := b.selected()
	name := b.scene.Names.NameOf(model.NameService, first)
	b.press("enter")
	b.shows("Services › " + name)
	b.shows("Service level on Calls")
	b.press("enter")
	b.shows("Services › " + name + " › ")
	b.shows("State on every channel")
	b.press("esc")
	b.shows("Service level on Calls")
	b.press("esc")
	b.hides("Services ›")
	if got := b.selected(); got != first {
		t.Errorf("the selection came back as %q, want %q", got, first)
	}
	b.press("5", "enter")
	b.shows("Campaigns › ")
	b.press("5")
	b.hides("Campaigns › ")
}

func TestDrillDownSaysWhenTheThingHasGone(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("2")
	first := b.selected()
	b.press("enter")
	b.floor.Services.Delete(model.ServiceKey{Code: first, Channel: model.Call})
	b.publish()
	b.shows(b.scene.Names.NameOf(model.NameService, first))
	if b.failure != nil {
		t.Fatal(b.failure)
	}
}

func TestSelectionStaysOnTheSameAgent(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 30)
	b.press("4", "down", "down", "down")
	want := b.selected()
	// Sorting by a column whose values change moves rows, but the selected row stays selected.
	b.press(":")
	b.words("sort by ans")
	b.press("enter")
	for step := range 20 {
		for i := range 60 {
			b.floor.putAgent(i, step*int(in(i, 9)))
		}
		b.publish()
		if got := b.selected(); got != want {
			t.Fatalf("after %d changes %q is selected, want %q", step, got, want)
		}
	}
	b.press("1", "2", "4", "c", "C", "S")
	if got := b.selected(); got != want {
		t.Errorf("after leaving and coming back %q is selected, want %q", got, want)
	}
}

func TestFilter(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("4", "/")
	b.words("rossi")
	b.shows("filter \"rossi\": 6 of 60")
	b.hides("Bianchi")
	b.press("enter")
	b.shows("Rossi Anna")
	b.press("q") // the filter no longer has the keyboard focus, so the key is not typed into it
	if !b.HasQuit {
		t.Error("q does not quit once the filter is kept")
	}
	b.press("esc")
	if l, _ := b.row("Rossi Anna"); !strings.HasPrefix(l, "│▌") {
		t.Error("the selection did not stay when the filter went")
	}

	b.press("/")
	b.words("nobody is called this")
	b.shows("filter \"nobody is called this\": 0 of 60")
	b.shows("No match for \"nobody is called this\" in 60 agents; esc clears the filter.")
	b.press("esc")
	if l, _ := b.row("Rossi Anna"); !strings.HasPrefix(l, "│▌") {
		t.Error("a filter that was given up moved the selection")
	}
}

func TestFilterOfWhatIsPasted(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("4", "/")
	b.send(tea.PasteMsg{Content: "ro\x1b[31mssi\u202e"})
	if strings.ContainsAny(b.pages.CurrentPage().Focused().Filter, "\x1b\u202e") {
		t.Errorf("the filter is %q", b.pages.CurrentPage().Focused().Filter)
	}
}

func TestFreeze(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("2", "p")
	b.shows("FROZEN 0:00")
	before, _ := b.row("Support Gold")
	b.floor.putService(2, model.Call, 1)
	b.pass(3 * time.Second)
	b.publish()
	b.shows("FROZEN 0:03", "feed live")
	b.hides("LIVE")
	b.hides("verified")
	b.shows("10:42:20")
	if after, _ := b.row("Support Gold"); after != before {
		t.Errorf("the frozen picture moved:\n%s\n%s", before, after)
	}
	b.press("p")
	b.hides("FROZEN")
	if after, _ := b.row("Support Gold"); after == before {
		t.Error("the picture did not go on")
	}
	b.press("space") // marks rows
	b.hides("FROZEN")
}

func TestDurationsStandStillWhileFrozen(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("4")
	before, _ := b.row("Bianchi Anna")
	b.pass(time.Second)
	running, _ := b.row("Bianchi Anna")
	if running == before {
		t.Error("time in state did not move")
	}
	b.press("p")
	b.pass(5 * time.Second)
	if frozen, _ := b.row("Bianchi Anna"); !slices.Equal(strings.Fields(frozen), strings.Fields(running)) {
		t.Errorf("time in state moved while frozen:\n%s\n%s", running, frozen)
	}
}

func TestFreezeNeedsAPicture(t *testing.T) {
	t.Parallel()
	b := newBoardOn(t, nil, 120, 40)
	b.press("p")
	b.shows("nothing to freeze yet")
	b.hides("FROZEN")
}

func TestDurationsStandStillWithoutConnection(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("4")
	before, _ := b.row("Bianchi Anna")
	b.link(func(l *model.Link) { l.State = model.LinkBackoff })
	b.pass(time.Minute)
	if after, _ := b.row("Bianchi Anna"); !slices.Equal(strings.Fields(after), strings.Fields(before)) {
		t.Errorf("time in state went on without a connection:\n%s\n%s", before, after)
	}
	b.link(func(l *model.Link) { l.State, l.LastFrame = model.LinkUp, b.Now })
	if after, _ := b.row("Bianchi Anna"); after == before {
		t.Error("time in state did not go on with the connection")
	}
}

func TestClickEndsTheFilterPrompt(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("4", "/")
	b.words("rossi")
	tabs, y := b.row("1 Overview", "4 Agents")
	b.click(strings.Index(tabs, "2 Services"), y)
	b.press("3")
	if b.pages.Current != pages.Groups {
		t.Errorf("a key after the click was typed into the filter; the page is %v", b.pages.Current)
	}
	if got := b.pages.Page(pages.Agents).Focused().Filter; got != "rossi" {
		t.Errorf("the filter is %q", got)
	}
}

func TestOwnThemeStaysAmongTheOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "own.toml"), []byte("extends = \"dark\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	library, err := themes.OpenLibrary(dir)
	if err != nil {
		t.Fatal(err)
	}
	own, err := library.Load("own")
	if err != nil {
		t.Fatal(err)
	}
	b := newBoard(t, 80, 24, func(o *Options) { o.Display.Theme = own })
	for range len(themes.EmbeddedNames()) {
		b.nextTheme()
		if b.scene.look.Theme.Name == "own" {
			t.Fatal("it came back too early")
		}
	}
	b.nextTheme()
	if b.scene.look.Theme.Name != "own" {
		t.Errorf("the last one is %q", b.scene.look.Theme.Name)
	}
}

func TestSort(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("4")
	p := b.pages.CurrentPage().Focused()
	visible := p.Table.VisibleColumns()
	first, _ := p.Table.Sort()
	b.press("s")
	if id, _ := p.Table.Sort(); first != render.LimitColumnID || id != visible[slices.Index(visible, first)+1] {
		t.Errorf("s sorts by %q after %q, want the next of %q", id, first, visible)
	}
	_, desc := p.Table.Sort()
	b.press("S")
	if _, now := p.Table.Sort(); now == desc {
		t.Error("S does not reverse")
	}
	header, y := b.row("Agent", "State", "Time")
	x := strings.Index(header, "Agent")
	b.click(x, y)
	if id, desc := p.Table.Sort(); id != "name" || desc {
		t.Errorf("a click on the header sorts by %q, descending %t", id, desc)
	}
	b.click(x, y)
	if _, desc := p.Table.Sort(); !desc {
		t.Error("a second click does not reverse")
	}
}

func TestSortPutsUnknownLast(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.floor.Services.Put(&model.Service{Code: model.TextOf("ZZZ"), Channel: model.Call})
	b.publish()
	b.press("2")
	p := b.pages.CurrentPage().Focused()
	for _, desc := range []bool{true, false} {
		p.SortBy("waiting", desc)
		b.press("end")
		if got := b.selected(); got != "ZZZ" {
			t.Errorf("descending %t: %q is last, want the unknown one", desc, got)
		}
	}
}

func TestChannels(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press("2", "c")
	b.shows("Bolzano · Chat")
	b.shows("row 1 of 3")
	b.press("3")
	b.shows("No groups on Chat; c shows the next channel.")
	b.press("C")
	b.shows("Bolzano · Calls")
}

func TestMouse(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	tabs, y := b.row("1 Overview", "4 Agents")
	b.click(strings.Index(tabs, "4 Agents"), y)
	if b.pages.Current != pages.Agents {
		t.Fatalf("a click on the tab leads to %v", b.pages.Current)
	}
	_, y = b.row("Bianchi Lucia")
	b.click(10, y)
	if b.selected() == "" || b.pages.TopDetail() != nil {
		t.Fatal("the first click opens")
	}
	b.click(10, y)
	b.shows("Agents › Bianchi Lucia")
	b.press("esc")
	before := b.text()
	b.send(tea.MouseWheelMsg{X: 10, Y: 10, Button: tea.MouseWheelDown})
	if b.text() == before {
		t.Error("the wheel does not scroll")
	}
}

func TestPalette(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40)
	b.press(":")
	b.shows("Commands")
	b.words("chan chat")
	b.press("enter")
	b.shows("Bolzano · Chat")
	b.press(":")
	b.words("service billing")
	b.press("enter")
	b.shows("› Billing")
	b.press(":")
	b.words("page agents")
	b.press("tab", "enter")
	if b.pages.Current != pages.Agents {
		t.Errorf("the palette leads to %v", b.pages.Current)
	}
	b.press(":")
	b.words("theme light")
	b.press("enter")
	if b.scene.look.Theme.Name != "light" {
		t.Errorf("the theme is %q", b.scene.look.Theme.Name)
	}
	b.press(":")
	b.words("xyzzy")
	b.shows("no command matches \"xyzzy\"")
	b.press("enter", "esc")
	b.hides("Commands")
	b.press(":")
	b.words("quit")
	b.press("enter")
	if !b.HasQuit {
		t.Error("the palette does not quit")
	}
}

func TestHelpNamesEveryKey(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 50)
	b.press("?")
	for _, g := range b.keys.HelpGroups(nil, false, false, nil) {
		for _, k := range g.Keys {
			if !k.Enabled() {
				continue
			}
			if k.Help().Desc == "" || len(k.Keys()) == 0 {
				t.Errorf("a binding without help: %v", k.Keys())
			}
			b.shows(k.Help().Desc)
		}
	}
	b.press("x")
	b.hides("esc closes this")
}

// TestHelpDoesWhatItShows checks the list of keys, its filter, and that enter presses the
// selected key.
func TestHelpDoesWhatItShows(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 50)
	b.press("2", "?")
	if list := b.help.FilteredKeys(b.helpKeys()); list[0].Help().Desc != "open" {
		t.Errorf("the list begins with %v", list[0].Help())
	}
	b.press("down", "up", "/")
	b.words("chart over")
	b.hides("next channel")
	b.press("enter")
	b.hides("Keys")
	b.shows("█ Longest wait")
	b.press("esc", "?", "/")
	b.words("xyzzy")
	b.shows("no matching key")
	b.press("enter", "esc", "esc")
	b.hides("Keys")
	for _, g := range b.helpKeys() {
		for _, k := range g.Keys {
			for _, name := range k.Keys() {
				if got := pages.KeyPress(name); !key.Matches(got, k) && k.Enabled() {
					t.Errorf("%s is pressed as %s", name, got)
				}
			}
		}
	}
}

func TestThemeAndQuit(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 80, 24)
	first := b.scene.look.Theme.Name
	b.press(":")
	b.words("theme")
	b.press("down", "down")
	if b.scene.look.Theme.Name == first {
		t.Error("the theme in the list is not tried")
	}
	b.press("esc")
	if b.scene.look.Theme.Name != first {
		t.Errorf("esc leaves the theme %q", b.scene.look.Theme.Name)
	}
	b.press(":")
	b.words("theme")
	b.press("down", "down", "enter")
	if b.scene.look.Theme.Name == first {
		t.Error("enter keeps the theme")
	}
	b.press("ctrl+c")
	if !b.HasQuit {
		t.Error("ctrl+c does not quit")
	}
}

func TestLightTerminalTakesLightTheme(t *testing.T) {
	t.Parallel()
	light := mustTheme(t, "light")
	b := newBoard(t, 80, 24, func(o *Options) { o.Display.LightTheme = light })
	b.send(tea.BackgroundColorMsg{Color: light.Background()})
	if b.scene.look.Theme.Name != "light" {
		t.Errorf("the theme is %q", b.scene.look.Theme.Name)
	}
	b.nextTheme()
	name := b.scene.look.Theme.Name
	b.send(tea.BackgroundColorMsg{Color: light.Background()})
	if b.scene.look.Theme.Name != name {
		t.Error("a late answer overrides the choice")
	}
}

func TestNothingOpensUnseen(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 40, 12)
	b.press("enter")
	if b.pages.TopDetail() != nil {
		t.Error("enter opened a service that is not on the screen")
	}
	b.send(tea.WindowSizeMsg{Width: 60, Height: 18})
	name := b.scene.Names.NameOf(model.NameService, b.selected())
	b.shows("▌", name)
	b.press("enter")
	b.shows("Overview › " + name)
}

// TestPaletteFindsNamesOfTheConfiguration checks that the palette finds records by their configured
// names.
func TestPaletteFindsNamesOfTheConfiguration(t *testing.T) {
	t.Parallel()
	names := testNames()
	names.Add(model.NameUser, agentName(3), "Boss, The")
	b := newBoard(t, 120, 40, func(o *Options) { o.Names = names })
	b.press(":")
	b.words("agent boss")
	b.press("enter")
	b.shows("› Boss, The")
}

func TestPaletteTeachesTheKeys(t *testing.T) {
	t.Parallel()
	b := newBoard(t, 120, 40, func(o *Options) {
		o.Actions.Controller, o.History = controllerOf(newFloorController(words.ActionReport{})), &fakeHistory{}
	})
	const least = 25 // minimum number of commands with a key
	seen := 0
	for _, page := range []string{"4", "7"} {
		b.press(page)
		for _, c := range b.commands() {
			if c.Key == "" {
				continue
			}
			seen++
			b.press(":")
			b.words(c.Name)
			if _, at := b.row(" "+c.Name+" ", " "+c.Key+" │"); at < 0 {
				line, _ := b.row(" " + c.Name + " ")
				t.Errorf("on page %s %q is drawn as %q, without its key %q", page, c.Name, line, c.Key)
			}
			b.press("esc")
		}
	}
	if !slices.ContainsFunc(b.commands(), func(c dialog.Command) bool { return strings.HasPrefix(c.Name, "snooze ") && c.Key == "r" }) {
		t.Error("no key snoozes")
	}
	if seen < least {
		t.Errorf("%d commands have a key", seen)
	}
	keyed := map[string]string{}
	for _, c := range b.commands() {
		keyed[c.Name] = c.Key
	}
	for name, key := range map[string]string{
		"page Services": "2", "why, and what helps": "w", "take over an alert": "m", "chart of the last hours": "t", "shift handover": "h",
		"compare with a typical day": "u", "freeze": "p", "log of my actions": "i", "help": "?", "quit": "q",
	} {
		if got, is := keyed[name]; is && got != key {
			t.Errorf("%q has the key %q in the palette, want %q", name, got, key)
		}
	}
}
