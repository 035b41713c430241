package control

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"wallboard/model"
	"wallboard/model/resource"
	"wallboard/restclient"
)

// phrases holds the sentences about the outcomes of an action.
type phrases struct {
	rejectedSentence string // sentence for "rejected": "The call to 0612 was not made"
	unknownSentence  string // sentence for "unknown": "It is unclear whether the call to 0612 was made"
	advice           string // advice for "unknown": "check the phone before dialing again"
	// warning is added to reports with rejected and unknown outcomes.
	warning string
	// reasons maps errors that document 1 lists to explanations for this action.
	reasons map[error]string
}

// newPhrases builds the sentences about an action. subject and done are the parts of a sentence,
// such as "the call to 0612" and "was made". check is the advice for an unknown outcome. reasons
// holds explanations for this action.
func newPhrases(subject, done, check string, reasons map[error]string) phrases {
	was, what, _ := strings.Cut(done, " ")
	return phrases{
		rejectedSentence: capital(subject) + " " + was + " not " + what,
		unknownSentence:  "It is unclear whether " + subject + " " + done,
		advice:           check,
		reasons:          reasons,
	}
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// reportFor returns the report about an action whose request failed with err.
func (p phrases) reportFor(err error) resource.Report {
	switch outcome := restclient.OutcomeOf(err); outcome {
	case resource.Rejected:
		r := p.rejectedReport(reasonText(err, p.reasons))
		r.Warning = p.warning
		return r
	case resource.NotSent:
		return resource.Report{Outcome: outcome, Text: p.rejectedSentence + ": " + reasonText(err, p.reasons) + "; nothing was sent."}
	case resource.Unknown, resource.Confirmed:
	}
	return p.unknownReport(reasonText(err, nil))
}

func (p phrases) rejectedReport(why string) resource.Report {
	return resource.Report{Outcome: resource.Rejected, Text: p.rejectedSentence + ": " + why + "."}
}

func (p phrases) notSentReport(why string) resource.Report {
	return resource.Report{Outcome: resource.NotSent, Text: p.rejectedSentence + ": " + why + "."}
}

func (p phrases) unknownReport(why string) resource.Report {
	return resource.Report{Outcome: resource.Unknown, Text: p.unknownSentence + ": " + why + "; " + p.advice + ".", Warning: p.warning}
}

// lockedReport returns the report about an action that was not sent because its lock could not be
// obtained or was lost. why is the error of the lock.
func (p phrases) lockedReport(why error) *resource.Report {
	return &resource.Report{Outcome: resource.NotSent, Text: p.rejectedSentence + ", because " + why.Error() + "; nothing was sent."}
}

// alreadyRunningText returns the sentence for an action of person while an action of by on the same
// target is running.
func (p phrases) alreadyRunningText(by, person string) string {
	if by != "" && by != person {
		return p.rejectedSentence + ": " + by + " is at it, and it is already under way."
	}
	return p.rejectedSentence + " a second time: it is already under way."
}

func confirmedReport(format string, args ...any) resource.Report {
	return resource.Report{Outcome: resource.Confirmed, Text: fmt.Sprintf(format, args...)}
}

// reasonText explains err as the end of a sentence. It appends the platform's own message, which
// may name the wrong field. special is as for explainError.
func reasonText(err error, special map[error]string) string {
	text := explainError(err, special)
	e := &restclient.Error{}
	errors.As(err, &e)
	for inner := e; errors.As(e.Err, &inner); { // use the root cause
		e = inner
	}
	if words := strings.TrimRight(e.UserMessage(), ". "); words != "" && !strings.Contains(text, words) {
		text += " (it says: " + words + ")"
	}
	return text
}

// explainError explains err as the end of a sentence. special holds explanations for the current
// action, which take precedence over the general ones.
func explainError(err error, special map[error]string) string {
	for condition, text := range special {
		if errors.Is(err, condition) {
			return text
		}
	}
	e := &restclient.Error{Err: errors.New("something went wrong that is not understood")}
	errors.As(err, &e)
	for inner := e; errors.As(e.Err, &inner); { // use the root cause
		e = inner
	}
	if isEntryPoint(e.Operation) && (errors.Is(err, restclient.ErrNotFound) || errors.Is(err, restclient.ErrPathNotFound)) {
		return noService
	}
	if said := explainReadError(err); said != "" {
		return said
	}
	for _, c := range errorTexts {
		if errors.Is(err, c.err) {
			return c.text
		}
	}
	switch {
	case errors.Is(err, restclient.ErrInvalid):
		return strings.ReplaceAll(e.Err.Error(), "\n", "; ")
	case e.Status != 0 && e.Outcome == resource.Rejected:
		return fmt.Sprintf("the platform refused it (status %d)", e.Status)
	case e.Status != 0:
		return fmt.Sprintf("the platform answered with an error (status %d)", e.Status)
	case e.Err != nil:
		return e.Err.Error()
	}
	return "the platform did not answer"
}

// explainReadError explains err, an error of reading, if the answer of the platform is the reason.
// Otherwise it returns "".
func explainReadError(err error) string {
	var shape *restclient.ShapeError
	var short *model.Incomplete
	var e *restclient.Error
	switch {
	case errors.As(err, &shape):
		return "the platform's answer is not a list that this board can read, it is " + shape.Received
	case errors.As(err, &short):
		return "the platform did not give all of the list, only " + short.String()
	case errors.Is(err, restclient.ErrPathNotFound) && errors.As(err, &e):
		return "the platform answers 404 without saying what is not there: there is no such thing, or the operation is at another path, to be named as " + string(e.Operation) + " under [rest.paths]"
	case errors.Is(err, restclient.ErrBusy) && errors.As(err, &e) && e.RetryAfter > 0:
		return fmt.Sprintf("too much is asked of the platform; it says to wait %s", e.RetryAfter)
	case errors.Is(err, restclient.ErrBusy):
		return "too much is asked of the platform; wait a little"
	}
	return ""
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
	text string
}{
	{restclient.ErrPasswordExpired, passwordExpired}, // before the errors that may wrap it
	{restclient.ErrUnauthorized, loginRefused},
	{restclient.ErrRefused, loginRefused},
	{restclient.ErrTooSoon, "the platform ended the session right after the login; try again in half a minute"},
	{restclient.ErrLoginFailed, "the last login failed; it is tried again in half a minute"},
	{restclient.ErrNoSession, "nobody is logged in at the platform"},
	{restclient.ErrEdition, editionLacks},
	{restclient.ErrNoPath, noPath},
	{restclient.ErrPermissionLost, "it was held up for so long that somebody at another node may do the same by now"},
	{restclient.ErrRedirect, "the platform's address leads elsewhere; ask your administrator to check it"},
	{restclient.ErrTooLarge, "the platform's answer is too large"},
	{restclient.ErrAnswer, "the platform's answer could not be understood"},
	{restclient.ErrDeclined, "the platform did not do it"},
	{restclient.ErrNotFound, "the platform does not know it"},
	{restclient.ErrInvalidArgument, "the platform does not accept one of the values"},
	{restclient.ErrExists, "there is one already"},
	{restclient.ErrRequired, "the platform needs something that is missing, empty or unknown to it"},
	{restclient.ErrNotAllowed, notAllowed},
	{restclient.ErrRecording, "the platform reports a problem with the recording"},
	{context.DeadlineExceeded, "the platform did not answer in time"},
	{context.Canceled, "the board stopped waiting for the answer"},
}

// Reasons why no action, or no action of a kind, is possible, as ends of sentences.
const (
	loginRefused    = "the platform does not accept this board's login: the name, the password or token, or the version; ask your administrator to check it"
	passwordExpired = "the password of this board's login has expired, or is not secure enough for the platform; it must be renewed there"
	editionLacks    = "this edition of the platform cannot do it"
	noPath          = "its path is not configured; ask your administrator to name it under [rest.paths]"
	noService       = "there is no configuration service at this address; check url under [rest]"
	notAllowed      = "the profile of this board's login does not allow it"
	readOnly        = "this board may only look"
)
