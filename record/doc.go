// Package record keeps what the board was shown, so that it can be shown again: a
// writer of segment files, a reader of them, and a player that rebuilds the
// snapshot of any instant that they hold.
//
// A segment is a file of blocks, each with its length and its checksum: a header,
// then chunks. A chunk begins with all there is, and goes on with what changed,
// once for each frame; it is one stream of zstd that is flushed with every frame,
// so that a machine that dies loses the frame under way and nothing else. A footer
// lists the chunks; where it is missing, the blocks are walked.
//
// What a record holds is told by the types of package model themselves: every
// field that they have is recorded, and the header of a file names them, so that a
// later board reads what an earlier one wrote.
package record
