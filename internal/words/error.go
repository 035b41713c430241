package words

import "errors"

// Error is an error for supervisors. Each viewer reads it in their own language. Logs and the audit file
// contain it in English.
type Error struct {
	Text  Text
	Cause error // nil: there is none; it is not part of the text
}

// NewError returns an error with a text. cause is nil or the error that it explains.
func NewError(text Text, cause error) *Error { return &Error{Text: text, Cause: cause} }

func (e *Error) Error() string { return e.Text.In(nil) }

func (e *Error) Unwrap() error { return e.Cause }

// TextOf returns the text of an error for viewers. An error without an [Error] in its chain, such as an error
// of the operating system or of the platform, has the same text in all languages. The result is the zero Text
// if err is nil.
func TextOf(err error) Text {
	if err == nil {
		return Text{}
	}
	if told, ok := errors.AsType[*Error](err); ok {
		return told.Text
	}
	return Name(err.Error())
}
