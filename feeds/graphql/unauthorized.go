package graphql

import (
	"errors"
	"strings"
)

// codeUnauthorized is the only ErrorCode in document 2.
const codeUnauthorized = "UNAUTHORIZED"

// UnauthorizedError means that the server answered with the error code UNAUTHORIZED.
type UnauthorizedError struct {
	Message string // as sent by the server
}

// Error implements error.
func (e *UnauthorizedError) Error() string {
	msg := strings.TrimSpace(strings.TrimLeft(strings.TrimPrefix(e.Message, codeUnauthorized), ": "))
	if msg == "" {
		return codeUnauthorized
	}
	return codeUnauthorized + ": " + msg
}

// FindUnauthorized returns an error if one of errs has the error code UNAUTHORIZED (document 2, section
// Errors), otherwise nil.
func FindUnauthorized(errs []Error) *UnauthorizedError {
	for _, e := range errs {
		if e.Code == codeUnauthorized {
			return &UnauthorizedError{Message: e.Message}
		}
	}
	return nil
}

// IsUnauthorized reports whether err is an [UnauthorizedError].
func IsUnauthorized(err error) bool {
	var u *UnauthorizedError
	return errors.As(err, &u)
}
