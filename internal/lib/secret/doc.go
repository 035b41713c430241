// Package secret keeps passwords, tokens and keys out of all output. A [Text] always prints as
// [redacted]. A [Redactor] removes registered secrets from log files and from the messages of
// other programs, such as server errors that quote the request. [Seal] encrypts data for a [Lock].
//
// The package starts no goroutines. All of its types and functions are safe for concurrent use.
package secret
