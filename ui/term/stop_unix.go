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
	// foregroundPollInterval is how often a program in the background checks whether it is in
	// the foreground.
	foregroundPollInterval = 100 * time.Millisecond
	// redrawTimeout is the time within which a program must draw after it has regained the
	// terminal.
	redrawTimeout = 2 * time.Second
)

// stopper suspends and continues a program, and returns the terminal to the shell in between. A key
// of the viewer or SIGTSTP suspends the program. On SIGCONT after an unexpected SIGSTOP, the
// stopper sets the terminal up again.
type stopper struct {
	program     *tea.Program
	shutdown    *shutdown
	tty         term.File // nil: not a terminal
	silence     func()    // drops all further output
	inAltScreen *atomic.Bool
	requests    chan struct{}
	done        chan struct{}
	goroutine   sync.WaitGroup
	signals     chan os.Signal
	shellState  *term.State // terminal state to restore at the end, because the shell has the terminal; nil: none
}

// newStopper returns the stopper of a program. It runs a goroutine until close. drawn is true while
// the program shows the alternate screen.
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

// listen makes the stopper handle SIGTSTP, unless the program was started with the signal ignored.
func (s *stopper) listen() {
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(s.signals, syscall.SIGTSTP)
	}
}

// suspend asks the goroutine to suspend the program. It does not wait.
func (s *stopper) suspend() {
	select {
	case s.requests <- struct{}{}:
	default:
	}
}

// close ends the goroutine after the program has ended.
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
			s.stop(0) // together with the other programs of a pipeline
		case sig := <-s.signals:
			if sig == syscall.SIGTSTP {
				s.stop(os.Getpid())
			} else {
				s.retakeTerminal()
			}
		}
	}
}

// stop returns the terminal to the shell and stops a process, or the whole process group if pid is
// 0. When the process continues, stop takes the terminal again.
func (s *stopper) stop(pid int) {
	if !s.shutdown.releaseToShell() {
		return
	}
	s.shutdown.openQueries.await()
	_ = s.program.ReleaseTerminal() // an error cannot be handled here
	// SIGTSTP does not stop a Go program that has once handled it: the handler of the
	// runtime stays after signal.Reset, and does nothing.
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

// awaitContinue waits for SIGCONT, or until the program is asked to end. On a busy machine the
// program runs on for a moment before SIGSTOP stops it.
func (s *stopper) awaitContinue() {
	for {
		select {
		case sig := <-s.signals:
			if sig == syscall.SIGCONT {
				return
			}
		case <-s.shutdown.requested: // a program that SIGSTOP does not stop must still end
			return
		case <-s.done:
			return
		}
	}
}

// isOrphaned reports whether no shell could continue the program, as in a kiosk. The kernel
// does not deliver SIGTSTP to such programs, but SIGSTOP stops them.
func isOrphaned() bool {
	parent := os.Getppid()
	session, err := unix.Getsid(0)
	theirs, err2 := unix.Getsid(parent)
	group, err3 := unix.Getpgid(parent)
	return err != nil || err2 != nil || err3 != nil || session != theirs || group == unix.Getpgrp()
}

// retakeTerminal sets the terminal up again after the shell has used it.
func (s *stopper) retakeTerminal() {
	if !s.shutdown.releaseToShell() {
		return
	}
	_ = s.program.ReleaseTerminal()
	s.waitForeground()
}

// waitForeground takes the terminal again as soon as the program is in the foreground. If the
// program is asked to end before that, waitForeground does not take the terminal.
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

// restoreTerminal sets the terminal up again, and reports whether the program draws on the terminal
// afterwards.
//
// In Bubble Tea v2.0.9 the goroutine of the renderer stops its ticker after ReleaseTerminal has
// returned. If the program is stopped in between, the goroutine stops the ticker after
// RestoreTerminal has started it again. Then nothing is drawn any more.
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
// Bubble Tea would restore the terminal again, and keeps the terminal's modes for the shell.
func (s *stopper) abandon() {
	signal.Ignore(syscall.SIGTTOU) // otherwise setting the modes would stop the program
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
