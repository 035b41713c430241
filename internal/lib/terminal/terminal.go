// Package terminal helps programs that use a terminal. It provides the sequence that resets a
// terminal, recognizes terminals and locales with limited features, aligns columns, draws progress
// bars, asks for secrets, handles SIGHUP, checks output, and emulates a terminal for tests.
package terminal

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// IsPlain reports whether a terminal displays queries and direction characters as text instead
// of interpreting them. term is the value of the environment variable TERM.
func IsPlain(term string) bool {
	return term == "" || term == "dumb" || term == "linux" || strings.HasPrefix(term, "vt")
}

// IsUnicodeLocale reports whether the locale in the environment uses UTF-8. It returns true if
// no locale is set.
func IsUnicodeLocale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}

// columnGap is the number of blanks between two columns.
const columnGap = 2

// AlignColumns formats lines of cells, of which there must be at least one, as a table. It truncates the
// cells of the widest columns to fit each line into width cells. A width of 0 means no limit.
func AlignColumns(lines [][]string, width int) string {
	widths := make([]int, len(lines[0]))
	for _, cells := range lines {
		for i, cell := range cells {
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	if width > 0 {
		shrinkColumns(widths, width)
	}
	var b strings.Builder
	for _, cells := range lines {
		var line strings.Builder
		for i, cell := range cells {
			cell = ansi.Truncate(cell, widths[i], "…")
			line.WriteString(cell)
			line.WriteString(strings.Repeat(" ", widths[i]-ansi.StringWidth(cell)+columnGap))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// shrinkColumns reduces the widths of the widest columns until a line fits into width, or
// until all columns have a width of 1.
func shrinkColumns(widths []int, width int) {
	total := columnGap * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for ; total > width; total-- {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= 1 {
			return
		}
		widths[widest]--
	}
}

// CancelSequence ends an incomplete sequence: CAN ends a control sequence, and ST ends a
// string. CancelSequence also ends synchronized output and resets the style.
const CancelSequence = "\x18\x1b\\" + ansi.ResetModeSynchronizedOutput + ansi.ResetStyle

// ResetSequence resets everything that a program may have changed: modes, keyboard, mouse, colors,
// title, character sets and margins. It leaves the alternate screen, but otherwise changes
// neither the cursor position nor the content of the screen. Terminals ignore the sequences
// that they do not support.
const ResetSequence = CancelSequence +
	"\x1b[?9l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1005l\x1b[?1006l\x1b[?1015l\x1b[?1016l" + // mouse
	"\x1b[?1004l\x1b[?2031l\x1b[?2048l" + // reports of the focus, the color scheme and the size
	"\x1b]104\x07\x1b]110\x07\x1b]111\x07\x1b]112\x07\x1b[0 q" + // colors, cursor
	"\x1b]2;\x07" + // title
	"\x1b(B\x1b)B\x0f\x1b[?2027l\x1b[8h" + // character sets, widths, right-to-left text
	"\x1b[4l\x1b[?5l\x1b[?7h" + // insert mode, reverse video, line wrap
	"\x1b[<1u" + resetKeyboard +
	ansi.ResetModeAltScreenSaveCursor +
	resetKeyboard + // each screen has its own kitty flags
	"\x1b7\x1b[?6l\x1b[?69l\x1b[r\x1b8" + // margins; setting them moves the cursor
	ansi.ResetStyle + ansi.ResetModeBracketedPaste + ansi.SetModeTextCursorEnable

// resetKeyboard resets the cursor keys, the keypad, modifyOtherKeys of xterm, and the flags of
// the kitty protocol.
const resetKeyboard = "\x1b[?1l\x1b>\x1b[>4m\x1b[=0u"
