package operations

import (
	"errors"
	"strings"

	"wallboard/internal/cli/cmdutil"
	"wallboard/internal/control"
	"wallboard/internal/words"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// resultDocument is the JSON document that a command prints.
type resultDocument struct {
	Command string   `json:"command"`
	Outcome string   `json:"outcome"` // confirmed, rejected, not sent or unknown; failed: a query got no answer
	Text    string   `json:"text,omitempty"`
	Warning string   `json:"warning,omitempty"`
	CallID  string   `json:"callId,omitempty"`
	File    string   `json:"fileName,omitempty"`
	ID      string   `json:"id,omitempty"`
	IDs     []string `json:"ids,omitempty"`
	Total   *int     `json:"total,omitempty"`  // total number of results if Result holds only a part of them
	Result  any      `json:"result,omitempty"` // data that the command has read
}

// printReport prints the outcome of an action. It returns an error unless the action was confirmed.
// It writes a warning to standard error, where it is visible even if standard output is redirected.
func (s *invocation) printReport(r words.ActionReport) error {
	if s.json {
		doc := resultDocument{
			Outcome: r.Outcome.String(), Text: r.Text.In(nil), Warning: r.Warning.In(nil),
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
	if !r.Warning.IsZero() {
		if err := cmdutil.WriteText(s.streams.Err, "wallboard: warning: "+r.Warning.In(nil)+"\n"); err != nil {
			return err
		}
	}
	if r.Outcome != resource.OutcomeConfirmed {
		return cmdutil.UnconfirmedError{Outcome: r.Outcome, Text: r.Text.In(nil)}
	}
	if s.json {
		return nil
	}
	text := r.Text.In(nil)
	if r.IDs != "" {
		text += "\nids: " + r.IDs
	}
	return cmdutil.WriteText(s.streams.Out, text+"\n")
}

// queryError converts the error of a query to an error of a command. operation is the
// beginning of the message, for example "The lists cannot be read". A missing answer is a
// failure and not an unknown outcome, because a query changes nothing. In JSON mode,
// queryError also prints the failure as JSON.
func (s *invocation) queryError(operation string, err error) error {
	outcomeErr := cmdutil.UnconfirmedError{Outcome: resource.OutcomeRejected, Text: control.Explain(operation, err).Error()}
	outcomeWord := outcomeErr.Outcome.String()
	outcome := restclient.OutcomeOf(err)
	switch {
	case errors.As(err, &outcomeErr):
		outcomeWord = outcomeErr.Outcome.String()
	case errors.Is(err, restclient.ErrInvalidRequest), errors.Is(err, restclient.ErrNoPath), errors.Is(err, restclient.ErrUnsupportedEdition):
		return cmdutil.NewUsageError(errors.New(outcomeErr.Text))
	case outcome == resource.OutcomeNotSent:
		outcomeErr.Outcome, outcomeWord = outcome, outcome.String()
	case outcome == resource.OutcomeUnknown:
		outcomeWord = "failed"
	}
	if s.json {
		if err := s.writeJSON(resultDocument{Outcome: outcomeWord, Text: outcomeErr.Text}); err != nil {
			return err
		}
	}
	return outcomeErr
}

// writeJSON sets the command name in r and prints r as JSON.
func (s *invocation) writeJSON(r resultDocument) error {
	r.Command = s.command
	return cmdutil.WriteJSON(s.streams.Out, r)
}
