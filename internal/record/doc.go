// Package record stores snapshots in segment files and plays them back. It has a writer, a
// reader, and a player that rebuilds the snapshot of any recorded time.
//
// A segment is a sequence of blocks, each with a length and a checksum: a header, then chunks. The
// first frame of a chunk holds the complete state, and each further frame holds the changes. A
// chunk is a zstd stream that is flushed after each frame, so a crash loses at most the current
// frame. A footer lists the chunks. If the footer is missing, the reader reads all blocks instead.
//
// The format follows the types of package model: it records all of their fields, and the
// header names them, so later versions can read earlier files.
//
// The [Writer] runs one goroutine and drops no snapshot silently: gaps are part of the
// recording. A [Replay] is safe for concurrent use; a [Player] is not.
package record
