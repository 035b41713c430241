package cmdutil

import (
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/charmbracelet/x/term"

	"wallboard/internal/lib/terminal"
)

// RestoreOnQuit makes SIGQUIT restore the terminal before the program prints its stacks and
// exits. It must be called before the program changes the terminal. stop restores the normal
// behavior of SIGQUIT.
func (s Streams) RestoreOnQuit() (stop func()) {
	var state *term.State
	in, isFile := s.In.(term.File)
	if isFile {
		state, _ = term.GetState(in.Fd()) // nil without a terminal
	}
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGQUIT)
	go func() {
		select {
		case <-done:
			return
		case <-signals:
		}
		_, _ = io.WriteString(s.Out, terminal.ResetSequence)
		if state != nil {
			_ = term.Restore(in.Fd(), state)
		}
		signal.Reset(syscall.SIGQUIT) // restore the default action
		if self, err := os.FindProcess(os.Getpid()); err != nil || self.Signal(syscall.SIGQUIT) != nil {
			os.Exit(ExitUsage) //nolint:forbidigo // the signal would have ended the program
		}
	}()
	return func() { signal.Stop(signals); close(done) }
}
