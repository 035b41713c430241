package term

// disableReordering makes the terminal write rows with right-to-left text as they are. enableReordering
// makes it reorder such rows. Both set the BDSM mode, which VTE, mintty and mlterm support. For all other
// terminals, [RowPainter] isolates right-to-left text from the rest of its row.
const (
	disableReordering = "\x1b[8l"
	enableReordering  = "\x1b[8h" // the default of terminals that support the mode
)
