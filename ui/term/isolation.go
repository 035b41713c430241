package term

// There are two measures against terminals that reorder rows with right-to-left names: the
// terminal is told not to reorder (mode BDSM, which VTE, mintty and mlterm support), and for
// other terminals package bidi isolates each right-to-left text from its row.
const (
	noReordering = "\x1b[8l"
	reordering   = "\x1b[8h" // the default of terminals
)
