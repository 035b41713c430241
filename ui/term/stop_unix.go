//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package term

import (
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

const (
	// foregroundPollInterval is how often a program in the background checks whether it is in the
	// foreground.
	foregroundPollInterval = 100 * time.Millisecond
	// redrawTimeout is how long the program may take to draw after it has regained the terminal.
	redrawTimeout = 2 * time.Second
)

// suspender suspends and continues a program, and gives the terminal to the shell in between. The
// program is suspended by a key of the viewer or by SIGTSTP. The program cannot detect SIGSTOP; on
// the SIGCONT after it, the suspender sets up the terminal again.
type suspender struct {
	program     *tea.Program
	shutdown    *shutdown
	tty         term.File // nil: not a terminal
	dropOutput  func()    // makes the program's writer drop all further output
	inAltScreen *atomic.Bool
	requests    chan struct{}
	done        chan struct{}
	goroutine   sync.WaitGroup
	signals     chan os.Signal
	shellState  *term.State // terminal state to restore at the end if the shell has the terminal; nil: none
}

// newSuspender returns the suspender of a program. It starts a goroutine, which is ended by close.
// drawn is true while the program shows the alternate screen.
func newSuspender(program *tea.Program, e *shutdown, tty term.File, silence func(), drawn *atomic.Bool) *suspender {
	s := &suspender{
		program: program, shutdown: e, tty: tty, dropOutput: silence, inAltScreen: drawn,
		requests: make(chan struct{}, 1), done: make(chan struct{}), signals: make(chan os.Signal, 4),
	}
	s.listen()
	signal.Notify(s.signals, syscall.SIGCONT)
	s.goroutine.Go(s.run)
	return s
}

// listen makes the suspender handle SIGTSTP, unless SIGTSTP was ignored when the program started.
func (s *suspender) listen() {
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(s.signals, syscall.SIGTSTP)
	}
}

// suspend asks the suspender's goroutine to suspend the program. It does not wait for that.
func (s *suspender) suspend() {
	select {
	case s.requests <- struct{}{}:
	default:
	}
}

// close ends the suspender's goroutine after the program has ended.
func (s *suspender) close() {
	signal.Stop(s.signals)
	close(s.done)
	s.goroutine.Wait()
	if s.shellState != nil {
		_ = term.Restore(s.tty.Fd(), s.shellState)
	}
}

func (s *suspender) run() {
	for {
		select {
		case <-s.done:
			return
		case <-s.requests:
			s.stop(0) // stops all programs of a pipeline together
		case sig := <-s.signals:
			if sig == syscall.SIGTSTP {
				s.stop(os.Getpid())
			} else {
				s.retakeTerminal()
			}
		}
	}
}

// stop gives the terminal to the shell and stops the process pid, or the whole process group if pid
// is 0. When the process continues, stop regains the terminal.
func (s *suspender) stop(pid int) {
	if !s.shutdown.releaseToShell() {
		return
	}
	s.shutdown.openQueries.await()
	_ = s.program.ReleaseTerminal() // there is no way to handle an error here
	// SIGTSTP cannot stop a Go program that has handled it: the runtime's handler remains installed
	// after signal.Reset and does nothing.
	if !signal.Ignored(syscall.SIGTSTP) && !isOrphaned() {
		for len(s.signals) > 0 {
			<-s.signals
		}
		if syscall.Kill(pid, syscall.SIGSTOP) == nil {
			s.awaitContinue()
		}
	}
	s.waitForeground()
}

// awaitContinue waits for SIGCONT, or until the program is asked to end. This is necessary because
// on a busy machine the program may keep running for a moment before SIGSTOP stops it.
func (s *suspender) awaitContinue() {
	for {
		select {
		case sig := <-s.signals:
			if sig == syscall.SIGCONT {
				return
			}
		case <-s.shutdown.requested: // ends a program that SIGSTOP has not stopped
			return
		case <-s.done:
			return
		}
	}
}

// isOrphaned reports whether there is no shell that could continue the program, as in a kiosk. The
// kernel does not deliver SIGTSTP to such a program, but SIGSTOP would stop it.
func isOrphaned() bool {
	parent := os.Getppid()
	session, err := unix.Getsid(0)
	theirs, err2 := unix.Getsid(parent)
	group, err3 := unix.Getpgid(parent)
	return err != nil || err2 != nil || err3 != nil || session != theirs || group == unix.Getpgrp()
}

// retakeTerminal sets up the terminal again after the shell has used it.
func (s *suspender) retakeTerminal() {
	if !s.shutdown.releaseToShell() {
		return
	}
	_ = s.program.ReleaseTerminal()
	s.waitForeground()
}

// waitForeground regains the terminal as soon as the program is in the foreground. If the program
// is asked to end first, it does not regain the terminal.
func (s *suspender) waitForeground() {
	for !s.isForeground() || !s.restoreTerminal() {
		select {
		case <-s.done:
			return
		case <-s.shutdown.requested:
			s.endInBackground()
			return
		case <-time.After(foregroundPollInterval):
		}
	}
	s.shutdown.regainTerminal()
}

// restoreTerminal sets up the terminal again. It reports whether the program draws on the terminal
// afterwards.
//
// In Bubble Tea v2.0.9, the goroutine of the renderer stops its ticker after ReleaseTerminal has
// returned. If the program is stopped in between, the goroutine stops the ticker only after
// RestoreTerminal has started it again. In this case, nothing is drawn any more.
func (s *suspender) restoreTerminal() bool {
	if s.program.RestoreTerminal() != nil {
		return false
	}
	for wait := time.Duration(0); wait < redrawTimeout; wait += foregroundPollInterval {
		if s.inAltScreen.Load() {
			return true
		}
		<-time.After(foregroundPollInterval)
	}
	_ = s.program.ReleaseTerminal()
	return false
}

// endInBackground ends the program while another program has the terminal. It drops the output that Bubble
// Tea writes to restore the terminal, and keeps the modes that the shell has set.
func (s *suspender) endInBackground() {
	signal.Ignore(syscall.SIGTTOU) // otherwise setting modes would stop the program
	s.dropOutput()
	s.shellState, _ = term.GetState(s.tty.Fd())
	s.shutdown.regainTerminal()
}

// isForeground reports whether the program is in the foreground of its terminal.
func (s *suspender) isForeground() bool {
	if s.tty == nil {
		return true
	}
	group, err := unix.IoctlGetInt(int(s.tty.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}
