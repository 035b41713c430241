package configuring

import (
	"context"
	"errors"
	"fmt"

	"github.com/charmbracelet/x/term"

	"wallboard/cli/command"
	"wallboard/internal/typed"
	"wallboard/model"
)

// askSecret asks for a secret that is not shown.
func askSecret(ctx context.Context, in term.File, s command.Streams, question string) (string, error) {
	state, err := term.GetState(in.Fd())
	if err != nil {
		return "", fmt.Errorf("ask: %w", err)
	}
	if _, err := fmt.Fprint(s.Err, model.CleanText(question, model.MaxBody)); err != nil {
		return "", fmt.Errorf("ask: %w", err)
	}
	type answer struct {
		text []byte
		err  error
	}
	answers := make(chan answer, 1)
	go func() { // it ends with the program if nobody answers: a read cannot be called off
		text, err := term.ReadPassword(in.Fd())
		answers <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		_ = term.Restore(in.Fd(), state) // the program ends
		_, _ = fmt.Fprintln(s.Err)
		return "", errors.New("interrupted")
	case a := <-answers:
		_, _ = fmt.Fprintln(s.Err) // the one that was typed was not shown
		if a.err != nil || len(a.text) == 0 {
			return "", command.Usage(errors.New("no secret was given"))
		}
		return typed.Secret(a.text), nil
	}
}
