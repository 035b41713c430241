package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"wallboard/internal/lib/terminal"
	"wallboard/ui/kiosk"
	"wallboard/ui/term"
)

// asked returns the requests to the terminal that a message causes.
func (b *board) asked(msg tea.Msg) (out []tea.Msg) {
	b.t.Helper()
	var run func(cmd tea.Cmd)
	run = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			for _, c := range msg {
				run(c)
			}
		case nil:
		default:
			if msg == (term.RepaintMsg{}) || msg == (term.SuspendMsg{}) {
				out = append(out, msg)
			} else {
				b.send(msg)
			}
		}
	}
	_, cmd := b.Update(msg)
	run(cmd)
	return out
}

func letter(text string) tea.KeyPressMsg { return tea.KeyPressMsg{Code: []rune(text)[0], Text: text} }

// TestKeysOfOtherLayouts presses keys of keyboards without Latin letters. Text input is not
// changed.
func TestKeysOfOtherLayouts(t *testing.T) {
	t.Parallel()
	for _, q := range []string{"й", "ض"} {
		b := newBoard(t, 100, 30)
		b.send(letter(q))
		if !b.HasQuit && b.dialogs.Len() == 0 {
			t.Errorf("%s does not quit", q)
		}
	}
	for _, f := range []string{"а", "φ", "כ", "ب"} { // the letters on the key f, which opens the filter
		b := newBoard(t, 100, 30)
		b.press("2")
		b.send(letter(f))
		if !b.filter.Focused {
			t.Errorf("%s does not open the filter:\n%s", f, b.text())
			continue
		}
		b.send(letter(f))
		if got := b.pages.CurrentPage().Focused().Filter; got != f {
			t.Errorf("%q is typed as %q", f, got)
		}
	}
	b := newBoard(t, 100, 30)
	b.send(letter("Ж")) // the letter on the key ":"
	if b.mode != modePalette {
		t.Error("the palette does not open")
	}
	b = newBoard(t, 100, 30)
	b.send(letter("ա"))
	b.shows("no key ա")
	b = newBoard(t, 100, 30, func(o *Options) { o.Navigation.Keys = map[string]string{"help": "й"} })
	b.send(letter("й"))
	if b.mode != modeHelp {
		t.Error("a key of the configuration is not obeyed")
	}
}

// TestKeysOfTheTerminal checks redrawing and suspending; a board on a server and a kiosk
// cannot be suspended.
func TestKeysOfTheTerminal(t *testing.T) {
	t.Parallel()
	redraw, suspend := tea.KeyPressMsg{Code: 'l', Mod: tea.ModCtrl}, tea.KeyPressMsg{Code: 'z', Mod: tea.ModCtrl}
	for _, tt := range []struct {
		name    string
		change  func(*Options)
		suspend string
	}{
		{"board", func(*Options) {}, "[{}]"},
		{"server", func(o *Options) { o.Display.frameDriven = true }, "[]"},
		{"wall", onWall(), "[]"},
	} {
		b := newBoard(t, 100, 30, tt.change)
		if got := b.asked(redraw); len(got) != 1 || got[0] != (term.RepaintMsg{}) {
			t.Errorf("%s: ctrl+l asks for %v", tt.name, got)
		}
		if got := b.asked(suspend); fmt.Sprint(got) != tt.suspend {
			t.Errorf("%s: ctrl+z asks for %v", tt.name, got)
		}
	}
	b := newBoard(t, 100, 30)
	b.press(":")
	if got := b.asked(redraw); len(got) != 1 {
		t.Error("ctrl+l does nothing in the palette")
	}
}

// TestDayOfAKioskWithForeignLines simulates a day with foreign output once a minute. Every
// page turn repaints the screen, so that no wrong cell stays longer than a minute.
func TestDayOfAKioskWithForeignLines(t *testing.T) {
	t.Parallel()
	const w, h = 80, 24
	b := newBoard(t, w, h, onWall(func(k *kiosk.Options) { k.Dwell = 30 * time.Second }))
	screen, stills := terminal.NewScreen(w, h), term.NewFrameWriter(term.Size{Width: w, Height: h})
	show := func(msg tea.Msg) {
		for range b.asked(msg) {
			stills = term.NewFrameWriter(term.Size{Width: w, Height: h}) // repaints the screen
		}
		_, _ = screen.Write(stills.Show(b.Model.View(), b.Frame()))
	}
	show(nil)
	wrong, whole := 0, 0
	for minute := range 24 * 60 {
		_, _ = screen.Write([]byte("\r\n\r\nBroadcast message from root@host\r\nreboot at 22:00\r\n"))
		for range 4 {
			b.Now = b.Now.Add(15 * time.Second)
			show(clockMsg{})
		}
		right := terminal.NewScreen(w, h)
		_, _ = right.Write(term.NewFrameWriter(term.Size{Width: w, Height: h}).Show(b.Model.View(), b.Frame()))
		if right.String() != screen.String() {
			if wrong++; wrong == 1 {
				t.Logf("minute %d:\n%s\nshould be\n%s", minute, screen, right)
			}
		}
		if strings.Contains(screen.String(), "Broadcast") {
			whole++
		}
	}
	if wrong > 0 || whole > 0 {
		t.Errorf("%d of 1440 times a cell was wrong a minute later, %d times the foreign line was there", wrong, whole)
	}
}
