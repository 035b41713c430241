package script

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/term"

	"wallboard/cli/command"
	"wallboard/internal/typed"
	"wallboard/model"
	"wallboard/model/resource"
)

// interactive reports whether somebody can be asked.
func (s *session) interactive() bool {
	in, ok := s.streams.In.(term.File)
	return ok && term.IsTerminal(in.Fd())
}

// confirm asks whether an action is meant, unless --yes says so. With a word,
// that word must be typed: the name of what would be hard to bring back.
func (s *session) confirm(ctx context.Context, question, word string) error {
	if s.yes {
		return nil
	}
	return ask(ctx, s.streams.In, s.streams.Err, question, word)
}

// ask asks once; everything but a clear yes is a no.
func ask(ctx context.Context, in io.Reader, out io.Writer, question, word string) error {
	hint, want := "[y/N]", []string{"y", "yes"}
	if word = strings.TrimSpace(word); word != "" {
		hint, want = fmt.Sprintf("Type %q to go on:", word), []string{word}
	}
	if _, err := fmt.Fprintf(out, "%s %s ", model.CleanText(question, model.MaxBody), model.CleanText(hint, model.MaxBody)); err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	answer := make(chan string, 1)
	go func() { // it ends with the program if nobody answers: a read cannot be called off
		line, _ := bufio.NewReader(in).ReadString('\n') // no answer is a no
		answer <- strings.TrimSpace(line)
	}()
	select {
	case <-ctx.Done():
		_, _ = fmt.Fprintln(out) // what follows begins a line
	case line := <-answer:
		for _, w := range want {
			if typed.Line(line) == typed.Line(w) || word == "" && strings.EqualFold(typed.Line(line), typed.Line(w)) {
				return nil
			}
		}
	}
	return command.OutcomeError{Outcome: resource.NotSent, Text: "Not confirmed: nothing was done."}
}
