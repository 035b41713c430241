//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package term

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

const (
	// stopTimeout limits how long the kernel may take to stop a process.
	stopTimeout = 200 * time.Millisecond
	// foregroundPollInterval is how often a program in the background checks whether it is in
	// the foreground.
	foregroundPollInterval = 100 * time.Millisecond
)

// stopper suspends and continues a program and restores the terminal in between: on the
// viewer's key, on SIGTSTP, and on SIGCONT after an unexpected SIGSTOP.
type stopper struct {
	program    *tea.Program
	ending     *ending
	tty        term.File // nil: not a terminal
	silence    func()    // drops all further output
	requests   chan struct{}
	done       chan struct{}
	running    sync.WaitGroup
	signals    chan os.Signal
	resumed    time.Time
	shellState *term.State // state of a terminal that belongs to the shell at the end; nil: it does not
}

// newStopper returns the stopper of a program. It runs a goroutine until close.
func newStopper(program *tea.Program, e *ending, tty term.File, silence func()) *stopper {
	s := &stopper{
		program: program, ending: e, tty: tty, silence: silence,
		requests: make(chan struct{}, 1), done: make(chan struct{}), signals: make(chan os.Signal, 4),
	}
	s.listen()
	signal.Notify(s.signals, syscall.SIGCONT)
	s.running.Go(s.run)
	return s
}

// listen handles SIGTSTP, unless the program was started with the signal ignored.
func (s *stopper) listen() {
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(s.signals, syscall.SIGTSTP)
	}
}

// suspend stops the program as soon as possible.
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
	s.running.Wait()
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
			s.stop(0) // with the other programs of the pipeline
		case sig := <-s.signals:
			switch {
			case sig == syscall.SIGTSTP:
				s.stop(os.Getpid())
			case time.Since(s.resumed) > stopTimeout:
				s.retakeTerminal()
			}
		}
	}
}

// stop gives the terminal back, stops a process, or the process group if pid is 0, and
// takes the terminal again when the process continues.
func (s *stopper) stop(pid int) {
	if !s.ending.releaseToShell() {
		return
	}
	s.ending.openQueries.await()
	_ = s.program.ReleaseTerminal() // an error cannot be handled here
	// SIGTSTP does not stop a Go program that has once handled it: the handler of the
	// runtime stays after signal.Reset, and does nothing.
	if !signal.Ignored(syscall.SIGTSTP) && !orphaned() {
		_ = syscall.Kill(pid, syscall.SIGSTOP)
		timeout := time.NewTimer(stopTimeout)
		defer timeout.Stop()
		select {
		case <-s.signals:
		case <-s.done:
		case <-timeout.C: // the timer runs while the process is stopped
		}
	}
	s.waitForeground()
}

// orphaned reports whether no shell could continue the program, as in a kiosk. The kernel
// does not deliver SIGTSTP to such programs, but SIGSTOP stops them.
func orphaned() bool {
	parent := os.Getppid()
	session, err := unix.Getsid(0)
	theirs, err2 := unix.Getsid(parent)
	group, err3 := unix.Getpgid(parent)
	return err != nil || err2 != nil || err3 != nil || session != theirs || group == unix.Getpgrp()
}

// retakeTerminal sets up a terminal again that the shell has used in the meantime.
func (s *stopper) retakeTerminal() {
	if !s.ending.releaseToShell() {
		return
	}
	_ = s.program.ReleaseTerminal()
	s.waitForeground()
}

// waitForeground takes the terminal again as soon as the program is in the foreground and the
// terminal can be set. If the program is asked to end before that, it leaves the terminal alone.
func (s *stopper) waitForeground() {
	for !s.isForeground() || s.program.RestoreTerminal() != nil {
		select {
		case <-s.done:
			return
		case <-s.ending.requested:
			s.abandon()
			return
		case <-time.After(foregroundPollInterval):
		}
	}
	s.resumed = time.Now()
	s.ending.regainTerminal()
}

// abandon ends the program while another one has the terminal. Bubble Tea would restore
// the terminal once more: that output is dropped, and the terminal's modes are set
// back.
func (s *stopper) abandon() {
	signal.Ignore(syscall.SIGTTOU) // otherwise setting the modes would stop the program
	s.silence()
	s.shellState, _ = term.GetState(s.tty.Fd())
	s.ending.regainTerminal()
}

// isForeground reports whether the program is in the foreground of its terminal.
func (s *stopper) isForeground() bool {
	if s.tty == nil {
		return true
	}
	group, err := unix.IoctlGetInt(int(s.tty.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}
