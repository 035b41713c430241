package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/terminal"
	"wallboard/internal/lib/testkit"
	"wallboard/model"
	"wallboard/themes"
)

// board drives a Model without a program: messages in, frames out. Its context has ended,
// so that timers and waits return at once without a message; time passes only in
// [board.forward].
type board struct {
	*Model
	t     testing.TB
	floor *testFloor
	now   time.Time
	quit  bool
	shown string // the last frame; a strict terminal has taken it

	seen func(*model.Snapshot) *model.Snapshot // through a hub; nil: the board has its floor to itself
}

func newBoard(t testing.TB, w, h int, change ...func(*Options)) *board {
	t.Helper()
	return newBoardOn(t, newTestFloor(60), w, h, change...)
}

func newBoardOn(t testing.TB, f *testFloor, w, h int, change ...func(*Options)) *board {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := &board{t: t, floor: f, now: startTime()}
	o := Options{
		Names: testNames(), Title: "Bolzano", ChangeSignals: ChangeSignals{Flash: true}, Mouse: true, Context: ctx, Location: time.UTC,
		Now: func() time.Time { return b.now },
	}
	for _, c := range change {
		c(&o)
	}
	b.Model = New(o)
	b.run(b.Init())
	b.send(tea.WindowSizeMsg{Width: w, Height: h})
	if f != nil {
		b.publish()
	}
	return b
}

// View returns the model's view with its frame.
func (b *board) View() tea.View {
	v := b.Model.View()
	v.Content = string(b.Frame())
	return v
}

// publish shows the current floor.
func (b *board) publish() {
	b.t.Helper()
	b.floor.at = b.now
	s := b.floor.publish()
	if b.seen != nil {
		s = b.seen(s)
	}
	b.send(snapshotMsg{s})
}

// pass advances the clock.
func (b *board) pass(d time.Duration) {
	b.t.Helper()
	b.now = b.now.Add(d)
	b.send(clockMsg{})
}

func (b *board) send(msg tea.Msg) {
	b.t.Helper()
	_, cmd := b.Update(msg)
	b.run(cmd)
	if b.failure != nil {
		b.t.Fatal(b.failure)
	}
	if v := b.View(); v.Content != b.shown && !testkit.Race {
		b.shown = v.Content
		if err := errors.Join(terminal.CheckFrame(v.Content), terminal.CheckFrame(v.WindowTitle)); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *board) run(cmd tea.Cmd) {
	b.t.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.QuitMsg:
		b.quit = true
	case tea.BatchMsg:
		for _, c := range msg {
			b.run(c)
		}
	default:
		b.send(msg)
	}
}

// press presses keys by name; anything else is typed.
func (b *board) press(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		b.send(keyPress(k))
	}
}

func keyPress(name string) tea.KeyPressMsg {
	switch name {
	case "enter":
		return tea.KeyPressMsg{Code: tea.KeyEnter}
	case "esc":
		return tea.KeyPressMsg{Code: tea.KeyEscape}
	case "tab":
		return tea.KeyPressMsg{Code: tea.KeyTab}
	case "shift+tab":
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	case "up":
		return tea.KeyPressMsg{Code: tea.KeyUp}
	case "down":
		return tea.KeyPressMsg{Code: tea.KeyDown}
	case "left":
		return tea.KeyPressMsg{Code: tea.KeyLeft}
	case "right":
		return tea.KeyPressMsg{Code: tea.KeyRight}
	case "pgup":
		return tea.KeyPressMsg{Code: tea.KeyPgUp}
	case "pgdown":
		return tea.KeyPressMsg{Code: tea.KeyPgDown}
	case "home":
		return tea.KeyPressMsg{Code: tea.KeyHome}
	case "end":
		return tea.KeyPressMsg{Code: tea.KeyEnd}
	case "backspace":
		return tea.KeyPressMsg{Code: tea.KeyBackspace}
	case "space":
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	case "ctrl+s":
		return tea.KeyPressMsg{Code: 's', Mod: tea.ModCtrl}
	case "ctrl+e":
		return tea.KeyPressMsg{Code: 'e', Mod: tea.ModCtrl}
	case "ctrl+c":
		return tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// words types a text.
func (b *board) words(s string) {
	b.t.Helper()
	for _, r := range s {
		b.press(string(r))
	}
}

func (b *board) click(x, y int) {
	b.t.Helper()
	b.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
}

// text returns the frame without styles.
func (b *board) text() string { return ansi.Strip(b.View().Content) }

// row returns the first line with all words, and its index.
func (b *board) row(words ...string) (string, int) {
	b.t.Helper()
	for y, l := range strings.Split(b.text(), "\n") {
		found := true
		for _, w := range words {
			found = found && strings.Contains(l, w)
		}
		if found {
			return l, y
		}
	}
	return "", -1
}

func (b *board) shows(words ...string) {
	b.t.Helper()
	if _, y := b.row(words...); y < 0 {
		b.t.Errorf("no line with %q in:\n%s", words, b.text())
	}
}

func (b *board) hides(words ...string) {
	b.t.Helper()
	if l, y := b.row(words...); y >= 0 {
		b.t.Errorf("%q is on the screen: %s", words, l)
	}
}

// selected returns the selected row of the focused table.
func (b *board) selected() string {
	b.t.Helper()
	p := b.pages.page().Focused()
	if p == nil {
		return ""
	}
	key, _ := p.Table.Selected()
	return key
}

// link changes the state of the connection.
func (b *board) link(change func(*model.Link)) {
	b.t.Helper()
	change(&b.floor.health.Link)
	b.publish()
}

func mustTheme(t testing.TB, name string) themes.Theme {
	t.Helper()
	theme, err := themes.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return theme
}

// trimmed returns the lines of the frame without styles and padding.
func (b *board) trimmed() []string {
	lines := strings.Split(b.text(), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return lines
}

func windowSize(w, h int) tea.WindowSizeMsg { return tea.WindowSizeMsg{Width: w, Height: h} }
