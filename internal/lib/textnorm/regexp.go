package textnorm

import (
	"regexp"
	"sync"
)

// Pattern returns a regular expression, which its first call compiles, so that an expression that a
// program does not need costs it neither memory nor time at its start. It is safe for concurrent use.
type Pattern func() *regexp.Regexp

// NewPattern returns the pattern of an expression. The first use panics if the expression is invalid.
func NewPattern(expr string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
