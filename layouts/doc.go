// Package layouts keeps how a viewer wants tables to be: which columns, in which
// order, how wide, and what the rows are sorted by. It is kept in a file beside the
// configuration, which the board writes and the viewer may write as well.
package layouts
