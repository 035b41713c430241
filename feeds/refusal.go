package feeds

import (
	"errors"
	"strings"

	"wallboard/feeds/graphqlws"
	"wallboard/feeds/picture"
)

// codeUnauthorized is the only ErrorCode of document 2.
const codeUnauthorized = "UNAUTHORIZED"

// unauthorized finds the error code of document 2, section Errors.
func unauthorized(errs []graphqlws.GraphQLError) (msg string, ok bool) {
	for _, e := range errs {
		if e.Code == codeUnauthorized {
			return e.Message, true
		}
	}
	return "", false
}

// refusal returns the errors of a message that says UNAUTHORIZED in the place
// of data: an error "during execution" (document 2, section HTTP) leaves data
// present without results.
func refusal(a picture.Applied) []graphqlws.GraphQLError {
	if a.HasData || len(a.Errs) == 0 {
		return nil
	}
	errs := graphqlws.ParseErrors(a.Errs)
	if _, ok := unauthorized(errs); ok {
		return errs
	}
	return nil
}

// unauthorizedError ends a session in which the server answered UNAUTHORIZED.
type unauthorizedError struct{ msg string }

// Error implements error.
func (e *unauthorizedError) Error() string {
	msg := strings.TrimSpace(strings.TrimLeft(strings.TrimPrefix(e.msg, codeUnauthorized), ": "))
	if msg == "" {
		return codeUnauthorized
	}
	return codeUnauthorized + ": " + msg
}

// isUnauthorized reports whether a session ended because of the credentials.
func isUnauthorized(err error) bool {
	var u *unauthorizedError
	return errors.As(err, &u)
}

// reasonOf is the reason of an error, fit for the screen.
func reasonOf(err error) string {
	var refused *refusedError
	if errors.As(err, &refused) || isUnauthorized(err) {
		return err.Error()
	}
	return graphqlws.Reason(err)
}
