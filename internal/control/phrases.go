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
	failed  words.Text // sentence without a full stop: "The call to 0612 was not made"
	unclear words.Text // sentence without a full stop: "It is unclear whether the call to 0612 was made"
	advice  words.Text // sentence that follows unclear: "Check the phone before dialing again."
	// warning is added to reports with rejected and unknown outcomes.
	warning words.Text
	// reasons maps errors that document 1 lists to explanations for this action.
	reasons map[error]words.Text
}

// reportFor returns the report about an action whose request failed with err.
func (p *phrases) reportFor(err error) words.Report {
	switch outcome := restclient.OutcomeOf(err); outcome {
	case resource.Rejected:
		r := p.rejectedReport(reasonText(err, p.reasons))
		r.Warning = p.warning
		return r
	case resource.NotSent:
		return p.notSentReport(reasonText(err, p.reasons))
	case resource.Unknown, resource.Confirmed:
	}
	return p.unknownReport(reasonText(err, nil), words.Text{})
}

func (p *phrases) rejectedReport(why words.Text) words.Report {
	return words.Report{Outcome: resource.Rejected, Text: words.ControlRejected(p.failed, why)}
}

func (p *phrases) notSentReport(why words.Text) words.Report {
	return words.Report{Outcome: resource.NotSent, Text: words.ControlNotSent(p.failed, why)}
}

// unknownReport returns the report about an action with an unknown outcome. found is a sentence about
// the attempt to find out the outcome, or the zero Text.
func (p *phrases) unknownReport(why, found words.Text) words.Report {
	r := words.Report{Outcome: resource.Unknown, Text: words.ControlUnknown(p.unclear, why, p.advice), Warning: p.warning}
	if !found.IsZero() {
		r.Text = words.ControlUnknownFound(p.unclear, why, found, p.advice)
	}
	return r
}

// lockedReport returns the report about an action that was not sent because its lock could not be
// obtained or was lost. why is the error of the lock.
func (p *phrases) lockedReport(why error) *words.Report {
	return &words.Report{Outcome: resource.NotSent, Text: words.ControlLocked(p.failed, words.TextOf(why))}
}

// alreadyRunningText returns the sentence for an action of person while an action of by on the same
// target is running.
func (p *phrases) alreadyRunningText(by, person string) words.Text {
	if by != "" && by != person {
		return words.ControlRunningBy(p.failed, by)
	}
	return words.ControlRunning(p.failed)
}

func confirmedReport(text words.Text) words.Report {
	return words.Report{Outcome: resource.Confirmed, Text: text}
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
	case errors.Is(err, restclient.ErrInvalid):
		return words.Name(strings.ReplaceAll(e.Err.Error(), "\n", "; "))
	case e.Status != 0 && e.Outcome == resource.Rejected:
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
	case errors.Is(err, restclient.ErrBusy) && errors.As(err, &e) && e.RetryAfter > 0:
		return words.ControlBusyFor(words.Approx(e.RetryAfter))
	case errors.Is(err, restclient.ErrBusy):
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
	{restclient.ErrRefused, words.ControlLoginRefused},
	{restclient.ErrTooSoon, words.ControlTooSoon},
	{restclient.ErrLoginFailed, words.ControlLoginFailed},
	{restclient.ErrNoSession, words.ControlNoSession},
	{restclient.ErrEdition, words.ControlEditionLacks},
	{restclient.ErrNoPath, words.ControlNoPath},
	{restclient.ErrPermissionLost, words.ControlPermissionLost},
	{restclient.ErrRedirect, words.ControlRedirect},
	{restclient.ErrTooLarge, words.ControlAnswerTooLarge},
	{restclient.ErrAnswer, words.ControlAnswerNotUnderstood},
	{restclient.ErrDeclined, words.ControlDeclined},
	{restclient.ErrNotFound, words.ControlNotKnown},
	{restclient.ErrInvalidArgument, words.ControlInvalidValue},
	{restclient.ErrExists, words.ControlExists},
	{restclient.ErrRequired, words.ControlRequired},
	{restclient.ErrNotAllowed, words.ControlNotAllowed},
	{restclient.ErrRecording, words.ControlRecordingProblem},
	{context.DeadlineExceeded, words.ControlTimeout},
	{context.Canceled, words.ControlCanceled},
}

// obstacle is the reason why all actions, or those of one kind, are impossible: as the end of a
// sentence and as a whole sentence.
type obstacle struct{ reason, sentence words.Text }

// isZero reports whether there is no obstacle.
func (o *obstacle) isZero() bool { return o.reason.IsZero() }

func readOnly() obstacle { return obstacle{words.ControlReadOnly(), words.ControlReadOnlyNow()} }
