//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package paint

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
	// stopTime is how long the kernel may take to stop a process.
	stopTime = 200 * time.Millisecond
	// turnTime is how often a program in the background looks whether it is in front.
	turnTime = 100 * time.Millisecond
)

// stopper stops a program and continues it, the terminal restored between: for the keys
// of the viewer, for SIGTSTP, and for SIGCONT after a SIGSTOP that nobody saw coming.
type stopper struct {
	program *tea.Program
	ending  *ending
	tty     term.File // nil: it is no terminal
	silence func()    // has nothing more be written
	asked   chan struct{}
	done    chan struct{}
	running sync.WaitGroup
	signals chan os.Signal
	resumed time.Time
	shell   *term.State // of a terminal that is the shell's at the end; nil: it is not
}

// newStopper returns the stopper of a program. It has a goroutine until close.
func newStopper(program *tea.Program, e *ending, tty term.File, silence func()) *stopper {
	s := &stopper{
		program: program, ending: e, tty: tty, silence: silence,
		asked: make(chan struct{}, 1), done: make(chan struct{}), signals: make(chan os.Signal, 4),
	}
	s.listen()
	signal.Notify(s.signals, syscall.SIGCONT)
	s.running.Go(s.run)
	return s
}

// listen takes SIGTSTP, unless the program was started with that ignored.
func (s *stopper) listen() {
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(s.signals, syscall.SIGTSTP)
	}
}

// suspend stops the program as soon as possible.
func (s *stopper) suspend() {
	select {
	case s.asked <- struct{}{}:
	default:
	}
}

// close ends the goroutine. The program is over.
func (s *stopper) close() {
	signal.Stop(s.signals)
	close(s.done)
	s.running.Wait()
	if s.shell != nil {
		_ = term.Restore(s.tty.Fd(), s.shell)
	}
}

func (s *stopper) run() {
	for {
		select {
		case <-s.done:
			return
		case <-s.asked:
			s.stop(0) // with the other programs of the pipeline
		case sig := <-s.signals:
			switch {
			case sig == syscall.SIGTSTP:
				s.stop(os.Getpid())
			case time.Since(s.resumed) > stopTime:
				s.take()
			}
		}
	}
}

// stop gives the terminal back, stops a process, or the group with 0, and takes the
// terminal again when that goes on.
func (s *stopper) stop(pid int) {
	if !s.ending.leave() {
		return
	}
	s.ending.answers.await()
	_ = s.program.ReleaseTerminal() // what the terminal does not take, it does not take now
	// SIGTSTP would not stop a Go program that has once taken it: the handler of the
	// runtime stays after signal.Reset, and does nothing.
	if !signal.Ignored(syscall.SIGTSTP) && !orphaned() {
		_ = syscall.Kill(pid, syscall.SIGSTOP)
		late := time.NewTimer(stopTime)
		defer late.Stop()
		select {
		case <-s.signals:
		case <-s.done:
		case <-late.C: // the timer goes on while the process is stopped
		}
	}
	s.back()
}

// orphaned reports whether no shell could continue the program, such as that of a kiosk
// without one. The kernel spares such programs SIGTSTP, but not SIGSTOP.
func orphaned() bool {
	parent := os.Getppid()
	session, err := unix.Getsid(0)
	theirs, err2 := unix.Getsid(parent)
	group, err3 := unix.Getpgid(parent)
	return err != nil || err2 != nil || err3 != nil || session != theirs || group == unix.Getpgrp()
}

// take has a terminal that the shell has used meanwhile set up once more.
func (s *stopper) take() {
	if !s.ending.leave() {
		return
	}
	_ = s.program.ReleaseTerminal()
	s.back()
}

// back takes the terminal again, as soon as the program is in front. A program that is
// to end meanwhile leaves the terminal as it is.
func (s *stopper) back() {
	for !s.inFront() {
		select {
		case <-s.done:
			return
		case <-s.ending.wanted:
			s.abandon()
			return
		case <-time.After(turnTime):
		}
	}
	_ = s.program.RestoreTerminal()
	s.resumed = time.Now()
	s.ending.back()
}

// abandon ends the program while another one has the terminal. Bubble Tea would restore
// the terminal once more: nothing of that is written, and its modes are set back.
func (s *stopper) abandon() {
	signal.Ignore(syscall.SIGTTOU) // or setting the modes would stop the program
	s.silence()
	s.shell, _ = term.GetState(s.tty.Fd())
	s.ending.back()
}

// inFront reports whether the program has the terminal, and not another one of the
// same shell.
func (s *stopper) inFront() bool {
	if s.tty == nil {
		return true
	}
	group, err := unix.IoctlGetInt(int(s.tty.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}
