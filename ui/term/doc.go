// Package term runs a Bubble Tea program on a terminal. It writes the frames itself, limited
// to the rows that have changed, and decodes what the terminal sends.
//
// Bubble Tea's own renderer parses and measures every cell of a changed frame. At 200x60, that
// takes fifty times as long as a board takes to draw. The renderer writes at the rate of its own
// clock, and a terminal that does not read blocks the program's messages. This package skips rows
// whose text is unchanged, writes a frame as soon as it is ready, and keeps only the newest frame
// for a slow terminal. Bubble Tea still does everything else: raw mode, keys and mouse, modes,
// colors and title of the terminal, and the restoration of the terminal in every case. These writes
// of Bubble Tea still block on a terminal that does not read.
//
// Ultraviolet decodes single sequences of the input, as in Bubble Tea. Its reader is not used,
// because it does not limit the input. A control sequence of more than 32 parameters causes a panic
// in a goroutine without a recover. A sequence that does not end is kept and parsed again with
// every byte that follows. A single key of Windows can report 65,535 presses, and each of ten
// million keys is a frame to draw. [Decoder] limits the length of sequences before they are
// decoded. It also limits the number of events to what a person can type.
package term
