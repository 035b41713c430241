// Package dialogs contains the dialogs about the data of a board: the causes of an alert, the
// history of figures and the report for a shift handover. They show current data, even while
// the snapshot is frozen. Another dialog changes the columns of a table.
package dialogs
