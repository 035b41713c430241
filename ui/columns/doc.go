// Package columns is the dialog in which a viewer lays a table out: which columns it
// shows, in which order, how wide, and what its rows are sorted by.
package columns
