// Package audit writes and reads the audit file, which records actions, such as those on the
// platform, with their users and outcomes.
//
// The file has one JSON object per line. An action has two lines with the same ID: its intent,
// which is on disk before anything is sent, and its outcome. If the outcome is missing, the program
// ended before it knew the outcome, or is still waiting. Lines are only appended. When the file
// reaches its maximum size, it is renamed. A number of renamed files, the older generations, is
// kept.
//
// Several programs may write to the same file on systems with flock. On other systems only one
// program may use a file. Each line is written at once under the file's lock. A line that a crashed
// program left incomplete does not affect other lines.
//
// Each line contains the SHA-256 hash of the line before it, also across renamed files, so the
// lines are a chain. [Verify] finds lines that were changed, removed, inserted or reordered. A user
// who can write the file can also cut off its end or compute a new chain. A [Head] that is stored
// elsewhere reveals this.
//
// The package starts no goroutine. A [Log] is safe for concurrent use. Its methods return when the
// line is on disk.
package audit
