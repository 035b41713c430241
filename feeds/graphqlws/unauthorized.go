package graphqlws

import (
	"errors"
	"strings"
)

// codeUnauthorized is the only ErrorCode of document 2.
const codeUnauthorized = "UNAUTHORIZED"

// UnauthorizedError says that the server answered UNAUTHORIZED.
type UnauthorizedError struct {
	Message string // of the server, as it came
}

// Error implements error.
func (e *UnauthorizedError) Error() string {
	msg := strings.TrimSpace(strings.TrimLeft(strings.TrimPrefix(e.Message, codeUnauthorized), ": "))
	if msg == "" {
		return codeUnauthorized
	}
	return codeUnauthorized + ": " + msg
}

// Unauthorized returns the error of an answer that has the error code of document 2,
// section Errors, nil for any other.
func Unauthorized(errs []GraphQLError) *UnauthorizedError {
	for _, e := range errs {
		if e.Code == codeUnauthorized {
			return &UnauthorizedError{Message: e.Message}
		}
	}
	return nil
}

// IsUnauthorized reports whether an error is an answer UNAUTHORIZED.
func IsUnauthorized(err error) bool {
	var u *UnauthorizedError
	return errors.As(err, &u)
}
