package paint

import (
	"sync"

	tea "charm.land/bubbletea/v2"
)

// Suspend is the message of a viewer who wants to have the shell back for a while
// (ctrl+z). The terminal is restored, and the program is stopped until it is continued.
type Suspend struct{}

// ending is when a program may end: not before the terminal has answered, and not while
// the terminal belongs to the shell.
type ending struct {
	mu      sync.Mutex
	begun   bool
	away    bool          // the terminal is the shell's
	wanted  chan struct{} // closed when the program is to end
	quit    func()        // ends the program
	soon    func()        // the program is about to end
	answers *questions
}

func newEnding(quit, soon func(), answers *questions) *ending {
	return &ending{wanted: make(chan struct{}), quit: quit, soon: soon, answers: answers}
}

// filter is that of a program: it keeps back the end until all is done that comes
// before it, and bounds the size of the window.
func (e *ending) filter(m tea.Model, msg tea.Msg) tea.Msg {
	if _, is := msg.(tea.QuitMsg); is && !e.may() {
		return nil
	}
	return bound(m, msg)
}

// may reports whether the program may end now. If not, it is ended later.
func (e *ending) may() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.begun {
		return !e.away
	}
	e.begun = true
	close(e.wanted)
	e.soon()
	if e.away { // what has the terminal back ends the program
		return false
	}
	_, most := e.answers.pending()
	if most == 0 {
		return true
	}
	go func() {
		e.answers.await()
		e.quit()
	}()
	return false
}

// leave notes that the terminal is given to the shell, unless the program is ending.
func (e *ending) leave() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.begun || e.away {
		return false
	}
	e.away = true
	return true
}

// back notes that the terminal is the program's again, and ends the program if that
// was wanted meanwhile.
func (e *ending) back() {
	e.mu.Lock()
	e.away = false
	begun := e.begun
	e.mu.Unlock()
	if begun {
		e.quit()
	}
}
