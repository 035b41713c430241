// Package record stores snapshots in segment files and plays them back. It has a
// writer, a reader, and a player that rebuilds the snapshot of any recorded time.
//
// A segment is a sequence of blocks, each with a length and checksum: a header, then
// chunks. The first frame of a chunk holds the complete state, each further one the
// changes. A chunk is one zstd stream that is flushed with every frame, so a crash
// loses at most the current frame. A footer lists the chunks; if it is missing, the
// reader walks the blocks.
//
// The format follows the types of package model: all of their fields are recorded, and
// the header names them, so that later versions can read earlier files.
//
// The [Writer] runs one goroutine and drops no snapshot silently: gaps are part of the
// recording. A [Replay] is safe for concurrent use; a [Player] is not.
package record
