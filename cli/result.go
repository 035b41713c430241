package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"wallboard/control"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// result is the JSON document of a command for scripts.
type result struct {
	Command string   `json:"command"`
	Outcome string   `json:"outcome"` // confirmed, rejected, not sent, unknown; failed: no answer to a question
	Text    string   `json:"text,omitempty"`
	Warning string   `json:"warning,omitempty"`
	CallID  string   `json:"callId,omitempty"`
	File    string   `json:"fileName,omitempty"`
	ID      string   `json:"id,omitempty"`
	IDs     []string `json:"ids,omitempty"`
	Total   *int     `json:"total,omitempty"`  // how many there are where Result is a part of a list
	Result  any      `json:"result,omitempty"` // what was read
}

// outcomeError is an operation that was not confirmed.
type outcomeError struct {
	outcome resource.Outcome
	text    string
}

func (e outcomeError) Error() string { return e.text }

func (e outcomeError) exitCode() int {
	switch e.outcome {
	case resource.Confirmed:
		return exitOK
	case resource.Rejected:
		return exitFailed
	case resource.NotSent:
		return exitNotSent
	case resource.Unknown:
		return exitUnknown
	}
	return exitUnknown
}

// report prints what became of an action. A warning goes to standard error, so
// that it is seen whatever becomes of standard output.
func (s *session) report(r resource.Report) error {
	if s.json {
		doc := result{
			Outcome: r.Outcome.String(), Text: r.Text, Warning: r.Warning,
			CallID: r.CallID, File: r.FileName, ID: r.ID,
		}
		if r.IDs != "" {
			doc.IDs = strings.Split(r.IDs, ", ")
		}
		err := s.writeJSON(doc)
		if err != nil {
			return err
		}
	}
	if r.Warning != "" {
		if _, err := fmt.Fprintln(s.streams.Err, "wallboard: warning:", r.Warning); err != nil {
			return writeFailed(err)
		}
	}
	if r.Outcome != resource.Confirmed {
		return outcomeError{r.Outcome, r.Text}
	}
	if s.json {
		return nil
	}
	text := r.Text
	if r.IDs != "" {
		text += "\nids: " + r.IDs
	}
	if _, err := fmt.Fprintln(s.streams.Out, text); err != nil {
		return writeFailed(err)
	}
	return nil
}

// failed ends a command that could not do what, as "The lists cannot be read".
// It would have changed nothing, so an answer that did not come is a plain
// failure.
func (s *session) failed(what string, err error) error {
	end := outcomeError{resource.Rejected, control.Explain(what, err).Error()}
	word := end.outcome.String()
	outcome := restclient.OutcomeOf(err)
	switch {
	case errors.As(err, &end):
		word = end.outcome.String()
	case errors.Is(err, restclient.ErrInvalid), errors.Is(err, restclient.ErrNoPath), errors.Is(err, restclient.ErrEdition):
		return usageError{errors.New(end.text)}
	case outcome == resource.NotSent:
		end.outcome, word = outcome, outcome.String()
	case outcome == resource.Unknown:
		word = "failed"
	}
	if s.json {
		if err := s.writeJSON(result{Outcome: word, Text: end.text}); err != nil {
			return err
		}
	}
	return end
}

// writeJSON writes the document of the command.
func (s *session) writeJSON(r result) error {
	r.Command = s.command
	return writeJSON(s.streams, r)
}

func writeJSON(streams Streams, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return writeFailed(err)
	}
	if _, err := streams.Out.Write(escapeJSON(b.Bytes())); err != nil {
		return writeFailed(err)
	}
	return nil
}

// escapeJSON escapes what must not reach a terminal as it is: control
// characters, and what hides or reorders text. In JSON they can only stand in
// texts, where an escape means the same: nothing is lost to a script.
func escapeJSON(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == '\n' || r != utf8.RuneError && unicode.IsPrint(r):
			out = append(out, b[:size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		b = b[size:]
	}
	return out
}
