package sshterminal

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/terminal"
)

// showCover replaces the content of the screen with a message. If the screen is already
// covered, it does nothing unless reason is set. The caller must hold mu.
func (c *client) showCover(reason string) {
	if c.isCoverShown && reason == "" {
		return
	}
	c.isCoverShown, c.hasOutput = true, true
	w, h := c.options.Size()
	lines := c.options.CoverLines(c.lastCurrent, replaceControlChars(reason))
	var b strings.Builder
	b.WriteString(terminal.CancelSequence + ansi.SetModeAltScreenSaveCursor + ansi.ResetModeTextCursorEnable + "\x1b[2J")
	for i, l := range lines {
		l = ansi.Truncate(l, max(w, 1), "")
		fmt.Fprintf(&b, "\x1b[%d;%dH", max((h-len(lines))/2+i+1, 1), max((w-ansi.StringWidth(l))/2+1, 1))
		if i == 0 {
			l = "\x1b[1;7m" + l + ansi.ResetStyle
		}
		b.WriteString(l)
	}
	_, _ = io.WriteString(c.options.Out, b.String()) // if the terminal fails, nothing can be shown
}

// replaceControlChars returns s with blanks in place of control characters.
func replaceControlChars(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

// restoreTerminal resets the terminal if the client has written to it. Later output is discarded.
func (c *client) restoreTerminal() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isTerminalRestored = true
	if c.hasOutput {
		_, _ = io.WriteString(c.options.Out, terminal.ResetSequence)
	}
}
