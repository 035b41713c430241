// Package audit writes and reads the audit file, which records the actions on the platform,
// their users and outcomes.
//
// The file has one JSON object per line. An action has two lines with the same id: its
// intent, which is on disk before anything is sent, and its outcome. An intent without an
// outcome means that the program ended in between. Lines are only appended. When a file
// reaches its size it is renamed, and a number of older generations is kept.
//
// Several programs may write the same file: each line is written at once under the file's
// lock (on systems with flock; elsewhere only one program may use a file). A line that a
// crashed program left incomplete does not affect others.
//
// The package starts no goroutine. A [Log] is safe for concurrent use; its methods return
// when the line is on disk.
package audit
