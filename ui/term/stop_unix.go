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
	// foregroundPollInterval is the interval at which a program in the background checks whether it
	// is in the foreground.
	foregroundPollInterval = 100 * time.Millisecond
	// redrawTimeout is the maximum time in which a program must draw after it has got the terminal
	// back.
	redrawTimeout = 2 * time.Second
)

// stopper suspends and continues a program, and gives the terminal to the shell in between. A key
// of the viewer or SIGTSTP suspends the program. On SIGCONT after a SIGSTOP, which the program
// cannot notice, the stopper sets up the terminal again.
type stopper struct {
	program     *tea.Program
	shutdown    *shutdown
	tty         term.File // nil: not a terminal
	silence     func()    // makes the program's writer drop all further output
	inAltScreen *atomic.Bool
	requests    chan struct{}
	done        chan struct{}
	goroutine   sync.WaitGroup
	signals     chan os.Signal
	shellState  *term.State // terminal state to restore at the end, if the shell has the terminal; nil: none
}

// newStopper returns the stopper of a program. It starts a goroutine, which close ends. drawn is
// true while the program shows the alternate screen.
func newStopper(program *tea.Program, e *shutdown, tty term.File, silence func(), drawn *atomic.Bool) *stopper {
	s := &stopper{
		program: program, shutdown: e, tty: tty, silence: silence, inAltScreen: drawn,
		requests: make(chan struct{}, 1), done: make(chan struct{}), signals: make(chan os.Signal, 4),
	}
	s.listen()
	signal.Notify(s.signals, syscall.SIGCONT)
	s.goroutine.Go(s.run)
	return s
}

// listen makes the stopper handle SIGTSTP, unless SIGTSTP was ignored when the program was started.
func (s *stopper) listen() {
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(s.signals, syscall.SIGTSTP)
	}
}

// suspend asks the stopper's goroutine to suspend the program. It does not wait until the program
// is suspended.
func (s *stopper) suspend() {
	select {
	case s.requests <- struct{}{}:
	default:
	}
}

// close ends the stopper's goroutine after the program has ended.
func (s *stopper) close() {
	signal.Stop(s.signals)
	close(s.done)
	s.goroutine.Wait()
	if s.shellState != nil {
		_ = term.Restore(s.tty.Fd(), s.shellState)
	}
}

func (s *stopper) run() {
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
// is 0. When the process continues, stop takes the terminal back.
func (s *stopper) stop(pid int) {
	if !s.shutdown.releaseToShell() {
		return
	}
	s.shutdown.openQueries.await()
	_ = s.program.ReleaseTerminal() // there is no way to handle an error here
	// SIGTSTP does not stop a Go program that has ever handled it: the handler of the runtime
	// remains after signal.Reset and does nothing.
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

// awaitContinue waits for SIGCONT, or until the program is asked to end. It is needed because on a
// busy machine the program continues to run for a moment before SIGSTOP stops it.
func (s *stopper) awaitContinue() {
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
func (s *stopper) retakeTerminal() {
	if !s.shutdown.releaseToShell() {
		return
	}
	_ = s.program.ReleaseTerminal()
	s.waitForeground()
}

// waitForeground takes the terminal back as soon as the program is in the foreground. If the
// program is asked to end first, waitForeground does not take the terminal.
func (s *stopper) waitForeground() {
	for !s.isForeground() || !s.restoreTerminal() {
		select {
		case <-s.done:
			return
		case <-s.shutdown.requested:
			s.abandon()
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
// RestoreTerminal has started it again. Nothing is drawn any more in this case.
func (s *stopper) restoreTerminal() bool {
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

// abandon ends the program while another program has the terminal. It drops the output with which
// Bubble Tea would restore the terminal again, and leaves the modes of the terminal as the shell
// has set them.
func (s *stopper) abandon() {
	signal.Ignore(syscall.SIGTTOU) // otherwise setting modes would stop the program
	s.silence()
	s.shellState, _ = term.GetState(s.tty.Fd())
	s.shutdown.regainTerminal()
}

// isForeground reports whether the program is in the foreground of its terminal.
func (s *stopper) isForeground() bool {
	if s.tty == nil {
		return true
	}
	group, err := unix.IoctlGetInt(int(s.tty.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}
