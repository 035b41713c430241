package term

import (
	"io"

	"github.com/charmbracelet/x/ansi"
)

// screenState describes which screen the terminal shows.
type screenState int

const (
	screenUntouched    screenState = iota // the program has not drawn yet
	screenEnteredEarly                    // the alternate screen, which this package entered before Bubble Tea
	screenAlternate                       // the alternate screen, which Bubble Tea entered
	screenOriginal                        // the original screen, after leaving the alternate screen
)

// enterEarly enters the alternate screen for the first frame. Bubble Tea would enter it at the
// first tick of its clock, a whole frame later.
func (p *painter) enterEarly() {
	_, err := io.WriteString(p.out, ansi.SetModeAltScreenSaveCursor+ansi.EraseEntireScreen+ansi.ResetModeTextCursorEnable)
	if err == nil {
		p.screen = screenEnteredEarly
	}
}

// leaveEarly leaves the alternate screen if Bubble Tea never entered it.
func (p *painter) leaveEarly() {
	p.terminalMu.Lock()
	defer p.terminalMu.Unlock()
	if p.screen == screenEnteredEarly {
		_, _ = io.WriteString(p.out, ansi.ResetModeAltScreenSaveCursor+ansi.SetModeTextCursorEnable)
		p.screen = screenOriginal
	}
}
