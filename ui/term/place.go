package term

import (
	"io"

	"github.com/charmbracelet/x/ansi"
)

// screenState tells which of its screens the terminal shows.
type screenState int

const (
	before  screenState = iota // the program has not drawn yet
	ahead                      // the alternate screen, entered by this package before Bubble Tea
	inside                     // the alternate screen
	outside                    // the original screen, again
)

// enterEarly enters the alternate screen for the first frame. Bubble Tea would enter it on
// the first tick of its clock, a whole frame later.
func (p *painter) enterEarly() {
	_, err := io.WriteString(p.out, ansi.SetModeAltScreenSaveCursor+ansi.EraseEntireScreen+ansi.ResetModeTextCursorEnable)
	if err == nil {
		p.where = ahead
	}
}

// leave leaves the alternate screen if Bubble Tea never entered it.
func (p *painter) leave() {
	p.terminal.Lock()
	defer p.terminal.Unlock()
	if p.where == ahead {
		_, _ = io.WriteString(p.out, ansi.ResetModeAltScreenSaveCursor+ansi.SetModeTextCursorEnable)
		p.where = outside
	}
}
