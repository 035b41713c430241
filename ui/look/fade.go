package look

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"wallboard/internal/sgr"
	"wallboard/themes"
)

// fader makes drawn lines look faded: every colour goes but that of the selection, so that
// supervisors still see where they are.
type fader struct {
	text   string    // the sequence of text
	blocks string    // that of what charts, bars and blocks are filled with
	base   string    // what lies under all text
	marks  [2]string // those of the selection
	alone  bool      // nothing else has the sequences of the selection
}

// faders returns how lines are faded that something lies over, and how those are whose
// figures are old.
func (lk *Look) faders() (behind, old fader) {
	st := lk.Theme.Style(themes.Stale)
	old = fader{
		text: lk.Stale, blocks: lk.Theme.SGR(themes.Border), base: lk.Base(),
		marks: [2]string{lk.Theme.SGR(themes.Selection), lk.Theme.SGR(themes.SelectionBlurred)},
		alone: lk.Theme.Background() != nil,
	}
	behind = old
	behind.text = openOf(st.LG().Underline(false)) // all of the screen would be ruled paper
	// A full cell has more of a colour than a letter has: in that of text, an area that was
	// dark would be the brightest thing on the screen.
	if shades := lk.Gradient(themes.Border); len(shades) > 1 {
		behind.blocks = shades[0].Fg
	}
	return behind, old
}

// Fade makes drawn lines be what lies behind something else.
func (lk *Look) Fade(lines []string) { lk.behind.lines(lines) }

// FadeOld makes drawn lines look stale.
func (lk *Look) FadeOld(lines []string) { lk.old.lines(lines) }

func (f *fader) lines(lines []string) {
	var out []byte
	for i, l := range lines {
		out = f.line(slices.Grow(out[:0], len(l)), l)
		lines[i] = string(out)
	}
}

// line appends a line as it looks faded.
func (f *fader) line(out []byte, l string) []byte {
	open, mark, plain := f.text, "", true // plain: nothing but the base is switched on
	on, onMark := "", ""
	from := len(out)
	for len(l) > 0 {
		if l[0] == '\x1b' {
			end := sgr.Len(l)
			if end == 0 { // some other sequence: nothing of it is known
				return append(append(append(out[:from], f.text...), ansi.Strip(l)...), ansi.ResetStyle...)
			}
			mark, plain = f.after(l[:end], mark, plain)
			l = l[end:]
			continue
		}
		n := strings.IndexByte(l, '\x1b')
		if n < 0 {
			n = len(l)
		}
		for run := l[:n]; run != ""; {
			end, block, blank := sameKind(run)
			if !blank {
				open = f.text
				if block && mark == "" { // the pointer is one
					open = f.blocks
				}
			}
			if begun := len(out) > from; !begun || open != on || mark != onMark {
				if begun {
					out = append(out, ansi.ResetStyle...)
				}
				out = append(append(out, open...), mark...)
				on, onMark = open, mark
			}
			out = append(out, run[:end]...)
			run = run[end:]
		}
		l = l[n:]
	}
	return append(out, ansi.ResetStyle...)
}

// after tells what mark is on after a sequence, and whether nothing else is.
func (f *fader) after(seq, mark string, plain bool) (string, bool) {
	switch {
	case seq == ansi.ResetStyle:
		return "", true
	case seq == f.base:
		return mark, plain
	// Without colours of their own, blocks of a state are reversed as the selection is.
	case (plain || f.alone) && (seq == f.marks[0] || seq == f.marks[1]):
		return seq, plain
	}
	return mark, false
}

// sameKind is how far a text, which has no sequences, goes on as it begins: as blocks, as
// blanks, or as anything else with the blanks in it.
func sameKind(s string) (end int, block, blank bool) {
	blank = true
	for end < len(s) {
		r, n := rune(s[end]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[end:])
		}
		if r != ' ' {
			is := r >= '▀' && r <= '▟'
			if !blank && is != block {
				return end, block, false
			}
			block, blank = is, false
		}
		end += n
	}
	return end, block, blank
}
