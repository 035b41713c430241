package style

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/lib/terminal"
	"wallboard/themes"
)

// fader makes drawn lines look faded. It removes all colors except those of the selection, so that
// the selection stays visible.
type fader struct {
	text            string    // escape sequence for text
	blocks          string    // escape sequence for filled characters, as in charts and bars
	base            string    // escape sequence of the style below all text
	selectionStyles [2]string // escape sequences of the selection
	uniqueSelection bool      // no other style has the sequences of the selection
}

// faders returns the faders for lines behind a dialog and for stale figures.
func (lk *Look) faders() (behind, stale fader) {
	st := lk.Theme.Style(themes.Stale)
	stale = fader{
		text: lk.StaleSGR, blocks: lk.Theme.OpenSequence(themes.Border), base: lk.Base(),
		selectionStyles: [2]string{lk.Theme.OpenSequence(themes.Selection), lk.Theme.OpenSequence(themes.SelectionBlurred)},
		uniqueSelection: lk.Theme.Background() != nil,
	}
	behind = stale
	behind.text = styleSequence(st.Lipgloss().Underline(false)) // a whole screen of underlined text is hard to read
	// A full cell looks brighter than a letter of the same color. In the color of text, a dark area
	// would become the brightest part of the screen.
	if shades := lk.Gradient(themes.Border); len(shades) > 1 {
		behind.blocks = shades[0].Fg
	}
	return behind, stale
}

// Fade fades drawn lines behind a dialog, in place.
func (lk *Look) Fade(lines []string) { lk.dialogFader.fadeLines(lines) }

// FadeStale fades drawn lines with stale figures, in place.
func (lk *Look) FadeStale(lines []string) { lk.staleFader.fadeLines(lines) }

// fadeLines fades lines in place.
func (f *fader) fadeLines(lines []string) {
	var out []byte
	for i, l := range lines {
		out = f.appendFaded(slices.Grow(out[:0], len(l)), l)
		lines[i] = string(out)
	}
}

// appendFaded appends the faded form of the line l to out.
func (f *fader) appendFaded(out []byte, l string) []byte {
	open, mark, plain := f.text, "", true // plain: no style is active, except the base
	lastOpen, lastMark := "", ""
	from := len(out)
	for len(l) > 0 {
		if l[0] == '\x1b' {
			end := terminal.SGRLen(l)
			if end == 0 { // unknown sequence
				return append(append(append(out[:from], f.text...), ansi.Strip(l)...), ansi.ResetStyle...)
			}
			mark, plain = f.selectionAfter(l[:end], mark, plain)
			l = l[end:]
			continue
		}
		n := strings.IndexByte(l, '\x1b')
		if n < 0 {
			n = len(l)
		}
		for run := l[:n]; run != ""; {
			end, block, blank := leadingRun(run)
			if !blank {
				open = f.text
				if block && mark == "" { // a block in the style of the selection is a cursor and keeps the color of text
					open = f.blocks
				}
			}
			if started := len(out) > from; !started || open != lastOpen || mark != lastMark {
				if started {
					out = append(out, ansi.ResetStyle...)
				}
				out = append(append(out, open...), mark...)
				lastOpen, lastMark = open, mark
			}
			out = append(out, run[:end]...)
			run = run[end:]
		}
		l = l[n:]
	}
	return append(out, ansi.ResetStyle...)
}

// selectionAfter returns the sequence of the selection that is active after seq, or "" if there is none.
// The bool result reports whether no other style is active after seq. mark and plain are the values
// of both results before seq.
func (f *fader) selectionAfter(seq, mark string, plain bool) (string, bool) {
	switch {
	case seq == ansi.ResetStyle:
		return "", true
	case seq == f.base:
		return mark, plain
	// Without colors, blocks of a state are drawn in reverse video, like the selection. The
	// sequence belongs to the selection only if no other style is active.
	case (plain || f.uniqueSelection) && (seq == f.selectionStyles[0] || seq == f.selectionStyles[1]):
		return seq, plain
	}
	return mark, false
}

// leadingRun returns the length of the run at the start of s. A run consists of blocks, of spaces,
// or of other text including its spaces. block and blank say which kind it is. s must not contain
// escape sequences.
func leadingRun(s string) (end int, block, blank bool) {
	blank = true
	for end < len(s) {
		r, n := rune(s[end]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[end:])
		}
		if r != ' ' {
			ok := r >= '▀' && r <= '▟'
			if !blank && ok != block {
				return end, block, false
			}
			block, blank = ok, false
		}
		end += n
	}
	return end, block, blank
}
