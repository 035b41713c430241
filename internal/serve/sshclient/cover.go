package sshclient

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// calm ends whatever sequence the server was in the middle of: CAN ends a control
// sequence, ST a string.
const calm = "\x18\x1b\\" + "\x1b[?2026l" + ansi.ResetStyle

// cover hides what is on the screen behind a sentence, once, or again where there is
// more to say. The caller holds mu.
func (c *client) cover(why string) {
	if c.covered && why == "" {
		return
	}
	c.covered, c.dirty = true, true
	w, h := c.o.Size()
	lines := []string{
		"NO CONNECTION",
		"since " + c.shown.Format("15:04:05") + " nothing is known of the floor",
	}
	if why != "" {
		lines = append(lines, printable(why), "trying again")
	}
	lines = append(lines, "", "q ends")
	var b strings.Builder
	b.WriteString(calm + ansi.SetModeAltScreenSaveCursor + ansi.ResetModeTextCursorEnable + "\x1b[2J")
	for i, l := range lines {
		l = ansi.Truncate(l, max(w, 1), "")
		fmt.Fprintf(&b, "\x1b[%d;%dH", max((h-len(lines))/2+i+1, 1), max((w-ansi.StringWidth(l))/2+1, 1))
		if i == 0 {
			l = "\x1b[1;7m" + l + ansi.ResetStyle
		}
		b.WriteString(l)
	}
	_, _ = io.WriteString(c.o.Out, b.String()) // there is nobody to tell
}

// printable takes what no terminal is to see out of what others wrote.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

// tidy puts back what a server may have set and may have left, whatever it says: character
// sets, style, modes, the region that scrolls, the mouse. The screen and the cursor stay.
const tidy = "\x1b(B\x1b)B\x0f\x1b[0m\x1b[4l\x1b[?1l\x1b>\x1b[?5l\x1b7\x1b[?6l\x1b[r\x1b8\x1b[?7h\x1b[?25h" +
	"\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[?2026l\x1b[0 q"

// restore puts the terminal back, whatever of it the server did not.
func (c *client) restore() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.drawn {
		_, _ = io.WriteString(c.o.Out, tidy)
	}
	if !c.dirty {
		return
	}
	_, _ = io.WriteString(c.o.Out, calm+
		"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l"+ // mouse
		"\x1b[<1u"+ // keyboard
		"\x1b[?2027l\x1b]110\x07\x1b]111\x07\x1b[0 q"+ // widths, colours, cursor
		ansi.ResetModeBracketedPaste+ansi.ResetModeAltScreenSaveCursor+ansi.SetModeTextCursorEnable)
}
