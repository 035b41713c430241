package term

// noReordering makes the terminal write rows with right-to-left text as they are. reordering makes
// it reorder such rows. Both set the BDSM mode, which VTE, mintty and mlterm support. For all other
// terminals, [RowPainter] isolates right-to-left text from the rest of its row.
const (
	noReordering = "\x1b[8l"
	reordering   = "\x1b[8h" // the default of terminals that support the mode
)
