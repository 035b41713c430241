package textnorm

import (
	"regexp"
	"sync"
)

// Pattern returns a regular expression. The first call compiles it, so that an unused expression
// takes neither time nor memory. It is safe for concurrent use.
type Pattern func() *regexp.Regexp

// NewPattern returns the pattern of an expression. The first use panics if the expression is invalid.
func NewPattern(expr string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
