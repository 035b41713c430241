package words

import "errors"

// Error is an error that supervisors read, each in the language of the viewer. Logs and the audit have
// it in English.
type Error struct {
	Text  Text
	Cause error // nil: there is none; it is not part of the text
}

// NewError returns an error with a text. cause is nil or the error that it explains.
func NewError(text Text, cause error) *Error { return &Error{Text: text, Cause: cause} }

func (e *Error) Error() string { return e.Text.In(nil) }

func (e *Error) Unwrap() error { return e.Cause }

// TextOf returns the text of an error for viewers. An error without an [Error] in its chain is the same
// in all languages, as are those of the operating system and of the platform. The result is the zero
// Text if err is nil.
func TextOf(err error) Text {
	if err == nil {
		return Text{}
	}
	if told, ok := errors.AsType[*Error](err); ok {
		return told.Text
	}
	return Name(err.Error())
}
