package operations

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/lib/textnorm"
	"wallboard/model"
	"wallboard/model/resource"
)

// isInteractive reports whether the input is a terminal.
func (s *invocation) isInteractive() bool {
	_, ok := cmdutil.TerminalOf(s.streams.In)
	return ok
}

// confirm asks the user for confirmation, unless --yes is set. It returns an error if the user
// does not agree. If requiredWord is not "", the user must type that word to agree.
func (s *invocation) confirm(ctx context.Context, question, requiredWord string) error {
	if s.assumeYes {
		return nil
	}
	return askConfirmation(ctx, s.streams.In, s.streams.Err, question, requiredWord)
}

// askConfirmation asks the question once. It returns an error unless the answer is a clear yes
// or, if requiredWord is not "", that word.
func askConfirmation(ctx context.Context, in io.Reader, out io.Writer, question, requiredWord string) error {
	hint, want := "[y/N]", []string{"y", "yes"}
	if requiredWord = strings.TrimSpace(requiredWord); requiredWord != "" {
		hint, want = fmt.Sprintf("Type %q to go on:", requiredWord), []string{requiredWord}
	}
	if _, err := fmt.Fprintf(out, "%s %s ", model.CleanText(question, model.MaxBody), model.CleanText(hint, model.MaxBody)); err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	answer := make(chan string, 1)
	go func() { // the read cannot be interrupted, so this goroutine may run until the process ends
		line, _ := bufio.NewReader(in).ReadString('\n') // no answer means no
		answer <- strings.TrimSpace(line)
	}()
	select {
	case <-ctx.Done():
		_, _ = fmt.Fprintln(out) // start a new line
	case line := <-answer:
		for _, w := range want {
			if textnorm.NormalizeLine(line) == textnorm.NormalizeLine(w) || requiredWord == "" && textnorm.SameName(line, w) {
				return nil
			}
		}
	}
	return cmdutil.UnconfirmedError{Outcome: resource.OutcomeNotSent, Text: "Not confirmed: nothing was done."}
}
