package commands

import (
	"context"
	"errors"
	"fmt"

	"github.com/charmbracelet/x/term"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/textnorm"
	"wallboard/model"
)

// askSecret asks the user for a secret, and reads it from the terminal without echo. It returns an
// error if the user types nothing or if ctx ends.
func askSecret(ctx context.Context, in term.File, s cmdutil.Streams, question string) (string, error) {
	state, err := term.GetState(in.Fd())
	if err != nil {
		return "", fmt.Errorf("ask: %w", err)
	}
	defer s.RestoreOnQuit()()
	if _, err := fmt.Fprint(s.Err, model.CleanText(question, model.MaxBody)); err != nil {
		return "", fmt.Errorf("ask: %w", err)
	}
	type answer struct {
		text []byte
		err  error
	}
	answers := make(chan answer, 1)
	go func() { // the read cannot be interrupted, so the goroutine may last until the process ends
		text, err := term.ReadPassword(in.Fd())
		answers <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		_ = term.Restore(in.Fd(), state) // an error does not matter, because the program ends
		_, _ = fmt.Fprintln(s.Err)
		return "", errors.New("interrupted")
	case a := <-answers:
		_, _ = fmt.Fprintln(s.Err) // write a newline, because the typed one was not echoed
		if a.err != nil || len(a.text) == 0 {
			return "", cmdutil.NewUsageError(errors.New("no secret entered"))
		}
		return textnorm.DecodeSecret(a.text), nil
	}
}
