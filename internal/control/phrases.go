package control

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"wallboard/internal/words"
	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// phrases holds the sentences about the outcomes of an action.
type phrases struct {
	failed         words.Text // sentence without a full stop: "The call to 0612 was not made"
	unknownOutcome words.Text // sentence without a full stop: "It is unclear whether the call to 0612 was made"
	advice         words.Text // sentence after unknownOutcome: "Check the phone before dialing again."
	// warning is added to reports with rejected and unknown outcomes.
	warning words.Text
	// reasons maps errors that document 1 lists to explanations for this action.
	reasons map[error]words.Text
}

// reportFor returns the report about an action whose request failed with err.
func (p *phrases) reportFor(err error) words.ActionReport {
	switch outcome := restclient.OutcomeOf(err); outcome {
	case resource.OutcomeRejected:
		r := p.rejectedReport(reasonText(err, p.reasons))
		r.Warning = p.warning
		return r
	case resource.OutcomeNotSent:
		return p.notSentReport(reasonText(err, p.reasons))
	case resource.OutcomeUnknown, resource.OutcomeConfirmed:
	}
	return p.unknownReport(reasonText(err, nil), words.Text{})
}

func (p *phrases) rejectedReport(why words.Text) words.ActionReport {
	return words.ActionReport{Outcome: resource.OutcomeRejected, Text: words.ControlRejected(p.failed, why)}
}

func (p *phrases) notSentReport(why words.Text) words.ActionReport {
	return words.ActionReport{Outcome: resource.OutcomeNotSent, Text: words.ControlNotSent(p.failed, why)}
}

// unknownReport returns the report about an action with an unknown outcome. found is a sentence about
// the attempt to find out the outcome, or the zero Text.
func (p *phrases) unknownReport(why, found words.Text) words.ActionReport {
	r := words.ActionReport{Outcome: resource.OutcomeUnknown, Text: words.ControlUnknown(p.unknownOutcome, why, p.advice), Warning: p.warning}
	if !found.IsZero() {
		r.Text = words.ControlUnknownFound(p.unknownOutcome, why, found, p.advice)
	}
	return r
}

// lockedReport returns the report about an action that was not sent because its lock could not be
// obtained or was lost. why is the error of the lock.
func (p *phrases) lockedReport(why error) *words.ActionReport {
	return &words.ActionReport{Outcome: resource.OutcomeNotSent, Text: words.ControlLocked(p.failed, words.TextOf(why))}
}

// alreadyRunningText returns the sentence for an action of person while an action of by on the same
// target is running.
func (p *phrases) alreadyRunningText(by, person string) words.Text {
	if by != "" && by != person {
		return words.ControlRunningBy(p.failed, by)
	}
	return words.ControlRunning(p.failed)
}

func confirmedReport(text words.Text) words.ActionReport {
	return words.ActionReport{Outcome: resource.OutcomeConfirmed, Text: text}
}

// reasonText explains err as the end of a sentence. It appends the platform's own message, which
// may name the wrong field. special is as for explainError.
func reasonText(err error, special map[error]words.Text) words.Text {
	text := explainError(err, special)
	e := &restclient.Error{}
	errors.As(err, &e)
	for inner := e; errors.As(e.Err, &inner); { // use the root cause
		e = inner
	}
	if said := strings.TrimRight(e.UserMessage(), ". "); said != "" && !strings.Contains(text.In(nil), said) {
		text = words.ControlSaid(text, said)
	}
	return text
}

// explainError explains err as the end of a sentence. special holds explanations for the current
// action, which take precedence over the general ones.
func explainError(err error, special map[error]words.Text) words.Text {
	for condition, text := range special {
		if errors.Is(err, condition) {
			return text
		}
	}
	e := &restclient.Error{Err: words.NewError(words.ControlUnknownError(), nil)}
	errors.As(err, &e)
	for inner := e; errors.As(e.Err, &inner); { // use the root cause
		e = inner
	}
	if isEntryPoint(e.Operation) && (errors.Is(err, restclient.ErrNotFound) || errors.Is(err, restclient.ErrPathNotFound)) {
		return words.ControlNoService()
	}
	if said := explainReadError(err); !said.IsZero() {
		return said
	}
	for _, c := range errorTexts {
		if errors.Is(err, c.err) {
			return c.text()
		}
	}
	switch {
	case errors.Is(err, restclient.ErrInvalidRequest):
		return words.Name(strings.ReplaceAll(e.Err.Error(), "\n", "; "))
	case e.Status != 0 && e.Outcome == resource.OutcomeRejected:
		return words.ControlRefusedStatus(strconv.Itoa(e.Status))
	case e.Status != 0:
		return words.ControlErrorStatus(strconv.Itoa(e.Status))
	case e.Err != nil:
		return words.TextOf(e.Err)
	}
	return words.ControlNoAnswer()
}

// explainReadError explains err, an error of reading, if the answer of the platform is the reason.
// Otherwise it returns the zero Text.
func explainReadError(err error) words.Text {
	var shape *restclient.ShapeError
	var incomplete *model.Incomplete
	var e *restclient.Error
	switch {
	case errors.As(err, &shape):
		return words.ControlNoList(shape.Received)
	case errors.As(err, &incomplete):
		return words.ControlIncomplete(incomplete.String())
	case errors.Is(err, restclient.ErrPathNotFound) && errors.As(err, &e):
		return words.ControlNoSuchPath(string(e.Operation))
	case errors.Is(err, restclient.ErrRateLimited) && errors.As(err, &e) && e.RetryAfter > 0:
		return words.ControlBusyFor(words.ApproxDuration(e.RetryAfter))
	case errors.Is(err, restclient.ErrRateLimited):
		return words.ControlBusy()
	}
	return words.Text{}
}

// isEntryPoint reports whether every service has the operation. If such an operation is not found,
// there is no service at the address.
func isEntryPoint(operation resource.Operation) bool {
	switch operation { //nolint:exhaustive // all other operations may be missing
	case resource.OpVersion, resource.OpValidSession, resource.OpLogin, resource.OpLoginByToken:
		return true
	}
	return false
}

// errorTexts explains errors for all actions. The first matching error applies.
var errorTexts = []struct {
	err  error
	text func() words.Text
}{
	{restclient.ErrPasswordExpired, words.ControlPasswordExpired}, // before the errors that may wrap it
	{restclient.ErrUnauthorized, words.ControlLoginRefused},
	{restclient.ErrCredentialsRefused, words.ControlLoginRefused},
	{restclient.ErrRepeatedLogin, words.ControlTooSoon},
	{restclient.ErrLoginFailed, words.ControlLoginFailed},
	{restclient.ErrNoSession, words.ControlNoSession},
	{restclient.ErrUnsupportedEdition, words.ControlEditionLacks},
	{restclient.ErrNoPath, words.ControlNoPath},
	{restclient.ErrPermissionLost, words.ControlPermissionLost},
	{restclient.ErrRedirect, words.ControlRedirect},
	{restclient.ErrTooLarge, words.ControlAnswerTooLarge},
	{restclient.ErrInvalidAnswer, words.ControlAnswerNotUnderstood},
	{restclient.ErrActionDeclined, words.ControlDeclined},
	{restclient.ErrNotFound, words.ControlNotKnown},
	{restclient.ErrInvalidArgument, words.ControlInvalidValue},
	{restclient.ErrExists, words.ControlExists},
	{restclient.ErrPreconditionFailed, words.ControlRequired},
	{restclient.ErrNotAllowed, words.ControlNotAllowed},
	{restclient.ErrRecordingFailed, words.ControlRecordingProblem},
	{context.DeadlineExceeded, words.ControlTimeout},
	{context.Canceled, words.ControlCanceled},
}

// refusalReason is the reason why all actions, or those of one kind, are impossible: as the end of a
// sentence and as a whole sentence.
type refusalReason struct{ reason, sentence words.Text }

// isZero reports whether there is no reason.
func (o *refusalReason) isZero() bool { return o.reason.IsZero() }

func readOnlyReason() refusalReason {
	return refusalReason{words.ControlReadOnly(), words.ControlReadOnlyNow()}
}
