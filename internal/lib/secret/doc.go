// Package secret keeps passwords, tokens and keys out of all output. A [Text] always prints
// as [redacted]. A [Redactor] removes registered secrets from log files and from texts of
// others, such as server errors that quote the request.
//
// It starts no goroutines. All of it is safe for concurrent use.
package secret
