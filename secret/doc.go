// Package secret keeps passwords, tokens and keys out of everything that is
// printed. A [Text] prints as [redacted] whoever prints it; a [Redactor] takes
// what was registered out of texts that others wrote, such as the errors of a
// server that quotes what it refuses, and out of whole log files.
//
// It starts no goroutines; all of it is safe for concurrent use.
package secret
