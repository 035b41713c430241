// Package rowkeys holds what keys do with the rows of a table: the choice of the sort column by a
// digit, pinned rows, and copying to the terminal's clipboard. It starts no goroutine.
package rowkeys
