package cmdutil

import "wallboard/model/resource"

// UsageError is an error in the command line or the configuration. The program exits with
// [ExitUsage].
type UsageError struct{ cause error }

// NewUsageError returns cause as a [UsageError], or nil if cause is nil.
func NewUsageError(cause error) error {
	if cause == nil {
		return nil
	}
	return UsageError{cause}
}

func (e UsageError) Error() string { return e.cause.Error() }

// Unwrap returns the cause of the error.
func (e UsageError) Unwrap() error { return e.cause }

// UnconfirmedError reports that an operation was not confirmed.
type UnconfirmedError struct {
	Outcome resource.Outcome
	Text    string
}

func (e UnconfirmedError) Error() string { return e.Text }

// ExitCode returns the exit code for the outcome.
func (e UnconfirmedError) ExitCode() int {
	switch e.Outcome {
	case resource.OutcomeConfirmed:
		return ExitOK
	case resource.OutcomeRejected:
		return ExitFailed
	case resource.OutcomeNotSent:
		return ExitNotSent
	case resource.OutcomeUnknown:
		return ExitUnknown
	}
	return ExitUnknown
}
