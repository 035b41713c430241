// Package secret keeps passwords, tokens and keys out of all output. A [Text] always prints
// as [redacted]. A [Redactor] removes registered secrets from texts of other origin, such
// as errors of a server that quotes the request, and from log files.
//
// It starts no goroutines. All of it is safe for concurrent use.
package secret
