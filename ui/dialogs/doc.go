// Package dialogs contains the dialogs about what a board shows: the causes of
// an alert, the history of figures, the report for a shift handover, and the layout of a
// table, which is the only one that changes something. They show current data, even while
// the snapshot is frozen.
package dialogs
