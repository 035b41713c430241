package cli

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"wallboard/ui"
)

// seated is a viewer at the board of a sitting.
type seated struct {
	*sitting

	v     *ui.Model
	start func(tea.Cmd)
	pass  func(time.Duration)
}

func (x *seated) screen() string { return ansi.Strip(string(x.v.Frame())) }

// press presses a key for each letter; a newline is enter.
func (x *seated) press(keys string) {
	for _, k := range keys {
		msg := tea.KeyPressMsg{Code: k, Text: string(k)}
		switch k {
		case '\n':
			msg = tea.KeyPressMsg{Code: tea.KeyEnter}
		case '\x1b':
			msg = tea.KeyPressMsg{Code: tea.KeyEscape}
		}
		_, cmd := x.v.Update(msg)
		x.start(cmd)
		x.pass(10 * time.Millisecond)
	}
	x.pass(2 * time.Second)
}

// goesOn checks that updates of the platform still reach the screen.
func (x *seated) goesOn(when string) {
	x.t.Helper()
	before := x.engine.Latest()
	x.pass(20 * time.Second)
	now := x.engine.Latest()
	if screen := x.screen(); !isLive(screen) || strings.Contains(screen, "REWOUND") {
		x.t.Errorf("%s the board is not live:\n%s", when, screen)
	}
	if now.Seq == before.Seq || !now.At.After(before.At) {
		x.t.Errorf("%s nothing comes any more", when)
	}
}

// shows waits for words on the screen.
func (x *seated) shows(words ...string) {
	x.t.Helper()
	for range 100 {
		if containsAll(x.screen(), words) {
			return
		}
		x.pass(100 * time.Millisecond)
	}
	x.t.Errorf("no %q in:\n%s", words, x.screen())
}

// isLive reports whether a board shows live figures.
func isLive(screen string) bool { return strings.Contains(screen, "● LIVE") }
