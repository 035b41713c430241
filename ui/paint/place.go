package paint

import (
	"io"

	"github.com/charmbracelet/x/ansi"
)

// place is which of its screens the terminal shows.
type place int

const (
	before  place = iota // the program has not drawn yet
	ahead                // the alternate one, because of us: Bubble Tea has not written yet that it should
	inside               // the alternate one
	outside              // the one of before, again
)

// goAhead enters the alternate screen for the first frame: Bubble Tea does it when
// its clock ticks for the first time, a whole frame later.
func (p *painter) goAhead() {
	_, err := io.WriteString(p.out, ansi.SetModeAltScreenSaveCursor+ansi.EraseEntireScreen+ansi.ResetModeTextCursorEnable)
	if err == nil {
		p.where = ahead
	}
}

// leave leaves the alternate screen if Bubble Tea never came to enter it.
func (p *painter) leave() {
	p.terminal.Lock()
	defer p.terminal.Unlock()
	if p.where == ahead {
		_, _ = io.WriteString(p.out, ansi.ResetModeAltScreenSaveCursor+ansi.SetModeTextCursorEnable)
		p.where = outside
	}
}
