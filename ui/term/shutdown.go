package term

import (
	"sync"

	tea "charm.land/bubbletea/v2"
)

// SuspendMsg suspends the program, like ctrl+z. The terminal is restored, and the program stops
// until the shell continues it.
type SuspendMsg struct{}

// shutdown delays the end of a program until the terminal has replied to all queries and the shell
// does not have the terminal.
type shutdown struct {
	mu               sync.Mutex
	isEnding         bool          // the program was asked to end
	shellHasTerminal bool          // the program is suspended, so that the shell uses the terminal
	requested        chan struct{} // closed when the program is asked to end
	quit             func()        // ends the program
	beforeQuit       func()        // called before quit
	openQueries      *queries
}

func newShutdown(quit, beforeQuit func(), openQueries *queries) *shutdown {
	return &shutdown{requested: make(chan struct{}), quit: quit, beforeQuit: beforeQuit, openQueries: openQueries}
}

// filterMessage is the message filter of a program. It drops tea.QuitMsg until the program may end,
// and limits the window size.
func (e *shutdown) filterMessage(m tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.QuitMsg); ok && !e.requestEnd() {
		return nil
	}
	return limitSize(m, msg)
}

// requestEnd records that the program was asked to end. It reports whether the program may end now.
// Otherwise the program ends later: when the terminal has replied to all queries, or when the shell
// returns the terminal.
func (e *shutdown) requestEnd() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.isEnding {
		return !e.shellHasTerminal
	}
	e.isEnding = true
	close(e.requested)
	e.openQueries.close()
	e.beforeQuit()
	if e.shellHasTerminal { // regainTerminal ends the program when the shell has returned the terminal
		return false
	}
	_, maximum := e.openQueries.pending()
	if maximum == 0 {
		return true
	}
	go func() {
		e.openQueries.await()
		e.quit()
	}()
	return false
}

// releaseToShell records that the shell gets the terminal. It returns false if the program is
// ending or the shell already has the terminal.
func (e *shutdown) releaseToShell() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.isEnding || e.shellHasTerminal {
		return false
	}
	e.shellHasTerminal = true
	return true
}

// regainTerminal records that the program has the terminal again. If the program was asked to end
// in the meantime, regainTerminal ends it.
func (e *shutdown) regainTerminal() {
	e.mu.Lock()
	e.shellHasTerminal = false
	started := e.isEnding
	e.mu.Unlock()
	if started {
		e.quit()
	}
}
