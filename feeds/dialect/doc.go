// Package dialect is how one server wants to be spoken to: what document 2 leaves
// open, as the configuration says it and as it was learnt from what the server
// refuses, what it says about itself and what it sends. A [Dialect] renders
// operations, reads complaints, weighs evidence, tries again what was learnt
// earlier, and searches for what is refused without a word about why.
//
// The package is pure: it opens no connection, starts no goroutine and locks
// nothing. Whoever has a Dialect sends what it renders, and hands it the answers.
package dialect
