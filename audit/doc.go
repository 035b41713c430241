// Package audit keeps the file of actions: who asked the platform for what,
// and what became of it.
//
// The file has one JSON object a line. An action has two lines that share an
// id: its intent, which is on the disk before anything is sent, and its
// outcome. An intent without an outcome tells of a program that ended in
// between. Lines are only ever appended; a file that reached its size is
// renamed, and a number of older generations is kept.
//
// Several programs may write the same file: each line is written in one piece
// under the file's lock (on systems that have flock; elsewhere a file belongs
// to one program). What a crashed program left of a line spoils that line only.
//
// The package starts no goroutine. A [Log] is safe for concurrent use; its
// methods return when the line is on the disk.
package audit
