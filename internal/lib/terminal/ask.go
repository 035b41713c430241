package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/charmbracelet/x/term"

	"wallboard/internal/lib/textnorm"
)

// ErrNothingTyped means that the user has typed nothing or that reading failed.
var ErrNothingTyped = errors.New("no secret entered")

// AskSecret writes question to out and reads a secret from the terminal in without echo. It returns
// [ErrNothingTyped] if the user types nothing or reading fails, and another error if ctx ends. The
// goroutine that reads may run until the process ends, because the read cannot be interrupted.
func AskSecret(ctx context.Context, in term.File, out io.Writer, question string) (string, error) {
	state, err := term.GetState(in.Fd())
	if err != nil {
		return "", fmt.Errorf("ask: %w", err)
	}
	if _, err := fmt.Fprint(out, question); err != nil {
		return "", fmt.Errorf("ask: %w", err)
	}
	type answer struct {
		text []byte
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := term.ReadPassword(in.Fd())
		answers <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		_ = term.Restore(in.Fd(), state) // an error does not matter, because the program ends
		_, _ = fmt.Fprintln(out)
		return "", errors.New("interrupted")
	case a := <-answers:
		_, _ = fmt.Fprintln(out) // write a newline, because the typed one was not echoed
		if a.err != nil || len(a.text) == 0 {
			return "", ErrNothingTyped
		}
		return textnorm.DecodeSecret(a.text), nil
	}
}
