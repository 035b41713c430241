// Package columns is the dialog for the layout of a table: which columns it shows, in
// which order and width, and the order of its rows.
package columns
