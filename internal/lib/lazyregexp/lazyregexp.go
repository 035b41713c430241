// Package lazyregexp compiles regular expressions when they are first used, so that those that a
// program does not need cost it neither memory nor time at its start.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Pattern returns a regular expression, which its first call compiles. It is safe for concurrent use.
type Pattern func() *regexp.Regexp

// New returns the pattern of an expression. The first use panics if the expression is invalid.
func New(expr string) Pattern {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
