package term

// noReordering and reordering turn off and on that the terminal reorders rows with right-to-left
// text (mode BDSM, which VTE, mintty and mlterm support). For other terminals, [RowPainter]
// isolates each right-to-left text from its row.
const (
	noReordering = "\x1b[8l"
	reordering   = "\x1b[8h" // the default of terminals
)
