// Package term runs a Bubble Tea program on a terminal. It writes the frames itself, but only the
// rows that have changed, and it decodes the input of the terminal.
//
// Bubble Tea's own renderer parses and measures every cell of a changed frame. At 200x60 cells,
// this takes fifty times as long as a board takes to draw the frame. The renderer writes at the
// rate of its own clock, and a terminal that does not read blocks the messages of the program. This
// package skips rows with unchanged text, writes a frame as soon as it is ready, and keeps only the
// newest frame for a slow terminal. With [Run], Bubble Tea still handles raw mode and the modes, colors
// and title of the terminal, and always restores the terminal. For these purposes it still writes to
// the terminal, and blocks if the terminal does not read. [Serve] does without a Bubble Tea program.
//
// Ultraviolet decodes the individual input sequences, as in Bubble Tea. Its reader is used only on the
// console of Windows, because it does not limit the input. A control sequence with more than 32
// parameters makes the reader panic in a goroutine without a recover. A sequence that does not end is
// stored and parsed again with every byte that follows. In the input mode of Windows, one sequence can
// report 65,535 key presses, each of which would need a frame. [Decoder] limits the length of sequences
// before they are decoded, and the number of events to the number that a person can cause.
package term
