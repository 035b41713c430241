package term

// There are two measures against terminals that reorder rows with right-to-left names. These
// sequences turn reordering off and on (mode BDSM, which VTE, mintty and mlterm support). For other
// terminals, [RowPainter] isolates each right-to-left text from its row.
const (
	noReordering = "\x1b[8l"
	reordering   = "\x1b[8h" // the default of terminals
)
