package sshclient

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// cancelSequence ends an incomplete sequence of the server: CAN ends a control sequence, ST a string. It
// also ends synchronized output and resets the style.
const cancelSequence = "\x18\x1b\\" + "\x1b[?2026l" + ansi.ResetStyle

// cover replaces the content of the screen with a message. If the screen is covered already,
// it only shows a new reason. The caller holds mu.
func (c *client) cover(reason string) {
	if c.covered && reason == "" {
		return
	}
	c.covered, c.needsRestore = true, true
	w, h := c.opts.Size()
	lines := []string{
		"NO CONNECTION",
		"since " + c.lastCurrent.Format("15:04:05") + " nothing is known of the floor",
	}
	if reason != "" {
		lines = append(lines, printable(reason), "trying again")
	}
	lines = append(lines, "", "q ends")
	var b strings.Builder
	b.WriteString(cancelSequence + ansi.SetModeAltScreenSaveCursor + ansi.ResetModeTextCursorEnable + "\x1b[2J")
	for i, l := range lines {
		l = ansi.Truncate(l, max(w, 1), "")
		fmt.Fprintf(&b, "\x1b[%d;%dH", max((h-len(lines))/2+i+1, 1), max((w-ansi.StringWidth(l))/2+1, 1))
		if i == 0 {
			l = "\x1b[1;7m" + l + ansi.ResetStyle
		}
		b.WriteString(l)
	}
	_, _ = io.WriteString(c.opts.Out, b.String()) // an error of the terminal cannot be reported
}

// printable replaces the control characters of a text with spaces.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

// resetModes resets what a server may have set, even if it claims to have restored it: character
// sets, style, modes, scrolling region and mouse. It does not change the screen content or
// the cursor position.
const resetModes = "\x1b(B\x1b)B\x0f\x1b[0m\x1b[4l\x1b[?1l\x1b>\x1b[?5l\x1b7\x1b[?6l\x1b[r\x1b8\x1b[?7h\x1b[?25h" +
	"\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1004l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?2004l\x1b[?2026l\x1b[0 q"

// restoreTerminal restores the terminal. It leaves the alternate screen only if the server has not
// done so.
func (c *client) restoreTerminal() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hasOutput {
		_, _ = io.WriteString(c.opts.Out, resetModes)
	}
	if !c.needsRestore {
		return
	}
	_, _ = io.WriteString(c.opts.Out, cancelSequence+
		"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l"+ // mouse
		"\x1b[<1u"+ // keyboard
		"\x1b[?2027l\x1b]110\x07\x1b]111\x07\x1b[0 q"+ // widths, colours, cursor
		ansi.ResetModeBracketedPaste+ansi.ResetModeAltScreenSaveCursor+ansi.SetModeTextCursorEnable)
}
