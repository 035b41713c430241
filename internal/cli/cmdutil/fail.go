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

// OutcomeError reports that an operation was not confirmed.
type OutcomeError struct {
	Outcome resource.Outcome
	Text    string
}

func (e OutcomeError) Error() string { return e.Text }

// ExitCode returns the exit code for the outcome.
func (e OutcomeError) ExitCode() int {
	switch e.Outcome {
	case resource.Confirmed:
		return ExitOK
	case resource.Rejected:
		return ExitFailed
	case resource.NotSent:
		return ExitNotSent
	case resource.Unknown:
		return ExitUnknown
	}
	return ExitUnknown
}
